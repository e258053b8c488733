// Rules and calls for a whole gateway.
import { writeFileSync } from "node:fs";
import { tempFile, tempStore } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import type { GatewayAddress } from "../support/gateway.ts";
import { until } from "../support/until.ts";

/** A file of rules; `write` replaces it. */
export function rulesFile(...rules: object[]) {
  const file = tempFile("alerts.json");
  const write = (...some: object[]) => writeFileSync(file, JSON.stringify(some));
  write(...rules);
  return { env: { ALERTS_FILE: file, UPSTREAM_TIME_ZONE: "UTC" }, write, break: () => writeFileSync(file, "[{") };
}

export type RulesFile = ReturnType<typeof rulesFile>;

/** The service's wall clock, so many seconds ago. */
const wallClock = (secondsAgo: number) =>
  new Date(Date.now() - secondsAgo * 1000).toISOString().slice(0, 19).replace("T", " ");

/** Delivers calls that nobody answered. */
export async function miss(gateway: GatewayAddress, calls: number, taskId = 7): Promise<void> {
  for (let at = 0; at < calls; at += 1) {
    const times = { start_at: wallClock(40), answer_at: "", end_at: wallClock(20), billsec: 0 };
    const { status } = await gateway.deliver(callEndedEvent({ ...times, task_id: taskId, hangup_reason: "FAILED" }));
    if (status !== 200) throw new Error(`The webhook was answered with ${status}.`);
  }
}

/** A store for a gateway. `look` resolves when a look at tasks that began after the call has ended. */
export async function storeOfLooks() {
  const store = await tempStore();
  const { taskLooks } = store;
  let kept = 0;
  async function saveNotes(...given: Parameters<typeof taskLooks.saveNotes>): Promise<void> {
    await taskLooks.saveNotes(...given);
    kept += 1;
  }
  async function look(): Promise<void> {
    const before = kept;
    // One may be under way, and keeps its notes in the midst. The one after the next shows that the next has ended.
    await until(() => kept > before + 2);
  }
  return { store: { ...store, taskLooks: { ...taskLooks, saveNotes } }, look };
}
