import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { epochMsOf, instantOf } from "../../src/format/instant.ts";
import { parseClockTime } from "../../src/format/parseServiceTime.ts";

const two = (value: number) => String(value).padStart(2, "0");
const offset = fc
  .record({ sign: fc.constantFrom("+", "-"), hours: fc.nat(25), minutes: fc.nat(61) })
  .map(({ sign, hours, minutes }) => `${sign}${two(hours)}:${two(minutes)}`);

/** RFC 3339 by its form; not each of them is a time. */
const written = fc
  .record({
    year: fc.oneof(fc.integer({ min: 1900, max: 2100 }), fc.nat(9999)),
    month: fc.nat(13),
    day: fc.nat(32),
    hour: fc.nat(25),
    minute: fc.nat(61),
    second: fc.nat(59),
    between: fc.constantFrom("T", "t", " "),
    fraction: fc.oneof(fc.constant(""), fc.stringMatching(/^\.\d{1,12}$/)),
    zone: fc.oneof(fc.constantFrom("Z", "z"), offset),
  })
  .map(({ year, month, day, hour, minute, second, between, fraction, zone }) => {
    const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
    return `${date}${between}${two(hour)}:${two(minute)}:${two(second)}${fraction}${zone}`;
  });

function byTemporal(text: string): number | undefined {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}

describe("a time with an offset", () => {
  it("is read as Temporal reads it, and is none where that finds none", () => {
    let read = 0;
    fc.assert(
      fc.property(written, (text) => {
        // Its own digits; Temporal knows no more than nine.
        const known = text.replace(/(\.\d{9})\d+/, "$1");
        const expected = byTemporal(known);
        if (expected !== undefined) read += 1;
        expect(parseClockTime(text, "Asia/Shanghai")).toBe(expected);
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(500);
  });
});

describe("the milliseconds of an instant", () => {
  it("are those that it was made of", () => {
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
    "%j: as Date has it",
    (text) => {
      expect(epochMsOf(text)).toBe(Date.parse(text));
    },
  );
});
