import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { parseServiceTime } from "../../src/format/parseServiceTime.ts";
import { endOfDay, formatWallClock, instantOfWallClock, startOfDay, wallClockOf } from "../../src/format/wallClock.ts";

const SHANGHAI = "Asia/Shanghai";
const BERLIN = "Europe/Berlin";

const zones = fc.constantFrom("UTC", "Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe");
const oddZones = fc.constantFrom("Pacific/Apia", "America/Sao_Paulo", "Africa/Casablanca", "Asia/Kathmandu");
const seconds = fc.integer({ min: Date.UTC(1890, 0, 1) / 1000, max: Date.UTC(2090, 0, 1) / 1000 });
const commonZones = fc.constantFrom("UTC", SHANGHAI, BERLIN, "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu");
const recentSeconds = fc.integer({ min: 1_300_000_000, max: Date.UTC(2038, 0, 17) / 1000 });

function byTemporal(wallMs: number, zone: string): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO("UTC").toPlainDateTime();
  return wall.toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds;
}

/** Whether the wall clock names two instants, or none. */
function isAmbiguous(wallMs: number, zone: string): boolean {
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO("UTC").toPlainDateTime();
  const [earlier, later] = (["earlier", "later"] as const).map(
    (disambiguation) => wall.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
  );
  return earlier !== later;
}

describe("instantOfWallClock", () => {
  it("agrees with Temporal at any time of two centuries", () => {
    fc.assert(
      fc.property(fc.oneof(zones, oddZones), fc.array(seconds, { minLength: 1, maxLength: 20 }), (zone, times) => {
        for (const second of times) {
          expect(instantOfWallClock(second * 1000, zone, () => undefined)).toBe(byTemporal(second * 1000, zone));
        }
      }),
    );
  });

  it("agrees with Temporal around each change of the clocks", () => {
    const offsets = fc.array(fc.integer({ min: -93_600, max: 93_600 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.oneof(zones, oddZones), seconds, offsets, (zone, second, away) => {
        const from = Temporal.Instant.fromEpochMilliseconds(second * 1000).toZonedDateTimeISO(zone);
        const change = from.getTimeZoneTransition("next") ?? from;
        for (const seconds of away) {
          const wallMs = Math.floor(change.epochMilliseconds / 1000) * 1000 + seconds * 1000;
          let chosen = 0;
          expect(instantOfWallClock(wallMs, zone, () => (chosen += 1))).toBe(byTemporal(wallMs, zone));
          expect(chosen).toBe(isAmbiguous(wallMs, zone) ? 1 : 0);
        }
      }),
    );
  });
});

describe("wallClockOf", () => {
  it("agrees with Temporal for any sequence of instants", () => {
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

  it("agrees with Temporal around each change of the clocks", () => {
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

describe("formatWallClock", () => {
  it("truncates fractions of a second", () => {
    expect(formatWallClock("2026-11-20T15:59:59.999Z", SHANGHAI)).toBe("2026-11-20 23:59:59");
    expect(formatWallClock("1969-12-31T23:59:59.999Z", "UTC")).toBe("1969-12-31 23:59:59");
  });

  it("writes two instants alike in a repeated hour, and none in a skipped hour", () => {
    const written = (instant: string) => formatWallClock(instant, BERLIN);
    expect(["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"].map(written)).toEqual([
      "2026-10-25 02:30:00",
      "2026-10-25 02:30:00",
    ]);
    expect(["2026-03-29T00:59:59.000Z", "2026-03-29T01:00:00.000Z"].map(written)).toEqual([
      "2026-03-29 01:59:59",
      "2026-03-29 03:00:00",
    ]);
  });

  it("is read back as the same instant, or the earlier one in a repeated hour", () => {
    fc.assert(
      fc.property(recentSeconds, commonZones, (second, zone) => {
        const written = formatWallClock(instantOf(second * 1000), zone);
        const reading = parseServiceTime(written, zone);
        const back = reading ? Date.parse(reading) / 1000 : Number.NaN;
        expect([second, second - 3600]).toContain(back);
        expect(formatWallClock(instantOf(back * 1000), zone)).toBe(written);
      }),
    );
  });
});

describe("startOfDay and endOfDay", () => {
  it.each([
    ["2026-11-19T15:59:59.999Z", SHANGHAI, "2026-11-18T16:00:00.000Z", "2026-11-19T15:59:59.000Z"],
    ["2026-11-19T16:00:00.000Z", SHANGHAI, "2026-11-19T16:00:00.000Z", "2026-11-20T15:59:59.000Z"],
    ["2026-03-29T12:00:00.000Z", BERLIN, "2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.000Z"],
    ["2026-10-25T12:00:00.000Z", BERLIN, "2026-10-24T22:00:00.000Z", "2026-10-25T22:59:59.000Z"],
    // Clocks that skip midnight: the day starts at 01:00.
    ["2018-11-04T12:00:00.000Z", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z", "2018-11-05T01:59:59.000Z"],
    // Clocks set back at midnight: 23:59:59 comes twice, and the day ends with the second.
    ["2018-02-17T12:00:00.000Z", "America/Sao_Paulo", "2018-02-17T02:00:00.000Z", "2018-02-18T02:59:59.000Z"],
    // Samoa skipped the next day.
    ["2011-12-29T20:00:00.000Z", "Pacific/Apia", "2011-12-29T10:00:00.000Z", "2011-12-30T09:59:59.000Z"],
  ])("of %s in %s are %s and %s", (instant, zone, start, end) => {
    expect(startOfDay(instant, zone)).toBe(start);
    expect(endOfDay(instant, zone)).toBe(end);
  });

  it("enclose each instant of the day, and leave no second between two days", () => {
    fc.assert(
      fc.property(recentSeconds, commonZones, (second, zone) => {
        const [start, end] = [startOfDay(instantOf(second * 1000), zone), endOfDay(instantOf(second * 1000), zone)];
        expect(start <= instantOf(second * 1000) && instantOf(second * 1000) <= end).toBe(true);
        expect(startOfDay(instantOf(Date.parse(end) + 1000), zone)).toBe(instantOf(Date.parse(end) + 1000));
        expect(endOfDay(start, zone)).toBe(end);
      }),
    );
  });
});

describe("formatWallClock beyond years of four digits", () => {
  it("writes the first or last second that has four digits", () => {
    expect(formatWallClock("9999-12-31T23:59:59.000Z", "Asia/Shanghai")).toBe("9999-12-31 23:59:59");
    expect(formatWallClock("0001-01-01T00:00:00.000Z", "America/New_York")).toBe("0001-01-01 00:00:00");
  });
});
