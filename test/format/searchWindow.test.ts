import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatWallClock } from "../../src/format/wallClock.ts";
import { searchWindow } from "../../src/format/searchWindow.ts";

const BERLIN = "Europe/Berlin";
/** 03:00 in summer becomes 02:00 in winter. */
const SET_BACK = Date.parse("2026-10-25T01:00:00.000Z");
const HOUR = 3_600_000;

const wallWindow = (from: number, to: number, zone: string) => {
  const { since, until } = searchWindow(from, to, zone);
  return [formatWallClock(since, zone), formatWallClock(until, zone)] as const;
};

describe("searchWindow", () => {
  it("adds a second at both ends of the range", () => {
    const at = Date.parse("2026-11-20T09:30:00.000Z");
    expect(wallWindow(at - HOUR, at, "Asia/Shanghai")).toEqual(["2026-11-20 16:29:59", "2026-11-20 17:30:01"]);
  });

  it("moves an end out of a repeated hour", () => {
    const inFirst = SET_BACK - HOUR / 2;
    const inSecond = SET_BACK + HOUR / 6;
    expect(wallWindow(inFirst, inSecond, BERLIN)).toEqual(["2026-10-25 01:59:59", "2026-10-25 03:00:00"]);
    expect(wallWindow(inSecond, inSecond + 2 * HOUR, BERLIN)).toEqual(["2026-10-25 01:59:59", "2026-10-25 04:10:01"]);
  });

  it("encloses the range for either meaning of a wall clock, in any night with a change", () => {
    const minutes = fc.integer({ min: -300, max: 300 });
    const minutesLong = fc.integer({ min: 0, max: 200 });
    const zones = fc.constantFrom(
      [BERLIN, SET_BACK] as const,
      ["Australia/Lord_Howe", Date.parse("2026-04-04T15:00:00.000Z")] as const,
    );
    fc.assert(
      fc.property(zones, minutes, minutesLong, ([zone, change], start, length) => {
        const from = change + start * 60_000;
        const to = from + length * 60_000;
        const window = wallWindow(from, to, zone);
        for (const end of [from, to]) {
          for (const disambiguation of ["earlier", "later"] as const) {
            const [since, until] = window.map(
              (text) => Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
            ) as [number, number];
            expect(since).toBeLessThan(end);
            expect(until).toBeGreaterThan(end);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
