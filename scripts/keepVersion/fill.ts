// Fills the database of an earlier version over HTTP with some of everything: events, revisions, quarantine, submissions,
// recordings, known tasks and assistants, an erasure.
import { setTimeout as pause } from "node:timers/promises";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { taskInputFor } from "../../test/e2e/submitting.ts";
import type { GatewayAddress } from "../../test/support/gateway.ts";
import { callEndedEvent } from "../../test/support/events.ts";
import { until } from "../../test/support/until.ts";

const CREATE = `mutation($input: CreateTaskInput!) {
  createTask(input: $input) { replayed submission { status } errors { code message } } }`;
const COUNT = "{ callEndedEvents(first: 100, revisions: true) { nodes { sessionId } } }";
/** The earlier version handles what it learned in the background: recordings, known tasks, tasks of submissions. */
const SETTLE_MS = 4000;

/** Resolves with the input of the submissions. */
export async function fill(gateway: GatewayAddress, sandbox: Sandbox): Promise<Record<string, unknown>> {
  const { taskIds } = sandbox.control.seed({ tasks: [{ numbers: [{ number: "+12025550103" }] }] });
  const seededTask = taskIds[0] ?? "";
  // The service gives its next task the next number.
  const createdTask = String(BigInt(seededTask) + 1n);
  const assistantId = sandbox.control.state().assistants[0]?.id;
  const input = taskInputFor(assistantId, { idempotencyKey: "upgrade", name: "Upgrade" });
  await ask(gateway, CREATE, { input });
  await ask(gateway, CREATE, { input: { ...input, idempotencyKey: "upgrade without calls" } });
  await ask(gateway, "query($ids: [ID!]!) { tasksByIds(taskIds: $ids) { taskId name assistant { name } } }", {
    ids: [seededTask, createdTask],
  });
  sandbox.control.endCall({ taskId: createdTask, sessionId: "of the created task" });
  sandbox.control.endCall({ taskId: seededTask, sessionId: "of the seeded task", answered: false });
  sandbox.control.endCall({ sessionId: "inbound", extra: { 订单: "7" } });
  await until(async () => (await countEvents(gateway)) >= 3);

  const own = { record_url: null, task_id: null, task_item_id: null };
  await deliver(gateway, callEndedEvent({ ...own, session_id: "revised", duration: 1 }));
  await deliver(gateway, callEndedEvent({ ...own, session_id: "revised", duration: 2, hangup_reason: "USER_BUSY" }));
  await deliver(
    gateway,
    callEndedEvent({ ...own, session_id: "odd", answer_at: "no time", duration: 0.5, extra: null }),
  );
  await deliver(gateway, callEndedEvent({ ...own, session_id: "erased", callee: "+12025550199" }));
  await deliver(gateway, "not JSON");
  await deliver(gateway, { event_name: "call_ended" });
  await gateway.ask(`mutation { forgetPhone(number: "+12025550199") { __typename } }`);
  await pause(SETTLE_MS);
  return input;
}

async function ask(gateway: GatewayAddress, document: string, variables: unknown): Promise<void> {
  const { errors, data } = await gateway.ask<Record<string, { errors?: unknown[] }>>(document, variables);
  const refusals = errors ?? Object.values(data ?? {}).flatMap((payload) => payload.errors ?? []);
  if (refusals.length > 0) throw new Error(JSON.stringify(refusals));
}

async function countEvents(gateway: GatewayAddress): Promise<number> {
  const { data } = await gateway.ask<{ callEndedEvents: { nodes: unknown[] } }>(COUNT);
  return data?.callEndedEvents.nodes.length ?? 0;
}

async function deliver(gateway: GatewayAddress, body: unknown): Promise<void> {
  const { status } = await gateway.deliver(body);
  if (status !== 200) throw new Error(`A webhook was answered with ${status}.`);
}
