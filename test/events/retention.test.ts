import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startRetention, type RetentionDeps } from "../../src/events/retention.ts";
import { instantOf } from "../../src/format/instant.ts";
import { createLogger } from "../../src/logger.ts";
import { silentLog } from "../support/silentLog.ts";
import { headOf, openLog } from "./callEnded.ts";
import { appendRows, eventRow, tempStore, WHOLE } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { databases } from "../store/databases.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-11-20T09:30:00.000Z");

const aged = (count: number, days: number) =>
  Array.from({ length: count }, (_, at) =>
    eventRow({ sessionId: `${days} days ${at}`, receivedAt: instantOf(NOW - days * DAY) }),
  );

/** A clock that is not in doubt, and the state of a database that was purged an hour ago. */
const RIGHT = { check: async () => null, cautiousNow: () => NOW };
function purgesAt(at: number | null): RetentionDeps["purges"] {
  const state = { accepted: null, confirmed: null, purgedAsOf: at };
  return { state: async () => state, save: async (saved) => void Object.assign(state, saved) };
}

function start(deps: Pick<RetentionDeps, "events" | "leases"> & Partial<RetentionDeps>): void {
  const purges = purgesAt(NOW - DAY / 24);
  const defaults = { retentionMs: 90 * DAY, clock: RIGHT, purges, log: silentLog, intervalMs: 5, firstAfterMs: 0 };
  const retention = startRetention({ ...defaults, ...deps });
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

describe.each(databases)("B61: startRetention() on %s after the clock was wrong", (_, { create }) => {
  it("deletes entries with a time in the future as soon as their neighbours expire", async () => {
    const { events, leases } = await tempStore((await create()).url);
    const future = aged(7, -100);
    await appendRows(events, [...aged(2, 95), ...future, ...aged(1, 92), ...aged(2, 20), ...aged(1, -50)]);
    start({ events, leases, batchSize: 3 });
    const left = async () => (await events.read(WHOLE)).map(({ sessionId }) => sessionId);
    await until(async () => (await left()).length === 3);
    expect(await left()).toEqual(["20 days 0", "20 days 1", "-50 days 0"]);
  });
});

describe("startRetention()", () => {
  it("B61: deletes nothing while the clock is in doubt, and says so as an error", async () => {
    const { leases } = await tempStore();
    const errors: string[] = [];
    let purges = 0;
    const purge = async () => Math.min(0, (purges += 1));
    const clock = { ...RIGHT, check: async () => "it is 100 days ahead of the service's clock" };
    const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) };
    start({ events: { purge }, leases, clock, log });
    await until(() => errors.length > 2);
    expect(purges).toBe(0);
    expect(errors[0]).toContain("because the clock is in doubt: it is 100 days ahead of the service's clock");
  });

  it("B61: goes on by a twentieth of the retention in each purge, also after a restart", async () => {
    const { leases, clock } = await tempStore();
    await clock.save({ purgedAsOf: NOW - 20 * DAY });
    const limits: string[] = [];
    const purge = async (before: string) => {
      limits.push(before);
      return 0;
    };
    const of = (days: number) => instantOf(NOW - (90 + days) * DAY);
    const first = startRetention({
      events: { purge },
      leases,
      retentionMs: 90 * DAY,
      clock: RIGHT,
      purges: clock,
      log: silentLog,
      intervalMs: 5,
      firstAfterMs: 0,
    });
    await until(() => limits.length >= 2);
    await first[Symbol.asyncDispose]();
    expect(limits.slice(0, 2)).toEqual([of(15.5), of(11)]);
    const before = limits.length;
    start({ events: { purge }, leases, purges: clock });
    await until(() => limits.at(-1) === of(0));
    expect(limits[before]).toBe(of(20 - 4.5 * (before + 1)));
  });

  it("B61: purges nothing in the first minutes after the start", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let purges = 0;
    const purge = async () => Math.min(0, (purges += 1));
    const held = {
      withLease: async (_: string, signal: AbortSignal, work: (s: AbortSignal) => Promise<unknown>) => ({
        done: await work(signal),
      }),
    };
    start({ events: { purge }, leases: held as RetentionDeps["leases"], intervalMs: 3_600_000, firstAfterMs: 300_000 });
    await vi.advanceTimersByTimeAsync(299_000);
    expect(purges).toBe(0);
    await vi.advanceTimersByTimeAsync(2000);
    expect(purges).toBe(1);
  });

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
    const log = createLogger({ level: "info", secrets: [], write: (line) => lines.push(line) });
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
    const fixed = { retentionMs: DAY, clock: RIGHT, purges: purgesAt(NOW), firstAfterMs: 0, log: silentLog };
    const retention = startRetention({ events: { purge }, leases, ...fixed });
    await until(() => steps > 3);
    await retention[Symbol.asyncDispose]();
    const before = steps;
    // A purge that went on would make a step in each turn.
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(steps).toBe(before);
  });
});
