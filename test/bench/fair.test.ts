// Checks that the benchmark compares gateways with equal settings and equal work.
import { describe, expect, it } from "vitest";
import { refuseFewerChecks } from "../../bench/contest/checks.ts";
import { bodyOf, queryWorks } from "../../bench/contest/queryWork.ts";
import { rangeOf, taskIdsOf } from "../../bench/support/ranges.ts";
import { callLogPage } from "../../bench/support/serviceData.ts";

describe("refuseFewerChecks", () => {
  it("accepts a gateway with all default checks", async () => {
    await expect(refuseFewerChecks({})).resolves.toBeUndefined();
  });

  it.each([
    ["AUTH", "none", "who asks"],
    ["QUERY_BUDGET", "1000000", "what a query may cost"],
    ["INTROSPECTION", "on", "that the graph is shown"],
  ])("refuses a gateway with %s=%s", async (name, value, missing) => {
    const settings = name === "AUTH" ? { AUTH: value, API_KEYS_FILE: "" } : { [name]: value };
    await expect(refuseFewerChecks(settings)).rejects.toThrow(missing);
  });
});

describe("the stub of the service", () => {
  const startsIn = (since: string, until: string) =>
    callLogPage({ size: 50, day: "2026-01-01", since, until }).items.map(({ startAt }) => startAt);

  it("returns only rows of the range that is asked for", () => {
    const some = startsIn("2026-01-01 09:10:00", "2026-01-01 09:12:00");
    expect(some).toEqual(["2026-01-01 09:10:00", "2026-01-01 09:11:00", "2026-01-01 09:12:00"]);
    expect(startsIn("2026-01-01 00:09:00", "2026-01-01 23:59:59")).toHaveLength(50);
    expect(startsIn("2026-01-02 00:00:00", "2026-01-02 23:59:59")).toEqual([]);
  });
});

describe("concurrent queries of the benchmark", () => {
  const days = Array.from({ length: 64 }, (_, day) => day);

  it("ask for different days, which share no task", () => {
    const bodies = days.map((day) => JSON.stringify(bodyOf(queryWorks.q2, day)));
    const tasks = days.flatMap((day) => taskIdsOf(rangeOf(day, 9).since));
    expect(new Set(bodies).size).toBe(64);
    expect(new Set(tasks).size).toBe(64 * 9);
  });

  it("get answers of equal length from the service", () => {
    const lengths = days.map((day) => {
      const { since } = rangeOf(day, 9);
      return JSON.stringify(callLogPage({ size: 50, day: since.slice(0, 10), taskIds: taskIdsOf(since) })).length;
    });
    expect(new Set(lengths).size).toBe(1);
  });
});
