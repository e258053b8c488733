import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { parseClockTime, parseServiceTime } from "../../src/format/parseServiceTime.ts";
import { times } from "../corpus/times.ts";

const SHANGHAI = "Asia/Shanghai";
const BERLIN = "Europe/Berlin";
const UNREAD = undefined;

const zones = fc.constantFrom("UTC", SHANGHAI, BERLIN, "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu");
const seconds = fc.integer({ min: 1_300_000_000, max: Date.UTC(2038, 0, 18) / 1000 - 1 });

describe("parseServiceTime() of what languages and databases print", () => {
  /** https://github.com/cloudflare/origin-ca-issuer/pull/13, https://github.com/spf13/cast/issues/118 and others */
  it.each([
    "2026-11-20 09:30:00 +0800 CST",
    "2026-11-20 09:30:00.123456789 +0800 CST m=+3759.281638293",
    "2026-11-20 07:00:00 +0530 +0530",
    "2026-11-20 01:30:00 +0000 UTC",
    "2026-11-20 09:30:00 +0800",
    "2026-11-20 01:30:00 UTC",
    "2026-11-20 09:30:00+08",
    "2026-11-19 20:30:00.5-05",
  ])("reads %s as an instant, whatever the zone", (text) => {
    for (const zone of ["Europe/Berlin", "Asia/Shanghai"])
      expect(parseServiceTime(text, zone)).toMatch(/^2026-11-20T01:30:00\.\d{3}Z$/);
  });

  it.each([
    "2026-11-20 09:30:00 CST",
    "2026-11-20 09:30:00 +8",
    "2026-11-20 09:30:00 +2500",
    "2026-11-20 09:30:00 UTC+8",
  ])("does not guess what %s means", (text) => expect(parseServiceTime(text, "Europe/Berlin")).toBeUndefined());
});

describe("parseServiceTime", () => {
  it.each([
    ["2026-11-20T09:30:00Z", "2026-11-20T09:30:00.000Z"],
    ["2026-11-20t09:30:00z", "2026-11-20T09:30:00.000Z"],
    ["2026-11-20T09:30:00.5Z", "2026-11-20T09:30:00.500Z"],
    ["2026-11-20T09:30:00.123456789012Z", "2026-11-20T09:30:00.123Z"],
    ["2026-11-20T09:30:00+08:00", "2026-11-20T01:30:00.000Z"],
    ["2026-11-20 09:30:00-0330", "2026-11-20T13:00:00.000Z"],
    ["2026-11-20 09:30:00", "2026-11-20T01:30:00.000Z"],
    ["2026-11-20T09:30:00", "2026-11-20T01:30:00.000Z"],
    ["2026-11-20 09:30:00.1239", "2026-11-20T01:30:00.123Z"],
    [1_763_631_000, "2025-11-20T09:30:00.000Z"],
    ["1763631000", "2025-11-20T09:30:00.000Z"],
    [1_763_631_000.25, "2025-11-20T09:30:00.250Z"],
    [1_763_631_000_123, "2025-11-20T09:30:00.123Z"],
    ["1763631000123", "2025-11-20T09:30:00.123Z"],
  ])("reads %j as %s", (value, instant) => {
    expect(parseServiceTime(value, SHANGHAI)).toBe(instant);
  });

  it("reads any instant in any form and zone", () => {
    fc.assert(
      fc.property(seconds, zones, (second, zone) => {
        const instant = instantOf(second * 1000);
        const local = Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toString({ timeZoneName: "never" });
        for (const value of [second, String(second), second * 1000, instant, local]) {
          expect(parseServiceTime(value, zone)).toBe(instant);
        }
      }),
    );
  });

  it.each([null, undefined, "", 0, "0"])("reads %j as null", (value) => {
    expect(parseServiceTime(value, SHANGHAI)).toBe(null);
  });

  it.each([
    "0001-01-01T00:00:00Z",
    "0001-01-01 00:00:00",
    "0001-01-01T00:00:00",
    "0001-01-01T08:05:43+08:05",
    "0000-12-31T19:03:58-04:56",
  ])("reads Go's zero time %s as null", (value) => {
    expect(parseServiceTime(value, "America/New_York")).toBe(null);
  });

  it.each(times)("reads $value of other programs as $reads", ({ value, zone = "Europe/Berlin", reads }) => {
    const result = parseServiceTime(value, zone);
    expect(result === null ? "never" : (result ?? "unread")).toBe(reads);
  });

  it("reads no time before the year 2010, whatever its form, zone or distance from a calendar's first day", () => {
    const old = fc.integer({ min: Date.parse("0001-01-02T00:00:00Z") / 1000, max: Date.UTC(2009, 11, 30) / 1000 });
    fc.assert(
      fc.property(old, zones, (second, zone) => {
        const instant = instantOf(second * 1000);
        const local = Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toString({ timeZoneName: "never" });
        for (const value of [instant, local, instant.slice(0, 19), instant.slice(0, 10), second, String(second)])
          expect(parseServiceTime(value, zone) ?? "none").toBe("none");
      }),
    );
  });

  it("reads no time from 2038-01-18 on, whatever its form or zone", () => {
    const late = fc.integer({ min: Date.UTC(2038, 0, 19) / 1000, max: Date.UTC(9999, 11, 30) / 1000 });
    fc.assert(
      fc.property(late, zones, (second, zone) => {
        const instant = instantOf(second * 1000);
        const local = Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toString({ timeZoneName: "never" });
        for (const value of [instant, local, instant.slice(0, 19), second, second * 1000, String(second)])
          expect(parseServiceTime(value, zone) ?? "none").toBe("none");
      }),
    );
  });

  it.each([
    "2026-02-30 00:00:00",
    "2026-02-30T00:00:00Z",
    "2026-13-01 00:00:00",
    "2026-11-20 24:00:00",
    "2026-11-20 09:30:60",
    "2026-11-20",
    "2026-11-20 09:30",
    "20/11/2026 09:30:00",
    "yesterday",
    "false",
    20_261_120,
    20_261_120_093_000,
    "20261120",
    1_763_631_000_123_456,
    28_801,
    Number.NaN,
    Infinity,
    true,
    {},
    [],
  ])("does not guess a time from %j", (value) => {
    expect(parseServiceTime(value, SHANGHAI)).toBe(UNREAD);
  });

  it("throws for no text with one odd character", () => {
    const forms = fc.constantFrom("2026-11-20 09:30:00", "2026-11-20T09:30:00Z", "2026-11-20 09:30:00.5+08:00");
    const character = fc.oneof(fc.constantFrom("x", " ", "-", "O", "٣", "\0"), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(forms, fc.nat(18), character, zones, (form, at, odd, zone) => {
        const text = form.slice(0, at) + odd + form.slice(at + 1);
        const reading = parseServiceTime(text, zone);
        if (typeof reading === "string") expect(text).toMatch(/^\d{4}-\d\d-\d\d[ Tt]\d\d:\d\d:\d\d/);
      }),
    );
    for (const text of ["20x6-11-20 09:30:00", "abcd-02-20T09:30:00Z"])
      expect(parseServiceTime(text, SHANGHAI)).toBe(UNREAD);
  });

  it("throws for a zone that does not exist", () => {
    expect(() => parseServiceTime("2026-11-20 09:30:00", "Mars/Base")).toThrow(RangeError);
  });

  it("reads a wall clock in a skipped hour as an hour later", () => {
    expect(parseServiceTime("2026-03-29 02:30:00", BERLIN)).toBe("2026-03-29T01:30:00.000Z");
  });

  it("reads a wall clock in a repeated hour as the earlier instant", () => {
    expect(parseServiceTime("2026-10-25 02:30:00", BERLIN)).toBe("2026-10-25T00:30:00.000Z");
  });
});

