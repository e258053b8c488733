import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { instantOfWallClock, wallClockOf } from "../../src/format/wallClock.ts";

const zones = fc.constantFrom("UTC", "Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe");
const oddZones = fc.constantFrom("Pacific/Apia", "America/Sao_Paulo", "Africa/Casablanca", "Asia/Kathmandu");
const seconds = fc.integer({ min: Date.UTC(1890, 0, 1) / 1000, max: Date.UTC(2090, 0, 1) / 1000 });

function byTemporal(wallMs: number, zone: string): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO("UTC").toPlainDateTime();
  return wall.toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds;
}

/** It names two instants, or none. */
function isDoubtful(wallMs: number, zone: string): boolean {
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO("UTC").toPlainDateTime();
  const [earlier, later] = (["earlier", "later"] as const).map(
    (disambiguation) => wall.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
  );
  return earlier !== later;
}

describe("a wall clock means what Temporal says, whatever was asked before", () => {
  it("at any time of two centuries", () => {
    fc.assert(
      fc.property(fc.oneof(zones, oddZones), fc.array(seconds, { minLength: 1, maxLength: 20 }), (zone, times) => {
        for (const second of times) {
          expect(instantOfWallClock(second * 1000, zone, () => undefined)).toBe(byTemporal(second * 1000, zone));
        }
      }),
    );
  });

  it("within hours of a change of the clocks", () => {
    const offsets = fc.array(fc.integer({ min: -93_600, max: 93_600 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.oneof(zones, oddZones), seconds, offsets, (zone, second, away) => {
        const from = Temporal.Instant.fromEpochMilliseconds(second * 1000).toZonedDateTimeISO(zone);
        const change = from.getTimeZoneTransition("next") ?? from;
        for (const seconds of away) {
          const wallMs = Math.floor(change.epochMilliseconds / 1000) * 1000 + seconds * 1000;
          let chosen = 0;
          expect(instantOfWallClock(wallMs, zone, () => (chosen += 1))).toBe(byTemporal(wallMs, zone));
          expect(chosen).toBe(isDoubtful(wallMs, zone) ? 1 : 0);
        }
      }),
    );
  });
});

describe("what a wall clock shows at an instant is what Temporal says", () => {
  it("whatever was asked before", () => {
    fc.assert(
      fc.property(fc.oneof(zones, oddZones), fc.array(seconds, { minLength: 1, maxLength: 20 }), (zone, times) => {
        for (const second of times) {
          const zoned = Temporal.Instant.fromEpochMilliseconds(second * 1000).toZonedDateTimeISO(zone);
          const shown = wallClockOf(second * 1000, zone);
          expect(shown).toBe(zoned.toPlainDateTime().toZonedDateTime("UTC").epochMilliseconds);
        }
      }),
    );
  });

  it("within hours of a change of the clocks", () => {
    const away = fc.integer({ min: -93_600, max: 93_600 });
    fc.assert(
      fc.property(fc.oneof(zones, oddZones), seconds, fc.array(away, { minLength: 1 }), (zone, second, offsets) => {
        const from = Temporal.Instant.fromEpochMilliseconds(second * 1000).toZonedDateTimeISO(zone);
        const change = from.getTimeZoneTransition("next") ?? from;
        for (const seconds of offsets) {
          const epochMs = Math.floor(change.epochMilliseconds / 1000) * 1000 + seconds * 1000;
          const zoned = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone);
          const shown = wallClockOf(epochMs, zone);
          expect(shown).toBe(zoned.toPlainDateTime().toZonedDateTime("UTC").epochMilliseconds);
        }
      }),
    );
  });
});

describe("an instant is written as Date writes it", () => {
  it("in every year of four digits", () => {
    const times = fc.integer({ min: Date.parse("0000-01-01T00:00:00Z"), max: Date.UTC(10_000, 0, 1) });
    fc.assert(
      fc.property(times, (ms) => {
        expect(instantOf(ms)).toBe(new Date(ms).toISOString());
      }),
    );
  });

  it.each([0, -1, Date.UTC(2000, 1, 29), Date.UTC(1900, 1, 28, 23, 59, 59, 999), Date.UTC(9999, 11, 31, 23), 8.64e15])(
    "at %d",
    (ms) => expect(instantOf(ms)).toBe(new Date(ms).toISOString()),
  );

  it("reads no time from other texts", () => {
    expect(() => instantOf(Number.NaN)).toThrow(RangeError);
  });
});
