import { describe, expect, it } from "vitest";
import { hoursAround, type HoursAround } from "../../src/tasks/taskHours.ts";

const timeZone = "Asia/Shanghai";
const shanghai = (time: string) => Date.parse(`${time}+08:00`);
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

const beginOf = (found: HoursAround | null) => (found === null ? null : iso(found.current?.begin));

/** Its hours around a time of the service's clock, where it calls daily from the 18th on. */
function hours(now: string, periods: string[][], own: { days?: "first" | "daily" | null; startDate?: string } = {}) {
  const { days = "daily", startDate = "2026-11-18" } = own;
  return hoursAround({ startDate, periods }, { days, timeZone, now: shanghai(now) });
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
    expect(beginOf(hours("2026-11-18T02:00:00", NIGHT))).toBeUndefined();
    expect(hours("2026-11-19T02:00:00", NIGHT, { days: "first" })?.current).toMatchObject({ isSure: true });
    expect(beginOf(hours("2026-11-19T23:00:00", NIGHT, { days: "first" }))).toBeUndefined();
  });

  it("are sure on the start date only, where nothing says whether the task calls on later days", () => {
    expect(hours("2026-11-18T10:00:00", DAY, { days: null })?.current).toMatchObject({ isSure: true });
    expect(hours("2026-11-19T10:00:00", DAY, { days: null })?.current).toMatchObject({ isSure: false });
    expect(beginOf(hours("2026-11-20T10:00:00", DAY, { startDate: "2026-11-21" }))).toBeUndefined();
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
    expect(hoursAround({ startDate: null, periods: DAY }, { days: "daily", timeZone, now: 0 })).toBeNull();
  });

  // https://github.com/prometheus/alertmanager/issues/2646
  it("are those of the service's clock, also where that is set forward or back", () => {
    const zone = { days: "daily", timeZone: "America/New_York" } as const;
    const at = (now: string) =>
      hoursAround({ startDate: "2026-01-01", periods: [["02:30", "04:00"]] }, { ...zone, now: Date.parse(now) });
    expect(beginOf(at("2026-03-08T07:45:00Z"))).toBe("2026-03-08T07:30:00.000Z");
    expect(beginOf(at("2026-11-01T07:45:00Z"))).toBe("2026-11-01T07:30:00.000Z");
  });
});

