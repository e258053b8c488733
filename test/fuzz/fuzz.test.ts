// The short form of `npm run test:fuzz`. Its seed is the same in each run, so that a failure is one of the change at hand.
import { describe, expect, it } from "vitest";
import { fuzz } from "./target.ts";
import { targets } from "./targets.ts";

const RUNS = 2000;

describe("The fuzzer of readers", () => {
  it.each(targets)("finds no fault in the reading of $kind", async (target) => {
    expect(await fuzz(target, { seed: 1, runs: RUNS })).toEqual({ runs: RUNS, fault: null });
  });

  it("finds a fault and tells the shortest text that shows it", async () => {
    const [target] = targets as [(typeof targets)[0]];
    const faulty = { ...target, faultOf: (text: string) => (/\d{3}/.test(text) ? "has three digits" : null) };
    const { fault } = await fuzz(faulty, { seed: 1, runs: RUNS });
    expect(fault?.reason).toContain("has three digits");
  });
});
