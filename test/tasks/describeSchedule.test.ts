// When a task calls, as its option says it.
import { describe, expect, it } from "vitest";
import type { TaskDays } from "../../src/config/variables.ts";
import { countByCountry } from "../../src/tasks/check/countByCountry.ts";
import { createDescribeSchedule } from "../../src/tasks/check/describeSchedule.ts";
import { createTimeSlices } from "../../src/util/timeSlices.ts";

const DAY = [
  ["09:00", "12:00"],
  ["14:00", "18:00"],
];

/** `now`: a time of day in Shanghai on 20 November 2026, or a whole time. */
function described(
  now: string,
  own: { periods?: string[][]; startDate?: string; days?: TaskDays; zone?: string } = {},
) {
  const { periods = DAY, startDate = "2026-11-20", days = null, zone = "Asia/Shanghai" } = own;
  const clock = () => Date.parse(now.includes("T") ? now : `2026-11-20T${now}:00+08:00`);
  return createDescribeSchedule({ timeZone: zone, days, clock })({ startDate, periods });
}
const beginAt = (...parts: Parameters<typeof described>) => {
  const { begin, startsAt } = described(...parts);
  return [begin, startsAt];
};

describe("The schedule of a task", () => {
  it("has its periods as instants by the service's clock", () => {
    expect(described("08:00")).toEqual({
      timeZone: "Asia/Shanghai",
      startDate: "2026-11-20",
      days: null,
      periods: [
        { from: "09:00", to: "12:00", startsAt: "2026-11-20T01:00:00.000Z", endsAt: "2026-11-20T04:00:00.000Z" },
        { from: "14:00", to: "18:00", startsAt: "2026-11-20T06:00:00.000Z", endsAt: "2026-11-20T10:00:00.000Z" },
      ],
      begin: "later",
      startsAt: "2026-11-20T01:00:00.000Z",
    });
  });

  it("begins at once within a period, later before one, and is over after the last", () => {
    expect(beginAt("08:59")).toEqual(["later", "2026-11-20T01:00:00.000Z"]);
    expect(beginAt("09:00")).toEqual(["atOnce", null]);
    expect(beginAt("11:59")).toEqual(["atOnce", null]);
    expect(beginAt("12:00")).toEqual(["later", "2026-11-20T06:00:00.000Z"]);
    expect(beginAt("18:00")).toEqual(["over", null]);
  });

  it("is over where it calls on its start date only, and goes on the next day where it calls daily", () => {
    expect(beginAt("18:00", { days: "first" })).toEqual(["over", null]);
    expect(beginAt("18:00", { days: "daily" })).toEqual(["later", "2026-11-21T01:00:00.000Z"]);
    expect(beginAt("15:00", { days: "daily", startDate: "2026-10-01" })).toEqual(["atOnce", null]);
    expect(beginAt("15:00", { days: "first", startDate: "2026-10-01" })).toEqual(["over", null]);
    expect(beginAt("15:00", { days: "daily", startDate: "2026-12-01" })).toEqual(["later", "2026-12-01T01:00:00.000Z"]);
  });

  it("has the instants of the next day of calls where it calls daily, and of the start date elsewhere", () => {
    const days = (now: string, own: object) =>
      described(now, { startDate: "2026-10-01", ...own }).periods.map(({ startsAt }) => startsAt?.slice(0, 10));
    expect(days("15:00", { days: "daily" })).toEqual(["2026-11-20", "2026-11-20"]);
    expect(days("18:00", { days: "daily" })).toEqual(["2026-11-21", "2026-11-21"]);
    expect(days("18:00", { days: "daily", startDate: "2026-12-01" })).toEqual(["2026-12-01", "2026-12-01"]);
    expect([days("18:00", { days: "first" }), days("18:00", {})]).toEqual([
      ["2026-10-01", "2026-10-01"],
      ["2026-10-01", "2026-10-01"],
    ]);
  });

  it("does not know whether a period of the night before goes on, until it must be over", () => {
    const own = { days: "daily", periods: [["22:00", "02:00"]], startDate: "2026-11-18" } as const;
    const night = { ...own, periods: own.periods.map((times) => [...times]) };
    expect(beginAt("01:00", night)).toEqual([null, null]);
    expect(beginAt("02:00", night)).toEqual(["later", "2026-11-20T14:00:00.000Z"]);
    expect(beginAt("23:00", night)).toEqual([null, null]);
    // It has not called before its first night.
    expect(beginAt("01:00", { ...night, startDate: "2026-11-20" })).toEqual(["later", "2026-11-20T14:00:00.000Z"]);
  });

  it("says nothing of a text that is not read, or of a period that does not end after it begins", () => {
    const odd = described("15:00", { periods: [["afternoon", "evening"], ["22:00", "02:00"], ["09:00"]] });
    expect(odd.periods).toEqual([
      { from: null, to: null, startsAt: null, endsAt: null },
      { from: "22:00", to: "02:00", startsAt: "2026-11-20T14:00:00.000Z", endsAt: null },
      { from: null, to: null, startsAt: null, endsAt: null },
    ]);
    expect(odd.begin).toBeNull();
    // A period that is read is now, whatever the other one means.
    expect(
      beginAt("15:00", {
        periods: [
          ["14:00", "16:00"],
          ["x", "y"],
        ],
      }),
    ).toEqual(["atOnce", null]);
    expect(
      beginAt("15:00", {
        periods: [
          ["16:00", "17:00"],
          ["x", "y"],
        ],
      }),
    ).toEqual([null, null]);
    const unread = described("15:00", { startDate: "tomorrow" });
    expect([unread.startDate, unread.begin, unread.periods[0]]).toEqual([
      null,
      null,
      { from: "09:00", to: "12:00", startsAt: null, endsAt: null },
    ]);
  });

  it("follows the clock of the zone over its changes", () => {
    // Clocks are set forward at 2:00 on this day in Berlin.
    const { periods } = described("2027-03-28T00:00:00Z", {
      zone: "Europe/Berlin",
      startDate: "2027-03-28",
      periods: [["01:00", "04:00"]],
    });
    expect(periods).toMatchObject([{ startsAt: "2027-03-28T00:00:00.000Z", endsAt: "2027-03-28T02:00:00.000Z" }]);
    // No clock shows 2:30 on this day: the first later time is 3:00.
    const inGap = described("2027-03-28T00:00:00Z", {
      zone: "Europe/Berlin",
      startDate: "2027-03-28",
      periods: [
        ["02:30", "03:10"],
        ["01:00", "02:30"],
      ],
    });
    expect(inGap.periods).toMatchObject([
      { startsAt: "2027-03-28T01:00:00.000Z", endsAt: "2027-03-28T01:10:00.000Z" },
      { startsAt: "2027-03-28T00:00:00.000Z", endsAt: "2027-03-28T01:00:00.000Z" },
    ]);
  });
});

describe("The people of a task by country", () => {
  const slices = createTimeSlices();
  const counted = (...numbers: string[]) => slices.run("web", countByCountry(numbers.map((number) => ({ number }))));

  it("are counted by the country code that their numbers state, the most first", async () => {
    const numbers = ["+12025550101", "+86 138 0001 0001", "0086 13800010002", "+8613800010003", "+44 20 7946 0000"];
    expect(await counted(...numbers)).toEqual([
      { countryCode: "86", people: 3 },
      { countryCode: "1", people: 1 },
      { countryCode: "44", people: 1 },
    ]);
  });

  it("are counted last where a number does not state it, and nothing is guessed", async () => {
    expect(await counted("13800010001", "A068", "020 7946 0000", "+33 1 99 00 12 34")).toEqual([
      { countryCode: "33", people: 1 },
      { countryCode: null, people: 3 },
    ]);
    expect(await counted()).toEqual([]);
  });
});
