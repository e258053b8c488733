import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dateOfDays, daysOfDate, epochMsOf, instantOf } from "../../src/format/instant.ts";

const DAY_MS = 86_400_000;

describe("dateOfDays and daysOfDate", () => {
  it("agree with Date and invert each other", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 3_000_000 }), (days) => {
        const date = new Date(days * DAY_MS);
        const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
        expect(dateOfDays(days)).toEqual(civil);
        expect(daysOfDate(civil)).toBe(days);
      }),
    );
  });
});

describe("epochMsOf", () => {
  it("inverts instantOf", () => {
    const ms = fc.integer({ min: Date.UTC(-1, 0), max: Date.UTC(12_000, 0) });
    fc.assert(
      fc.property(ms, (epochMs) => {
        const instant = instantOf(epochMs);
        expect(epochMsOf(instant)).toBe(epochMs);
        expect(epochMsOf(instant)).toBe(Date.parse(instant));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(["", "none", "2026-02-30T00:00:00.000Z", "2026-11-20 09:30:00.000Z", "2026-11-20T09:30:00.xyzZ"])(
    "agrees with Date.parse for %j",
    (text) => {
      expect(epochMsOf(text)).toBe(Date.parse(text));
    },
  );
});

describe("instantOf", () => {
  it("agrees with Date in every year of four digits", () => {
    const times = fc.integer({ min: Date.parse("0000-01-01T00:00:00Z"), max: Date.UTC(10_000, 0, 1) });
    fc.assert(
      fc.property(times, (ms) => {
        expect(instantOf(ms)).toBe(new Date(ms).toISOString());
      }),
    );
  });

  it.each([0, -1, Date.UTC(2000, 1, 29), Date.UTC(1900, 1, 28, 23, 59, 59, 999), Date.UTC(9999, 11, 31, 23), 8.64e15])(
    "agrees with Date at %d",
    (ms) => expect(instantOf(ms)).toBe(new Date(ms).toISOString()),
  );

  it("throws RangeError for NaN", () => {
    expect(() => instantOf(Number.NaN)).toThrow(RangeError);
  });
});
