import { describe, expect, it } from "vitest";
import { hoursAt, type Hours } from "../../src/tasks/taskHours.ts";

const timeZone = "Asia/Shanghai";
const shanghai = (time: string) => Date.parse(`${time}+08:00`);
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

const beginOf = (found: Hours | "none" | null) =>
  found === null ? null : found === "none" ? undefined : iso(found.begin);

/** Its hours at a time of the service's clock, where it calls daily from the 18th on. */
function hours(now: string, periods: string[][], own: { days?: "first" | "daily" | null; startDate?: string } = {}) {
  const { days = "daily", startDate = "2026-11-18" } = own;
  return hoursAt({ startDate, periods }, { days, timeZone, now: shanghai(now) });
}

const DAY = [
  ["09:00", "12:00"],
  ["14:00", "18:00"],
];
const NIGHT = [["22:00", "06:00"]];

describe("The hours of a task", () => {
  it.each([
    ["2026-11-20T08:59:59", undefined],
    ["2026-11-20T09:00:00", "2026-11-20T09:00:00"],
    ["2026-11-20T13:00:00", undefined],
    ["2026-11-20T14:30:00", "2026-11-20T14:00:00"],
    ["2026-11-20T18:00:00", undefined],
  ])("by day at %s have begun at %s", (now, begin) => {
    expect(beginOf(hours(now, DAY))).toBe(iso(begin === undefined ? undefined : shanghai(begin)));
  });

  // https://github.com/ZoneMinder/zmeventnotificationNg/issues/52, https://github.com/Uninett/nav/issues/68
  it.each([
    ["2026-11-20T21:59:59", undefined],
    ["2026-11-20T22:00:00", "2026-11-20T22:00:00"],
    ["2026-11-20T23:59:59", "2026-11-20T22:00:00"],
    ["2026-11-21T00:00:00", "2026-11-20T22:00:00"],
    ["2026-11-21T05:59:59", "2026-11-20T22:00:00"],
    ["2026-11-21T06:00:00", undefined],
  ])("over midnight at %s have begun at %s", (now, begin) => {
    expect(beginOf(hours(now, NIGHT))).toBe(iso(begin === undefined ? undefined : shanghai(begin)));
  });

  it("over midnight do not begin on the day before the start date, and end on the day after it", () => {
    expect(hours("2026-11-18T02:00:00", NIGHT)).toBe("none");
    expect(hours("2026-11-19T02:00:00", NIGHT, { days: "first" })).toMatchObject({ isSure: true });
    expect(hours("2026-11-19T23:00:00", NIGHT, { days: "first" })).toBe("none");
  });

  it("are sure on the start date only, where nothing says whether the task calls on later days", () => {
    expect(hours("2026-11-18T10:00:00", DAY, { days: null })).toMatchObject({ isSure: true });
    expect(hours("2026-11-19T10:00:00", DAY, { days: null })).toMatchObject({ isSure: false });
    expect(hours("2026-11-20T10:00:00", DAY, { startDate: "2026-11-21" })).toBe("none");
  });

  it("that touch are one, and the whole day is one without an end at midnight", () => {
    const touching = [
      ["09:00", "12:00"],
      ["12:00", "18:00"],
    ];
    const begin = (now: string, periods: string[][]) => beginOf(hours(now, periods));
    expect(begin("2026-11-20T12:30:00", touching)).toBe(iso(shanghai("2026-11-20T09:00:00")));
    expect(begin("2026-11-20T00:05:00", [["00:00", "24:00"]])).not.toBe(iso(shanghai("2026-11-20T00:00:00")));
  });

  it("are not known where a part of the option cannot be read", () => {
    const now = "2026-11-20T10:00:00";
    for (const periods of [
      [],
      [["morning", "noon"]],
      [["09:00"]],
      [["09:00", "09:00"]],
      [["25:00", "26:00"]],
      [...DAY, ["x", "y"]],
    ])
      expect(hours(now, periods)).toBeNull();
    expect(hours(now, DAY, { startDate: "soon" })).toBeNull();
    expect(hoursAt({ startDate: null, periods: DAY }, { days: "daily", timeZone, now: 0 })).toBeNull();
  });

  // https://github.com/prometheus/alertmanager/issues/2646
  it("are those of the service's clock, also where that is set forward or back", () => {
    const zone = { days: "daily", timeZone: "America/New_York" } as const;
    const at = (now: string) =>
      hoursAt({ startDate: "2026-01-01", periods: [["02:30", "04:00"]] }, { ...zone, now: Date.parse(now) });
    expect(beginOf(at("2026-03-08T07:45:00Z"))).toBe("2026-03-08T07:30:00.000Z");
    expect(beginOf(at("2026-11-01T07:45:00Z"))).toBe("2026-11-01T07:30:00.000Z");
  });
});
