// A reader that the fuzzer feeds. It runs for two seconds in the tests, and for as long as asked by `npm run test:fuzz`.
import { check, property, type Arbitrary } from "fast-check";

export interface Target {
  kind: string;
  texts: Arbitrary<string>;
  /** What is wrong with the reading of a text; null: nothing. What it throws is a fault, too. */
  faultOf(text: string): string | null;
}

export interface FuzzRun {
  runs: number;
  /** Null: none was found. */
  fault: { text: string; reason: string } | null;
}

export interface FuzzOptions {
  seed: number;
  runs: number;
}

export function fuzz({ texts, faultOf }: Target, { seed, runs }: FuzzOptions): FuzzRun {
  const result = check(
    property(texts, (text) => {
      const reason = faultOf(text);
      if (reason !== null) throw new Error(reason);
    }),
    { seed, numRuns: runs },
  );
  if (!result.failed || result.counterexample === null) return { runs: result.numRuns, fault: null };
  const [text] = result.counterexample;
  return { runs: result.numRuns, fault: { text, reason: String(result.errorInstance) } };
}
