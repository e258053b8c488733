// A few seconds of `npm run bench:soak`: enough for what must be exact, and too short for memory.
import { describe, expect, it } from "vitest";
import { growthOf, heldMetrics, runSoak } from "../../bench/support/soakRun.ts";

describe("the soak", () => {
  it("loses no event and leaves no handle, socket or subscription behind", async () => {
    const report = await runSoak({ seconds: 2, webhooksPerSecond: 200, subscribers: 5, warmUp: 0 });
    expect(report).toMatchObject({ missing: 0, doubled: 0 });
    expect(report.sent).toBeGreaterThan(50);
    expect(Math.min(report.visits, report.queries, report.created)).toBeGreaterThan(0);
    for (const name of heldMetrics) expect([name, report.after[name] <= report.before[name]]).toEqual([name, true]);
  });

  it("computes growth as a part of the mean in ten minutes", () => {
    const samples = [0, 300, 600].map((at) => ({ at, memory: 1000 + at / 60 }));
    expect(growthOf(samples)).toBeCloseTo(10 / 1005, 6);
    expect(growthOf(samples.map((each) => ({ ...each, memory: 7 })))).toBe(0);
  });
});
