import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { startRetention, type RetentionDeps } from "../../src/events/retention.ts";
import { instantOf } from "../../src/format/instant.ts";
import { createLog } from "../../src/log.ts";
import { silentLog } from "../support/silentLog.ts";
import { headOf, openLog } from "./callEnded.ts";
import { appendRows, eventRow, tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { databases } from "../store/databases.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-11-20T09:30:00.000Z");

const aged = (count: number, days: number) =>
  Array.from({ length: count }, (_, at) =>
    eventRow({ sessionId: `${days} days ${at}`, receivedAt: instantOf(NOW - days * DAY) }),
  );

function start(deps: Pick<RetentionDeps, "events" | "leases"> & Partial<RetentionDeps>): void {
  const retention = startRetention({ retentionMs: 90 * DAY, clock: () => NOW, log: silentLog, intervalMs: 5, ...deps });
  onTestFinished(() => retention[Symbol.asyncDispose]());
}

describe.each(databases)("A68: startRetention() on %s", (_, { create }) => {
  it("deletes old events in steps, keeps the others and expires old cursors", async () => {
    const { events, leases } = await tempStore((await create()).url);
    await appendRows(events, aged(3, 200));
    const log = await openLog(events);
    onTestFinished(() => log[Symbol.asyncDispose]());
    const early = await headOf(log);
    await appendRows(events, [...aged(20, 91), ...aged(5, 89)]);

    const steps: number[] = [];
    const purge = async (before: string, limit: number) => {
      const deleted = await events.purge(before, limit);
      steps.push(deleted);
      return deleted;
    };
    start({ events: { purge }, leases, batchSize: 10 });
    await until(() => steps.length > 4);
    expect(steps.slice(0, 4)).toEqual([10, 10, 3, 0]);
    const left = await events.read({
      filter: {},
      revisions: true,
      through: null,
      after: null,
      order: "oldestFirst",
      limit: 100,
    });
    expect(left.map(({ sessionId }) => sessionId)).toEqual(aged(5, 89).map(({ sessionId }) => sessionId));
    await expect(log.checkRetained(early)).rejects.toMatchObject({ code: "CURSOR_EXPIRED" });
  });
});

describe("startRetention()", () => {
  const noLease = { hold: async () => null };

  it("deletes nothing without the lease", async () => {
    let leaseRequests = 0;
    const hold = async () => {
      leaseRequests += 1;
      return noLease.hold();
    };
    let purged = false;
    start({ events: { purge: async () => Number((purged = true)) }, leases: { withLease: hold } });
    await until(() => leaseRequests > 2);
    expect(purged).toBe(false);
  });

  it("keeps the rows of another store as long as that store's own retention says", async () => {
    const { leases } = await tempStore();
    const limits: string[] = [];
    const purge = async (before: string) => {
      limits.push(before);
      return 0;
    };
    start({ events: { purge }, otherStores: [{ purge }, { purge, retentionMs: 400 * DAY }], leases });
    await until(() => limits.length >= 3);
    expect(limits.slice(0, 3)).toEqual([90, 90, 400].map((days) => instantOf(NOW - days * DAY)));
  });

  it("logs how many events it deleted, of all steps", async () => {
    const { leases } = await tempStore();
    const lines: string[] = [];
    const log = createLog({ level: "info", secrets: [], write: (line) => lines.push(line) });
    const deleted = [2, 2, 1];
    const purge = async () => deleted.shift() ?? 0;
    start({ events: { purge }, leases, batchSize: 2, log });
    const line = await until(() => lines[0]);
    expect(JSON.parse(line)).toMatchObject({ events: 5, msg: "events older than the retention were deleted" });
  });

  it("logs a failure and tries again", async () => {
    const { leases } = await tempStore();
    const logged: string[] = [];
    let tries = 0;
    const purge = async () => {
      tries += 1;
      if (tries < 3) throw new Error("the database is away");
      return 0;
    };
    start({ events: { purge }, leases, log: { ...silentLog, warn: (_, message) => void logged.push(message) } });
    await until(() => tries > 3);
    expect(logged.length).toBe(2);
  });

  it("purges other stores by the same age, each in its own steps", async () => {
    const { leases } = await tempStore();
    const purges: string[] = [];
    const storeWith = (name: string, rows: number) => ({
      async purge(before: string, limit: number) {
        const deleted = Math.min(rows, limit);
        rows -= deleted;
        purges.push(`${name} ${before} ${deleted}`);
        return deleted;
      },
    });
    start({
      events: storeWith("events", 0),
      otherStores: [storeWith("tasks", 3), storeWith("assistants", 1)],
      leases,
      batchSize: 2,
    });
    const before = new Date(NOW - 90 * DAY).toISOString();
    await until(() => purges.length >= 4);
    expect(purges.slice(0, 4)).toEqual([
      `events ${before} 0`,
      `tasks ${before} 2`,
      `tasks ${before} 1`,
      `assistants ${before} 1`,
    ]);
  });

  it("purges the other stores when one of them fails", async () => {
    const { leases } = await tempStore();
    const logged: string[] = [];
    const failing = { purge: () => Promise.reject(new Error("the storage is away")) };
    let purged = 0;
    const working = { purge: async () => Math.min(0, (purged += 1)) };
    const log = { ...silentLog, warn: (_: object, message: string) => void logged.push(message) };
    start({ events: working, otherStores: [failing, working], leases, log });
    await until(() => logged.length > 1);
    expect(purged).toBeGreaterThanOrEqual(4);
  });

  it("ends after the current step when it is disposed of", async () => {
    const { leases } = await tempStore();
    let steps = 0;
    const purge = async (_: string, limit: number) => {
      steps += 1;
      return limit;
    };
    const retention = startRetention({ events: { purge }, leases, retentionMs: DAY, clock: () => NOW, log: silentLog });
    await until(() => steps > 3);
    await retention[Symbol.asyncDispose]();
    const before = steps;
    // A purge that went on would make a step in each turn.
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(steps).toBe(before);
  });
});
