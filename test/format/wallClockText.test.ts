import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { parseServiceTime } from "../../src/format/parseServiceTime.ts";
import { endOfDay, formatWallClock, startOfDay } from "../../src/format/wallClock.ts";

const SHANGHAI = "Asia/Shanghai";
const BERLIN = "Europe/Berlin";
const UNREAD = { unread: true };

const zones = fc.constantFrom("UTC", SHANGHAI, BERLIN, "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu");
const seconds = fc.integer({ min: 1_000_000_000, max: 4_000_000_000 });

function at(instant: string | null) {
  return { instant };
}

describe("a time is read in every form that the service may write", () => {
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
  ])("%j is %s", (value, instant) => {
    expect(parseServiceTime(value, SHANGHAI)).toEqual(at(instant));
  });

  it("whichever the instant and the zone", () => {
    fc.assert(
      fc.property(seconds, zones, (second, zone) => {
        const instant = instantOf(second * 1000);
        const local = Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toString({ timeZoneName: "never" });
        for (const value of [second, String(second), second * 1000, instant, local]) {
          expect(parseServiceTime(value, zone)).toEqual(at(instant));
        }
      }),
    );
  });
});

describe("never is null", () => {
  it.each([null, undefined, "", 0, "0"])("as %j", (value) => {
    expect(parseServiceTime(value, SHANGHAI)).toEqual(at(null));
  });

  it.each([
    "0001-01-01T00:00:00Z",
    "0001-01-01 00:00:00",
    "0001-01-01T00:00:00",
    "0001-01-01T08:05:43+08:05",
    "0000-12-31T19:03:58-04:56",
  ])("as Go's zero time %s", (value) => {
    expect(parseServiceTime(value, "America/New_York")).toEqual(at(null));
  });
});

describe("what is not clearly a time is unread, and never a guess", () => {
  it.each([
    "2026-02-30 00:00:00",
    "2026-02-30T00:00:00Z",
    "2026-13-01 00:00:00",
    "2026-11-20 24:00:00",
    "2026-11-20 09:30:60",
    "2026-11-20",
    "2026-11-20 09:30",
    "20/11/2026 09:30:00",
    "2026-11-20 09:30:00 +0800 CST",
    "0000-00-00 00:00:00",
    "yesterday",
    " ",
    20_261_120,
    20_261_120_093_000,
    "20261120",
    1_763_631_000_123_456,
    -1_763_631_000,
    Number.NaN,
    Infinity,
    true,
    {},
    [],
  ])("%j", (value) => {
    expect(parseServiceTime(value, SHANGHAI)).toEqual(UNREAD);
  });

  it("throws for no replacement of one character", () => {
    const forms = fc.constantFrom("2026-11-20 09:30:00", "2026-11-20T09:30:00Z", "2026-11-20 09:30:00.5+08:00");
    const character = fc.oneof(fc.constantFrom("x", " ", "-", "O", "٣", "\0"), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(forms, fc.nat(18), character, zones, (form, at, odd, zone) => {
        const text = form.slice(0, at) + odd + form.slice(at + 1);
        const reading = parseServiceTime(text, zone);
        if ("instant" in reading && reading.instant !== null)
          expect(text).toMatch(/^\d{4}-\d\d-\d\d[ Tt]\d\d:\d\d:\d\d/);
      }),
    );
    for (const text of ["20x6-11-20 09:30:00", "abcd-02-20T09:30:00Z"])
      expect(parseServiceTime(text, SHANGHAI)).toEqual(UNREAD);
  });

  it("throws for a zone that does not exist", () => {
    expect(() => parseServiceTime("2026-11-20 09:30:00", "Mars/Base")).toThrow(RangeError);
  });
});

describe("where the clocks change, a wall clock has one documented meaning", () => {
  it("past the gap in the hour that is skipped", () => {
    expect(parseServiceTime("2026-03-29 02:30:00", BERLIN)).toEqual(at("2026-03-29T01:30:00.000Z"));
  });

  it("the earlier one in the hour that is repeated", () => {
    expect(parseServiceTime("2026-10-25 02:30:00", BERLIN)).toEqual(at("2026-10-25T00:30:00.000Z"));
  });
});

