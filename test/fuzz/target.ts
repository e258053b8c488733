// A reader that the fuzzer feeds. It runs for two seconds in the tests, and for as long as asked by `npm run test:fuzz`.
import { asyncProperty, check, type Arbitrary } from "fast-check";

export interface Target {
  kind: string;
  texts: Arbitrary<string>;
  /** What is wrong with the reading of a text; null: nothing. What it throws is a fault, too. */
  faultOf(text: string): string | null | Promise<string | null>;
}

export interface FuzzRun {
  runs: number;
  /** Null: none was found. */
  fault: { text: string; reason: string } | null;
}

export interface FuzzOptions {
  seed: number;
  runs: number;
  /** It ends after the text that is being read then. */
  timeMs?: number;
}

export async function fuzz({ texts, faultOf }: Target, { seed, runs, timeMs }: FuzzOptions): Promise<FuzzRun> {
  const result = await check(
    asyncProperty(texts, async (text) => {
      const reason = await faultOf(text);
      if (reason !== null) throw new Error(reason);
    }),
    { seed, numRuns: runs, ...(timeMs !== undefined && { interruptAfterTimeLimit: timeMs }) },
  );
  if (!result.failed || result.counterexample === null) return { runs: result.numRuns, fault: null };
  const [text] = result.counterexample;
  return { runs: result.numRuns, fault: { text, reason: String(result.errorInstance) } };
}
