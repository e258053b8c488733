import { describe, expect, it } from "vitest";
import { runSync } from "../../src/util/timeSlices.ts";
import { isTimeZone } from "../../src/format/wallClock.ts";
import { bucketsOf, slotOf, type TimeBucket } from "../../src/resolvers/timeline.ts";

/** The buckets of two calls in each of these minutes, one of them answered. */
function starts(bucket: TimeBucket, zone: string, minutes: readonly string[]): string[] {
  const slots = minutes.map((minute) => ({ minute, calls: 2, answered: 1 }));
  const buckets = runSync(bucketsOf(slots, bucket, zone));
  return buckets.map(({ start, calls, answered }) => {
    expect(calls).toBe(answered * 2);
    return `${start} ${answered}`;
  });
}

describe("bucketsOf", () => {
  it("gives each minute a bucket of its own", () => {
    expect(starts("minute", "Asia/Shanghai", ["2026-11-20T09:30", "2026-11-20T09:31"])).toEqual([
      "2026-11-20T09:30:00.000Z 1",
      "2026-11-20T09:31:00.000Z 1",
    ]);
  });

  it("begins an hour by the zone's clock", () => {
    const minutes = ["2026-11-20T09:14", "2026-11-20T09:15", "2026-11-20T10:14", "2026-11-20T12:00"];
    expect(starts("hour", "Asia/Kathmandu", minutes)).toEqual([
      "2026-11-20T08:15:00.000Z 1",
      "2026-11-20T09:15:00.000Z 2",
      "2026-11-20T11:15:00.000Z 1",
    ]);
  });

  it("begins a day at the zone's midnight", () => {
    expect(starts("day", "Asia/Shanghai", ["2026-11-20T15:59", "2026-11-20T16:00", "2026-11-21T15:59"])).toEqual([
      "2026-11-19T16:00:00.000Z 1",
      "2026-11-20T16:00:00.000Z 2",
    ]);
  });
});

describe("bucketsOf, where clocks change,", () => {
  it("makes two buckets of a repeated hour", () => {
    expect(starts("hour", "America/New_York", ["2026-11-01T05:30", "2026-11-01T06:30", "2026-11-01T07:30"])).toEqual([
      "2026-11-01T05:00:00.000Z 1",
      "2026-11-01T06:00:00.000Z 1",
      "2026-11-01T07:00:00.000Z 1",
    ]);
  });

  it("makes days of 25 and 23 hours", () => {
    const hours = (from: string) =>
      Array.from({ length: 49 }, (_, hour) => new Date(Date.parse(from) + hour * 3_600_000).toISOString().slice(0, 16));
    expect(starts("day", "America/New_York", hours("2026-11-01T04:00:00Z"))).toEqual([
      "2026-11-01T04:00:00.000Z 25",
      "2026-11-02T05:00:00.000Z 24",
    ]);
    expect(starts("day", "America/New_York", hours("2026-03-08T05:00:00Z")).slice(0, 2)).toEqual([
      "2026-03-08T05:00:00.000Z 23",
      "2026-03-09T04:00:00.000Z 24",
    ]);
  });

  it("keeps a repeated half hour in its hour", () => {
    const minutes = ["2026-04-04T14:00", "2026-04-04T14:45", "2026-04-04T15:15", "2026-04-04T15:30"];
    expect(starts("hour", "Australia/Lord_Howe", minutes)).toEqual([
      "2026-04-04T14:00:00.000Z 3",
      "2026-04-04T15:30:00.000Z 1",
    ]);
  });
});

describe("buckets of many slots", () => {
  const zones = [
    "UTC",
    "Asia/Shanghai",
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/St_Johns",
  ];
  const asked = (minute: string, bucket: "hour" | "day", zone: string) => {
    const clock = Temporal.Instant.from(`${minute}:00Z`).toZonedDateTimeISO(zone);
    const start = bucket === "day" ? clock.startOfDay() : clock.round({ smallestUnit: "hour", roundingMode: "floor" });
    return new Date(start.epochMilliseconds).toISOString();
  };

  it.each(zones)("begin where Temporal puts them, over every change of the clock in %s", (zone) => {
    for (const from of ["2026-03-07", "2026-04-04", "2026-10-03", "2026-10-31"]) {
      const quarters = Array.from({ length: 2 * 96 }, (_, at) =>
        new Date(Date.parse(from) + at * 900_000).toISOString().slice(0, 16),
      );
      for (const bucket of ["hour", "day"] as const) {
        const expected = [...new Set(quarters.map((minute) => asked(minute, bucket, zone)))];
        const slots = quarters.map((minute) => ({ minute, calls: 1, answered: 0 }));
        expect(runSync(bucketsOf(slots, bucket, zone)).map(({ start }) => start)).toEqual(expected);
      }
    }
  });

  it("are summed in many short steps", () => {
    const slots = Array.from({ length: 10_000 }, (_, at) => {
      return { minute: new Date(at * 900_000).toISOString().slice(0, 16), calls: 1, answered: 0 };
    });
    const work = bucketsOf(slots, "day", "America/New_York");
    let steps = 0;
    while (!work.next().done) steps += 1;
    expect(steps).toBe(100);
  });

  it.each([
    ["UTC", "hour"],
    ["America/New_York", "hour"],
    ["Asia/Kathmandu", "quarter"],
    ["Asia/Kolkata", "quarter"],
    ["Australia/Lord_Howe", "quarter"],
  ])("in %s are summed from slots of one %s", (zone, slot) => {
    expect([slotOf("day", zone), slotOf("hour", zone), slotOf("minute", zone)]).toEqual([slot, slot, "minute"]);
  });
});

describe("isTimeZone", () => {
  it.each(["Asia/Shanghai", "UTC", "America/Argentina/Buenos_Aires"])("accepts %s", (zone) => {
    expect(isTimeZone(zone)).toBe(true);
  });
  it.each(["", "Asia/Nowhere", "+08:00", "08:00", "Asia/Shanghai ", "x".repeat(10_000)])("rejects %j", (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });
});
