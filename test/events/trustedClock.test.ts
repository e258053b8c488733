import { describe, expect, it, onTestFinished } from "vitest";
import { openTrustedClock, type TrustedClockDeps } from "../../src/events/trustedClock.ts";
import { instantOf } from "../../src/format/instant.ts";
import type { ClockState } from "../../src/store/shared/clockStore.ts";
import { databases } from "../store/databases.ts";
import { appendRows, eventRow, open, tempStore } from "../store/tempStore.ts";
import { silentLog } from "../support/silentLog.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-11-20T09:30:00.000Z");
const HEADER = (time: number) => new Date(time).toUTCString();

/** A machine whose clock and uptime the test sets, and a database that outlives its gateways. */
function machine(saved: Partial<ClockState> = {}, trace: number | null = null) {
  const at = { time: NOW, uptime: 0, databaseTime: null as number | null };
  const state: ClockState = { accepted: null, confirmed: null, purgedAsOf: null, ...saved };
  const errors: string[] = [];
  const store: TrustedClockDeps["store"] = {
    databaseTime: async () => at.databaseTime,
    state: async () => ({ ...state }),
    save: async (values) => void Object.assign(state, values),
    lastTrace: async () => trace,
  };
  return {
    at,
    state,
    errors,
    /** Time that really passes while the gateway runs. */
    pass(ms: number) {
      at.time += ms;
      at.uptime += ms;
      if (at.databaseTime !== null) at.databaseTime += ms;
    },
    async start(own: Partial<TrustedClockDeps> = {}) {
      const clock = await openTrustedClock({
        store,
        clock: () => at.time,
        uptime: () => at.uptime,
        retentionMs: 90 * DAY,
        isServiceElsewhere: true,
        isSimulated: false,
        confirmedOn: null,
        log: { ...silentLog, error: (_, message) => void errors.push(message) },
        intervalMs: 1_000_000,
        ...own,
      });
      onTestFinished(() => clock[Symbol.asyncDispose]());
      return clock;
    },
  };
}

