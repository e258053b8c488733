import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dateOfDays, daysOfDate } from "../../src/format/instant.ts";

const DAY_MS = 86_400_000;

describe("days and dates", () => {
  it("are Date's, and lead back to each other", () => {
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
