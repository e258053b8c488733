// That the benchmark compares like with like.
import { describe, expect, it } from "vitest";
import { refuseFewerChecks } from "../../bench/contest/checks.ts";
import { bodyOf, queryWorks } from "../../bench/contest/queryWork.ts";
import { rangeOf, taskIdsOf } from "../../bench/support/ranges.ts";
import { callLogPage } from "../../bench/support/serviceData.ts";

describe("a gateway that is compared", () => {
  it("checks what it does by default", async () => {
    await refuseFewerChecks({});
  });

  it.each([
    ["AUTH", "none", "who asks"],
    ["QUERY_BUDGET", "1000000", "what a query may cost"],
    ["INTROSPECTION", "on", "that the graph is shown"],
  ])("is refused with %s=%s", async (name, value, missing) => {
    const settings = name === "AUTH" ? { AUTH: value, API_KEYS_FILE: "" } : { [name]: value };
    await expect(refuseFewerChecks(settings)).rejects.toThrow(missing);
  });
});

describe("queries under way at the same moment", () => {
  const days = Array.from({ length: 64 }, (_, day) => day);

  it("are of days of their own, which share no task", () => {
    const bodies = days.map((day) => JSON.stringify(bodyOf(queryWorks.q2, day)));
    const tasks = days.flatMap((day) => taskIdsOf(rangeOf(day, 9).since));
    expect(new Set(bodies).size).toBe(64);
    expect(new Set(tasks).size).toBe(64 * 9);
  });

  it("are answered by the service at the same length", () => {
    const lengths = days.map((day) => {
      const { since } = rangeOf(day, 9);
      return JSON.stringify(callLogPage({ size: 50, day: since.slice(0, 10), taskIds: taskIdsOf(since) })).length;
    });
    expect(new Set(lengths).size).toBe(1);
  });
});
