// Ranges of time as the address holds them, and the instants that they mean.
import { describe, expect, it } from "vitest";
import { readRange, spanOf, type RangeName } from "../../console/src/ui/timeRange/timeRange.ts";

const NOW = new Date(2026, 10, 20, 9, 30, 15, 700).getTime();
const localDay = (day: number) => new Date(2026, 10, day).toISOString().replace(".000Z", "Z");

describe("A time range", () => {
  it("means whole seconds up to now and what comes, or whole days of the viewer's zone", () => {
    const length = (range: RangeName) => {
      const { since, until } = spanOf({ range }, "today", NOW);
      expect([range, until]).toEqual([range, null]);
      return NOW - 700 - Date.parse(since);
    };
    expect([length("1h"), length("24h"), length("7d"), length("30d")].map((ms) => ms / 3_600_000)).toEqual([
      1, 24, 168, 720,
    ]);
    expect(spanOf({}, "today", NOW)).toEqual({ since: localDay(20), until: null });
    expect(spanOf({ range: "yesterday" }, "today", NOW)).toEqual({ since: localDay(19), until: localDay(20) });
  });

  it("between two instants is the same in each zone, and goes on where it has no end", () => {
    const search = readRange({ since: "2026-11-20T08:00:00+08:00", until: "2026-11-21T00:00:00.500Z" });
    expect(search).toEqual({ since: "2026-11-20T00:00:00Z", until: "2026-11-21T00:00:00Z" });
    expect(spanOf(search, "today", NOW)).toEqual(search);
    expect(spanOf(readRange({ since: "2026-11-20T00:00:00Z" }), "today", NOW).until).toBe(null);
  });

  it.each([
    [{ range: "9y" }, {}],
    [{ since: "soon", until: "2026-11-21T00:00:00Z" }, {}],
    [{ until: "2026-11-21T00:00:00Z" }, {}],
    [{ since: "2026-11-21T00:00:00Z", until: "2026-11-20T00:00:00Z" }, { since: "2026-11-21T00:00:00Z" }],
    [{ range: "7d", since: "2026-11-21T00:00:00Z" }, { range: "7d" }],
  ])("leaves out what an address does not say clearly: %j", (search, read) => {
    expect(readRange(search)).toEqual(read);
  });
});
