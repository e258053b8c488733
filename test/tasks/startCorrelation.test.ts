import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../src/log.ts";
import { startCorrelation } from "../../src/tasks/startCorrelation.ts";
import type { Correlator } from "../../src/tasks/correlator.ts";
import { appendAll, logOver, sessions } from "../events/callEnded.ts";
import { tempStore } from "../store/tempStore.ts";
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
    log: createLog({ level: "debug", secrets: [], write: (line) => lines.push(line) }),
  });
  const stop = async () => correlation[Symbol.asyncDispose]();
  onTestFinished(stop);
  return { events, lines, stop };
}

describe("startCorrelation", () => {
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