describe("B61: openTrustedClock()", () => {
  it("doubts a clock that starts 100 days ahead, keeps its time for new entries, and lets nothing expire", async () => {
    const { at, errors, start } = machine({ accepted: NOW });
    at.time = NOW + 100 * DAY;
    const clock = await start();
    expect(clock.doubt()).toBe("it is 100 days ahead of the time that this database last saw");
    expect(errors).toHaveLength(1);
    at.uptime += 5000;
    at.time += 5000;
    expect([clock.now(), clock.entryNow(), clock.cautiousNow()]).toEqual([at.time, at.time, NOW + 5000]);
    expect(await clock.check()).toBe(clock.doubt());
  });

  it("gives new entries the time that a clock that starts 100 days behind should have", async () => {
    const { at, start } = machine({ accepted: NOW });
    at.time = NOW - 100 * DAY;
    const clock = await start();
    expect(clock.doubt()).toBe("it is 100 days behind the time that this database last saw");
    at.uptime += 5000;
    expect([clock.now(), clock.entryNow(), clock.cautiousNow()]).toEqual([NOW + 5000, NOW + 5000, NOW + 5000]);
  });

  it("notices a clock that is set while the gateway runs before the next check", async () => {
    const { at, start } = machine({ accepted: NOW });
    const clock = await start();
    at.time = NOW - 100 * DAY;
    expect(clock.now()).toBe(NOW);
    at.time = NOW + 100 * DAY;
    expect(clock.cautiousNow()).toBe(NOW);
  });

  it.each([
    ["that was off for three weeks", 21 * DAY],
    ["on a laptop that slept over a weekend", 3 * DAY],
    ["whose clock was set back by an hour", -DAY / 24],
  ])("does not doubt the clock of a gateway %s", async (_, jump) => {
    const { at, state, start } = machine({ accepted: NOW });
    at.time = NOW + jump;
    const clock = await start();
    expect(clock.doubt()).toBeNull();
    expect(clock.now()).toBe(NOW + jump);
    expect(state.accepted).toBe(NOW + jump);
  });

  it("does not doubt a clock that went on for 60 days without an event", async () => {
    const { at, state, pass, start } = machine({ accepted: NOW });
    const clock = await start();
    for (let day = 0; day < 60; day += 1) {
      pass(DAY);
      expect(await clock.check()).toBeNull();
    }
    expect(state.accepted).toBe(at.time);
    expect((await start()).doubt()).toBeNull();
  });

  it("accepts a jump that the service's clock on another machine confirms, such as after a backup was restored", async () => {
    const { at, state, start } = machine({ accepted: NOW - 80 * DAY });
    const clock = await start();
    expect(clock.doubt()).not.toBeNull();
    clock.hear(HEADER(at.time + 60_000));
    await expect.poll(clock.doubt).toBeNull();
    expect(state.accepted).toBe(at.time);
  });

  it("does not take the word of a service on the same machine", async () => {
    const { at, start } = machine({ accepted: NOW });
    at.time = NOW + 100 * DAY;
    const clock = await start({ isServiceElsewhere: false });
    clock.hear(HEADER(at.time));
    expect(await clock.check()).not.toBeNull();
  });

  it.each([
    [100, "it is 100 days ahead of the service's clock"],
    [-100, "it is 100 days behind the service's clock"],
  ])("doubts a clock that is %i days off by the service's clock, also on a new database", async (days, text) => {
    const { at, start } = machine();
    at.time = NOW + days * DAY;
    const clock = await start();
    expect(clock.doubt()).toBeNull();
    clock.hear(HEADER(NOW));
    await expect.poll(clock.doubt).toBe(text);
    expect([clock.now(), clock.cautiousNow()]).toEqual([at.time, NOW]);
    expect(clock.entryNow()).toBe(Math.max(at.time, NOW));
  });

  it("ignores a Date header that is no date", async () => {
    const clock = await machine({ accepted: NOW }).start();
    clock.hear("yesterday");
    expect(await clock.check()).toBeNull();
  });

  it("accepts the clock on the day that an operator named, and then against the service's clock too", async () => {
    const { at, errors, pass, start } = machine({ accepted: NOW });
    at.time = NOW + 100 * DAY;
    const first = await start({ confirmedOn: NOW + 101 * DAY });
    expect(first.doubt()).toBeNull();
    await first[Symbol.asyncDispose]();
    pass(30 * DAY);
    at.time -= 10 * DAY;
    const later = await start({ confirmedOn: NOW + 101 * DAY });
    later.hear(HEADER(NOW));
    expect([await later.check(), errors]).toEqual([null, []]);
    // A further jump ends the confirmation.
    at.time += 100 * DAY;
    expect(await later.check()).toContain("ahead of the service's clock");
  });

  it("takes a sandbox's clock that runs faster than time as it is", async () => {
    const { at, start } = machine({ accepted: NOW });
    at.time = NOW + 100 * DAY;
    at.databaseTime = NOW;
    const clock = await start({ isSimulated: true });
    expect([clock.doubt(), clock.now(), clock.cautiousNow()]).toEqual([null, at.time, at.time]);
  });

  it("takes the trace of an earlier version for the time that it saw last", async () => {
    const { at, start } = machine({}, NOW);
    at.time = NOW + 100 * DAY;
    expect((await start()).doubt()).toContain("100 days ahead");
  });

  it("gives whole milliseconds, whatever the uptime is", async () => {
    const { at, start } = machine({ accepted: NOW });
    at.databaseTime = NOW;
    const clock = await start();
    at.uptime += 0.25;
    expect([clock.now(), clock.entryNow(), clock.cautiousNow()].every(Number.isInteger)).toBe(true);
    at.databaseTime -= 100 * DAY;
    await clock.check();
    expect(clock.doubt()).not.toBeNull();
    expect([clock.now(), clock.entryNow(), clock.cautiousNow()].every(Number.isInteger)).toBe(true);
  });

  it("trusts PostgreSQL's clock instead of the machine's", async () => {
    const { at, start } = machine({ accepted: NOW });
    at.time = NOW + 100 * DAY;
    at.databaseTime = NOW + 1000;
    const clock = await start();
    expect([clock.doubt(), clock.now(), clock.cautiousNow()]).toEqual([null, NOW + 1000, NOW + 1000]);
  });
});

describe.each(databases)("The clock store of %s", (name, { create }) => {
  it("keeps what was saved for the next gateway, and knows the last trace of an earlier version", async () => {
    const { url } = await create();
    const first = await open(url);
    expect(await first.clock.state()).toEqual({ accepted: null, confirmed: null, purgedAsOf: null });
    expect(await first.clock.lastTrace()).toBeNull();
    await first.clock.save({ accepted: NOW, confirmed: NOW });
    await first.clock.save({ confirmed: null, purgedAsOf: NOW - DAY });
    await appendRows(first.events, [eventRow({ sessionId: "s", receivedAt: instantOf(NOW + 900 * DAY) })]);
    await first[Symbol.asyncDispose]();
    const { clock } = await tempStore(url);
    expect(await clock.state()).toEqual({ accepted: NOW, confirmed: null, purgedAsOf: NOW - DAY });
    expect(await clock.lastTrace()).toBe(NOW + 900 * DAY);
    const time = await clock.databaseTime();
    if (name === "SQLite") expect(time).toBeNull();
    else expect(Math.abs(Number(time) - Date.now())).toBeLessThan(DAY);
  });
});