describe("The hours of a task that ended last", () => {
  /** Their end, and whether the day goes on. */
  const ended = (...asked: Parameters<typeof hours>) => {
    const last = hours(...asked)?.last;
    return last ? [iso(last.end), last.next?.isBreak ? "break" : "over"] : null;
  };
  const at = (time: string) => iso(shanghai(time));

  it.each([
    ["2026-11-18T08:00:00", null, null],
    ["2026-11-18T12:30:00", "2026-11-18T12:00:00", "break"],
    ["2026-11-18T15:00:00", "2026-11-18T12:00:00", "break"],
    ["2026-11-18T18:00:00", "2026-11-18T18:00:00", "over"],
    ["2026-11-19T08:59:00", "2026-11-18T18:00:00", "over"],
    ["2026-11-19T13:00:00", "2026-11-19T12:00:00", "break"],
  ])("by day with a break, at %s, ended at %s: %s", (now, end, kind) => {
    expect(ended(now, DAY)).toEqual(end === null ? null : [at(end), kind]);
  });

  // https://github.com/aws-solutions/instance-scheduler-on-aws/issues/110
  it.each([
    [NIGHT],
    [
      [
        ["22:00", "23:59"],
        ["00:00", "06:00"],
      ],
    ],
    [
      [
        ["00:00", "06:00"],
        ["22:00", "24:00"],
      ],
    ],
  ])("over midnight are over in the morning, in one period or in two: %j", (periods) => {
    expect(ended("2026-11-20T07:00:00", periods)).toEqual([at("2026-11-20T06:00:00"), "over"]);
    expect(hours("2026-11-19T23:59:30", periods)?.current).toMatchObject({ end: shanghai("2026-11-20T06:00:00") });
    expect(ended("2026-11-19T23:59:30", periods)?.[1]).toBe("over");
  });

  it("end a day where the longest pause follows, also at night and where the clock is set", () => {
    const both = [["10:00", "12:00"], ...NIGHT];
    expect(ended("2026-11-20T13:00:00", both)).toEqual([at("2026-11-20T12:00:00"), "over"]);
    expect(ended("2026-11-20T07:00:00", both)).toEqual([at("2026-11-20T06:00:00"), "break"]);
  });

  it("with a break at night end in the morning, and with pauses that are alike at each of them", () => {
    const night = [
      ["22:00", "02:00"],
      ["03:00", "06:00"],
    ];
    expect(ended("2026-11-20T02:30:00", night)).toEqual([at("2026-11-20T02:00:00"), "break"]);
    expect(ended("2026-11-20T07:00:00", night)).toEqual([at("2026-11-20T06:00:00"), "over"]);
    const alike = [
      ["20:00", "02:00"],
      ["10:00", "12:00"],
    ];
    expect(ended("2026-11-20T03:00:00", alike)?.[1]).toBe("over");
    expect(ended("2026-11-20T13:00:00", alike)?.[1]).toBe("over");
    expect(ended("2026-11-18T12:30:00", DAY, { days: "first" })).toEqual([at("2026-11-18T12:00:00"), "break"]);
    expect(ended("2026-11-20T23:59:00", [["00:02", "23:58"]])).toBeNull();
  });

  it("on the start date are sure to its end, whatever follows, and those of later days are not", () => {
    const eveningAndNight = [
      ["18:00", "23:59"],
      ["00:00", "09:00"],
    ];
    for (const periods of [[["00:00", "24:00"]], [["00:00", "23:59"]], eveningAndNight]) {
      const now = (time: string) => hours(time, periods, { days: null });
      expect(now("2026-11-18T20:00:00")?.current).toMatchObject({ isSure: true });
      expect(now("2026-11-19T05:00:00")?.current).toMatchObject({
        isSure: false,
        begin: shanghai("2026-11-19T00:00:00"),
      });
      expect(now("2026-11-19T05:00:00")?.last).toMatchObject({ isSure: true });
    }
  });

  it("are those of the start date only, where a task calls on no other, and never end where they are the whole of each day", () => {
    expect(ended("2026-11-19T20:00:00", DAY, { days: "first" })).toEqual([at("2026-11-18T18:00:00"), "over"]);
    expect(ended("2026-11-19T06:30:00", NIGHT, { days: "first" })).toEqual([at("2026-11-19T06:00:00"), "over"]);
    expect(ended("2026-11-30T20:00:00", DAY, { days: "first" })).toEqual([at("2026-11-18T18:00:00"), "over"]);
    expect(hours("2026-11-18T20:00:00", DAY, { days: "first" })?.last?.next).toBeNull();
    expect(hours("2026-11-18T20:00:00", DAY)?.last?.next).toEqual({ isSure: true, isBreak: false });
    expect(hours("2026-11-18T20:00:00", DAY, { days: null })?.last?.next).toEqual({ isSure: false, isBreak: false });
    expect(ended("2026-11-25T20:00:00", [["00:00", "24:00"]])).toBeNull();
    expect(hours("2026-11-19T20:00:00", DAY, { days: null })?.last).toMatchObject({ isSure: false });
  });

  // https://github.com/rundeck/rundeck/issues/6879, https://github.com/healthchecks/healthchecks/issues/196
  it("end by the service's clock, also where that is set forward or back, and leave out what it skips", () => {
    const zone = { days: "daily", timeZone: "America/New_York" } as const;
    const last = (period: string[], now: string) =>
      hoursAround({ startDate: "2026-01-01", periods: [period] }, { ...zone, now: Date.parse(now) })?.last?.end;
    expect(iso(last(["09:00", "18:00"], "2026-03-08T23:00:00Z"))).toBe("2026-03-08T22:00:00.000Z");
    expect(iso(last(["09:00", "18:00"], "2026-11-01T23:30:00Z"))).toBe("2026-11-01T23:00:00.000Z");
    expect(iso(last(["01:00", "02:30"], "2026-03-08T08:00:00Z"))).toBe("2026-03-08T07:30:00.000Z");
    // From 3:30 to 3:00: there are none on that day.
    expect(iso(last(["02:30", "03:00"], "2026-03-08T12:00:00Z"))).toBe("2026-03-07T08:00:00.000Z");
  });

  it("end a day whatever night the clock skips: a pause is that of the clock's day", () => {
    const zone = { days: "daily", timeZone: "America/New_York" } as const;
    for (const now of [
      "2026-03-07T12:00:00Z",
      "2026-03-08T12:00:00Z",
      "2026-03-09T12:00:00Z",
      "2026-03-10T12:00:00Z",
    ]) {
      const found = hoursAround(
        { startDate: "2026-01-01", periods: [["02:30", "03:00"]] },
        { ...zone, now: Date.parse(now) },
      );
      expect(found?.last?.next, now).toEqual({ isSure: true, isBreak: false });
    }
  });

  // https://github.com/nats-io/nats-server/issues/8543, https://github.com/ovumcy/ovumcy-web/pull/501
  it("go over a midnight that the clock skips", () => {
    const periods = [
      ["22:00", "24:00"],
      ["00:00", "06:00"],
    ];
    const zone = { days: "daily", timeZone: "America/Santiago" } as const;
    const found = hoursAround(
      { startDate: "2026-09-01", periods },
      { ...zone, now: Date.parse("2026-09-06T03:30:00Z") },
    );
    expect(iso(found?.current?.begin)).toBe("2026-09-06T02:00:00.000Z");
    expect(iso(found?.current?.end)).toBe("2026-09-06T09:00:00.000Z");
  });

  it("are those that end last, and hours that are not sure begin after those that are", () => {
    const long = [
      ["18:00", "12:00"],
      ["08:00", "10:00"],
    ];
    expect(hours("2026-11-19T11:00:00", long, { days: null })?.current).toMatchObject({ isSure: true });
    const noon = { isSure: true, end: shanghai("2026-11-19T12:00:00") };
    expect(hours("2026-11-19T12:30:00", long, { days: null })?.last).toMatchObject(noon);
    const short = [
      ["18:00", "09:00"],
      ["08:00", "10:00"],
    ];
    const found = hours("2026-11-19T09:30:00", short, { days: null });
    expect(found?.current).toMatchObject({ isSure: false, begin: shanghai("2026-11-19T09:00:00") });
    expect(found?.last).toMatchObject({ isSure: true, end: shanghai("2026-11-19T09:00:00") });
  });
});