const two = (value: number) => String(value).padStart(2, "0");
const offset = fc
  .record({ sign: fc.constantFrom("+", "-"), hours: fc.nat(25), minutes: fc.nat(61) })
  .map(({ sign, hours, minutes }) => `${sign}${two(hours)}:${two(minutes)}`);

/** Texts in the form of RFC 3339. Not all of them are valid times. */
const dateTimes = fc
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

describe("parseClockTime", () => {
  it("agrees with Temporal about any time with an offset", () => {
    let valid = 0;
    fc.assert(
      fc.property(dateTimes, (text) => {
        // Temporal accepts at most nine digits of a fraction.
        const short = text.replace(/(\.\d{9})\d+/, "$1");
        const expected = byTemporal(short);
        if (expected !== undefined) valid += 1;
        expect(parseClockTime(text, "Asia/Shanghai")).toBe(expected);
      }),
      { numRuns: 3000 },
    );
    expect(valid).toBeGreaterThan(500);
  });
});

describe("The time zone of the gateway's process", () => {
  const script = `
    const { parseServiceTime } = await import("./src/format/parseServiceTime.ts");
    const { endOfDay, formatWallClock, startOfDay } = await import("./src/format/wallClock.ts");
    const instant = "2026-11-19T16:30:00.000Z";
    const values = ["2026-11-20 00:30:00", "2026-11-20T00:30:00+08:00", 1763631000];
    console.log(JSON.stringify([
      new Date(2026, 0).toISOString(),
      ...values.map((value) => parseServiceTime(value, "Asia/Shanghai")),
      formatWallClock(instant, "Asia/Shanghai"), startOfDay(instant, "Asia/Shanghai"), endOfDay(instant, "Asia/Shanghai"),
    ]));`;

  async function underZone(TZ: string): Promise<string[]> {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, TZ },
    });
    return JSON.parse(stdout) as string[];
  }

  it("changes no result, east or west of the date line", async () => {
    const [east, west] = await Promise.all([underZone("Pacific/Kiritimati"), underZone("America/Los_Angeles")]);
    // The first value shows that the processes have different zones.
    expect(east?.[0]).not.toBe(west?.[0]);
    expect(east?.slice(1)).toEqual(west?.slice(1));
    expect(east?.slice(1)).toEqual([
      "2026-11-19T16:30:00.000Z",
      "2026-11-19T16:30:00.000Z",
      "2025-11-20T09:30:00.000Z",
      "2026-11-20 00:30:00",
      "2026-11-19T16:00:00.000Z",
      "2026-11-20T15:59:59.000Z",
    ]);
  });
});
