import { describe, expect, it, onTestFinished } from "vitest";
import { startRetention, type RetentionDeps } from "../../src/events/retention.ts";
import { instantOf } from "../../src/format/instant.ts";
import { silentLog } from "../support/silentLog.ts";
import { headOf, openLog } from "../events/callEnded.ts";
import { appendRows, eventRow, tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { databases } from "./databases.ts";

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

describe.each(databases)("A68: events older than they are kept are deleted, on %s", (_, urlOf) => {
  it("in steps, the young ones stay, and a cursor behind them is expired", async () => {
    const { events, leases } = await tempStore(await urlOf());
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

describe("deleting harms nobody", () => {
  const noLease = { hold: async () => null };

  it("it is done by whoever holds the lease", async () => {
    let asked = 0;
    const hold = async () => {
      asked += 1;
      return noLease.hold();
    };
    let purged = false;
    start({ events: { purge: async () => Number((purged = true)) }, leases: { withLease: hold } });
    await until(() => asked > 2);
    expect(purged).toBe(false);
  });

  it("a failure is told, and it is tried again", async () => {
    const { leases } = await tempStore();
    const told: string[] = [];
    let tries = 0;
    const purge = async () => {
      tries += 1;
      if (tries < 3) throw new Error("the database is away");
      return 0;
    };
    start({ events: { purge }, leases, log: { ...silentLog, warn: (_, message) => void told.push(message) } });
    await until(() => tries > 3);
    expect(told.length).toBe(2);
  });

  it("what is kept alongside goes by the same age, each in its own steps", async () => {
    const { leases } = await tempStore();
    const told: string[] = [];
    const kept = (name: string, rows: number) => ({
      async purge(before: string, limit: number) {
        const deleted = Math.min(rows, limit);
        rows -= deleted;
        told.push(`${name} ${before} ${deleted}`);
        return deleted;
      },
    });
    start({ events: kept("events", 0), otherStores: [kept("tasks", 3), kept("assistants", 1)], leases, batchSize: 2 });
    const before = new Date(NOW - 90 * DAY).toISOString();
    await until(() => told.length >= 4);
    expect(told.slice(0, 4)).toEqual([
      `events ${before} 0`,
      `tasks ${before} 2`,
      `tasks ${before} 1`,
      `assistants ${before} 1`,
    ]);
  });

  it("and where one of them cannot be deleted, the others are", async () => {
    const { leases } = await tempStore();
    const told: string[] = [];
    const failing = { purge: () => Promise.reject(new Error("the storage is away")) };
    let purged = 0;
    const kept = { purge: async () => Math.min(0, (purged += 1)) };
    const log = { ...silentLog, warn: (_: object, message: string) => void told.push(message) };
    start({ events: kept, otherStores: [failing, kept], leases, log });
    await until(() => told.length > 1);
    expect(purged).toBeGreaterThanOrEqual(4);
  });

  it("it ends with the gateway, after its step", async () => {
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
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(steps).toBe(before);
  });
});
