import { describe, expect, it } from "vitest";
import { prepareFlips } from "./flips.ts";

/** Numbers from 0 to 1 that are spread evenly, the same in each run. */
const shares = (count: number) => Array.from({ length: count }, (_, at) => (at * 0.618_033_988_75) % 1);

describe("A flipped bit in the database files", () => {
  it.each(["closed", "killed"] as const)(
    "is reported or harmless, and never changes an answer (%s store)",
    { timeout: 300_000 },
    async (files) => {
      await using flips = await prepareFlips();
      const outcomes = new Map<string, number>();
      for (const share of shares(30)) {
        const outcome = await flips.flip(files, share);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      expect([...outcomes.keys()].filter((outcome) => outcome.startsWith("wrong"))).toEqual([]);
      expect((outcomes.get("reported") ?? 0) + (outcomes.get("refused") ?? 0)).toBeGreaterThan(5);
    },
  );
});
