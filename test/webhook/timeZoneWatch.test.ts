import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { createTimeZoneWatch } from "../../src/webhook/timeZoneWatch.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.parse("2026-11-20T04:00:00.000Z");

function watch() {
  const lines: unknown[] = [];
  const log = { error: (...line: unknown[]) => lines.push(line), info: (...line: unknown[]) => lines.push(line) };
  const { observe, aheadMs } = createTimeZoneWatch({ timeZone: "UTC", log });
  let at = NOON;
  /** A call that ended `behind` milliseconds before its webhook came, as the gateway reads its end. */
  function hear(behind: number): void {
    at += MINUTE;
    observe(at, instantOf(at - behind));
  }
  return { hear, observe, aheadMs, lines };
}

/** From the end of a call to its webhook. */
const delays = fc.array(fc.integer({ min: -20_000, max: 2 * MINUTE }), { minLength: 10, maxLength: 10 });
/** The differences of the configured zone from the right one. */
const differences = fc.constantFrom(-13, -9.5, -7, -1, 0.5, 1, 5.75, 7, 8, 14).map((hours) => hours * HOUR);

describe("the watch of the time zone", () => {
  it("finds a wrong zone in the first ten webhooks, and by how much times are off", () => {
    fc.assert(
      fc.property(delays, differences, (all, ahead) => {
        const { hear, aheadMs, lines } = watch();
        for (const delay of all) hear(delay - ahead);
        expect(aheadMs()).toBe(ahead);
        expect(lines).toHaveLength(1);
      }),
    );
  });

  it("says nothing while the zone is right, however late webhooks come", () => {
    const late = fc.array(fc.integer({ min: -20_000, max: 40 * HOUR }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(delays, late, (usual, repeated) => {
        const { hear, aheadMs, lines } = watch();
        for (const delay of usual) hear(delay);
        expect([aheadMs(), lines]).toEqual([0, []]);
        // Spread widely, so that no eight of ten are late by the same hours.
        for (const [at, delay] of repeated.entries()) hear(delay + at * 17 * MINUTE);
        expect(aheadMs()).toBe(0);
      }),
    );
  });

  it("does not blame the zone for the webhooks of an outage that are repeated at once", () => {
    const { observe, aheadMs, lines } = watch();
    // Calls that ended every quarter of a minute, two hours ago: ten of them are late by the same quarter of an hour.
    for (let calls = 0; calls < 100; calls += 1) observe(NOON + calls, instantOf(NOON - 2 * HOUR + calls * 15_000));
    expect([aheadMs(), lines]).toEqual([0, []]);
  });

  it("finds ends that are ahead of their webhooks although these come in batches", () => {
    const { observe, aheadMs, lines } = watch();
    for (let calls = 0; calls < 10; calls += 1) observe(NOON + calls, instantOf(NOON + 7 * HOUR - calls * 12_000));
    expect([aheadMs(), lines.length]).toEqual([7 * HOUR, 1]);
  });

  it("does not blame the zone for calls that end outside of every zone, or show no end", () => {
    const { hear, observe, aheadMs } = watch();
    for (let calls = 0; calls < 12; calls += 1) hear(30 * 24 * HOUR);
    for (let calls = 0; calls < 12; calls += 1) observe(NOON, null);
    expect(aheadMs()).toBe(0);
  });

  it("ends when newer webhooks fit again, and says so", () => {
    const { hear, aheadMs, lines } = watch();
    for (let calls = 0; calls < 10; calls += 1) hear(1000 - 7 * HOUR);
    // Eight of the last ten decide.
    for (let calls = 0; calls < 2; calls += 1) hear(1000);
    expect(aheadMs()).toBe(7 * HOUR);
    hear(1000);
    expect(aheadMs()).toBe(0);
    expect(lines).toHaveLength(2);
  });
});