describe("a wall clock is written in whole seconds of the service's zone", () => {
  it("with fractions cut", () => {
    expect(formatWallClock("2026-11-20T15:59:59.999Z", SHANGHAI)).toBe("2026-11-20 23:59:59");
    expect(formatWallClock("1969-12-31T23:59:59.999Z", "UTC")).toBe("1969-12-31 23:59:59");
  });

  it("so that two instants share one where clocks are set back, and none has one that clocks skip", () => {
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

  it("reads back as the same instant, or the earlier one in the repeated hour", () => {
    fc.assert(
      fc.property(seconds, zones, (second, zone) => {
        const written = formatWallClock(instantOf(second * 1000), zone);
        const reading = parseServiceTime(written, zone);
        const back = "instant" in reading && reading.instant ? Date.parse(reading.instant) / 1000 : Number.NaN;
        expect([second, second - 3600]).toContain(back);
        expect(formatWallClock(instantOf(back * 1000), zone)).toBe(written);
      }),
    );
  });
});

describe("a day is the zone's day, to its last second", () => {
  it.each([
    ["2026-11-19T15:59:59.999Z", SHANGHAI, "2026-11-18T16:00:00.000Z", "2026-11-19T15:59:59.000Z"],
    ["2026-11-19T16:00:00.000Z", SHANGHAI, "2026-11-19T16:00:00.000Z", "2026-11-20T15:59:59.000Z"],
    ["2026-03-29T12:00:00.000Z", BERLIN, "2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.000Z"],
    ["2026-10-25T12:00:00.000Z", BERLIN, "2026-10-24T22:00:00.000Z", "2026-10-25T22:59:59.000Z"],
    // Clocks that skip midnight: the day starts at 01:00.
    ["2018-11-04T12:00:00.000Z", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z", "2018-11-05T01:59:59.000Z"],
    // Clocks set back at midnight: 23:59:59 comes twice, and the day ends with the second.
    ["2018-02-17T12:00:00.000Z", "America/Sao_Paulo", "2018-02-17T02:00:00.000Z", "2018-02-18T02:59:59.000Z"],
    // The day before one that Samoa left out.
    ["2011-12-29T20:00:00.000Z", "Pacific/Apia", "2011-12-29T10:00:00.000Z", "2011-12-30T09:59:59.000Z"],
  ])("%s in %s is %s to %s", (instant, zone, start, end) => {
    expect(startOfDay(instant, zone)).toBe(start);
    expect(endOfDay(instant, zone)).toBe(end);
  });

  it("which holds each of its instants, and starts a second after the one before ended", () => {
    fc.assert(
      fc.property(seconds, zones, (second, zone) => {
        const [start, end] = [startOfDay(instantOf(second * 1000), zone), endOfDay(instantOf(second * 1000), zone)];
        expect(start <= instantOf(second * 1000) && instantOf(second * 1000) <= end).toBe(true);
        expect(startOfDay(instantOf(Date.parse(end) + 1000), zone)).toBe(instantOf(Date.parse(end) + 1000));
        expect(endOfDay(start, zone)).toBe(end);
      }),
    );
  });
});

describe("the zone of the gateway's own process plays no part", () => {
  const script = `
    const { parseServiceTime } = await import("./src/format/parseServiceTime.ts");
    const { endOfDay, formatWallClock, startOfDay } = await import("./src/format/wallClock.ts");
    const instant = "2026-11-19T16:30:00.000Z";
    const values = ["2026-11-20 00:30:00", "2026-11-20T00:30:00+08:00", 1763631000];
    console.log(JSON.stringify([
      new Date(2026, 0).toISOString(),
      ...values.map((value) => parseServiceTime(value, "Asia/Shanghai").instant),
      formatWallClock(instant, "Asia/Shanghai"), startOfDay(instant, "Asia/Shanghai"), endOfDay(instant, "Asia/Shanghai"),
    ]));`;

  async function underZone(TZ: string): Promise<string[]> {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, TZ },
    });
    return JSON.parse(stdout) as string[];
  }

  it("on either side of the date line", async () => {
    const [east, west] = await Promise.all([underZone("Pacific/Kiritimati"), underZone("America/Los_Angeles")]);
    // The first is a check of the test: the processes do live in different zones.
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

describe("a year has four digits on the wall clock", () => {
  it("what a zone pushes beyond them is the last or the first second that can be written", () => {
    expect(formatWallClock("9999-12-31T23:59:59.000Z", "Asia/Shanghai")).toBe("9999-12-31 23:59:59");
    expect(formatWallClock("0001-01-01T00:00:00.000Z", "America/New_York")).toBe("0001-01-01 00:00:00");
  });
});
