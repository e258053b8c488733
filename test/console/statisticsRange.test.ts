// Which range Statistics counts and compares, and into which buckets. In the zone of this process.
import { describe, expect, it } from "vitest";
import { bucketSizeOf, bucketsOf } from "../../console/src/views/statistics/buckets.ts";
import { comparedSpans, readStatisticsSearch } from "../../console/src/views/statistics/statisticsSearch.ts";

const NOW = Date.parse("2026-11-23T10:00:00Z");

describe("The ranges that Statistics compares", () => {
  it("are as long, one directly before the other", () => {
    const { current, before } = comparedSpans({}, { since: "2026-11-23T07:00:00Z", until: null }, NOW);
    expect(current).toEqual({ since: "2026-11-23T07:00:00.000Z", until: "2026-11-23T10:00:00.000Z" });
    expect(before).toEqual({ since: "2026-11-23T04:00:00.000Z", until: "2026-11-23T07:00:00.000Z" });
  });

  it("are the same hours of yesterday for today", () => {
    const { before } = comparedSpans({ range: "today" }, { since: "2026-11-23T00:00:00Z", until: null }, NOW);
    expect(before).toEqual({ since: "2026-11-22T00:00:00.000Z", until: "2026-11-22T10:00:00.000Z" });
  });
});

describe("The timeline of Statistics", () => {
  it("has minutes, hours or days, as the range is long", () => {
    const sizeOf = (hours: number) =>
      bucketSizeOf({ since: new Date(NOW - hours * 3_600_000).toISOString(), until: new Date(NOW).toISOString() });
    expect([1, 24, 7 * 24, 30 * 24].map(sizeOf)).toEqual(["MINUTE", "HOUR", "HOUR", "DAY"]);
  });

  it("has a bucket without calls where the graph leaves it out, and loses none that the graph has", () => {
    const at = (hours: number, minutes: number) => new Date(2026, 10, 23, hours, minutes);
    const textAt = (hours: number, minutes: number) => at(hours, minutes).toISOString();
    const timeline = [
      { start: textAt(8, 0), calls: 3, answered: 2 },
      { start: textAt(8, 30), calls: 1, answered: 0 },
    ];
    const buckets = bucketsOf("HOUR", { since: textAt(7, 30), until: textAt(10, 0) }, timeline);
    const calls = buckets.map((bucket) => [new Date(bucket.at).toTimeString().slice(0, 5), bucket.calls]);
    expect(calls).toEqual([
      ["07:00", 0],
      ["08:00", 3],
      ["08:30", 1],
      ["09:00", 0],
    ]);
  });
});

describe("The address of Statistics", () => {
  it("gives its range and filters, without values that the console does not know", () => {
    const search = { range: "7d", direction: "sideways", task: "7, 8,7", assistant: "" };
    expect(readStatisticsSearch(search)).toEqual({ range: "7d", task: "7,8" });
  });
});
