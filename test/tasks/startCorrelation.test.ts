import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";

import { createLogger } from "../../src/logger.ts";
import { createCorrelationTokens } from "../../src/tasks/correlationToken.ts";
import { createCorrelator } from "../../src/tasks/correlator.ts";
import { createSignal } from "../../src/util/signal.ts";
import { startCorrelation } from "../../src/tasks/startCorrelation.ts";
import type { Correlator } from "../../src/tasks/correlator.ts";
import { appendAll, callEnded, logOver, NOW, sessions, signer } from "../events/callEnded.ts";
import { ANY_QUOTA, open, submission, tempFile, tempStore } from "../store/tempStore.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";

/** Runs a correlator on an empty log. */
async function correlationOf(own: Partial<Correlator>) {
  const store = await tempStore();
  const events = await logOver(store.events);
  const lines: string[] = [];
  const { readers, leases } = store;
  const correlation = startCorrelation({
    correlator: { handleEvents: async () => undefined, compareWaitingTasks: async () => true, ...own },
    events,
    readers,
    leases,
    retryMs: 1,
    log: createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) }),
  });
  const stop = async () => correlation[Symbol.asyncDispose]();
  onTestFinished(stop);
  return { events, lines, stop };
}

describe("startCorrelation", () => {
  it("compares the tasks of a batch in which the database refuses one", async () => {
    const url = `file:${tempFile()}`;
    await (await open(url))[Symbol.asyncDispose]();
    using database = new DatabaseSync(url.slice("file:".length));
    database.exec(
      `create trigger refuse before insert on met_tasks when new.task_id = '13' begin select raise(abort, 'refused'); end`,
    );
    database.close();
    const { submissions, taskComparisons } = await tempStore(url);
    const lone = submission({ id: "a", status: "ACCEPTED", hasToken: false });
    await submissions.claim(lone, ANY_QUOTA);
    const correlator = createCorrelator({
      upstream: { getTask: async () => null },
      submissions,
      taskComparisons,
      tokens: createCorrelationTokens(signer),
      changes: createSignal(),
      clock: () => NOW,
      log: silentLog,
    });
    const { handleEvents } = correlator;
    const { events, lines } = await correlationOf({ handleEvents });
    const batch = ["11", "12", "13", "14"].map((taskId) => callEnded({ sessionId: `s${taskId}`, taskId }));
    await Promise.all(batch.map((call) => events.append(call, "WEBHOOK")));
    await until(async () => (await taskComparisons.listWaiting(10)).includes("14"));
    expect(await taskComparisons.listWaiting(10)).toEqual(["11", "12", "14"]);
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(told).toMatchObject([{ level: "error", reader: "correlation", sessionId: "s13" }]);
  });

  it("hands over the events of the log, and compares tasks after them", async () => {
    const seen: string[] = [];
    const { events } = await correlationOf({
      handleEvents: async (batch) => void seen.push(...sessions(batch)),
      compareWaitingTasks: async () => {
        if (seen.at(-1) === "b") seen.push("compared");
        return true;
      },
    });
    await appendAll(events, ["a", "b"]);
    await until(() => seen.includes("compared"));
    expect(seen).toEqual(["a", "b", "compared"]);
  });

  it("logs a comparison that fails, and compares again", async () => {
    let rounds = 0;
    const { lines } = await correlationOf({
      async compareWaitingTasks() {
        rounds += 1;
        if (rounds === 1) throw new Error("the store is away");
        return true;
      },
    });
    await until(() => rounds > 1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: "warn", msg: "tasks could not be compared with the submissions" }),
    ]);
  });

  it("aborts a running comparison when it stops, and does not log that", async () => {
    let isRunning = false;
    const { lines, stop } = await correlationOf({
      compareWaitingTasks: async (signal) =>
        new Promise((_, reject) => {
          isRunning = true;
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    });
    await until(() => isRunning);
    await stop();
    expect(lines).toEqual([]);
  });
});
