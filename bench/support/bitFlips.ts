// Flips single bits in the files of closed and of killed stores. Each flip must be reported, refused or harmless.
import { prepareFlips } from "../../test/durability/flips.ts";
import type { EventCounts } from "./eventCounts.ts";

export async function flipBits(count: number): Promise<EventCounts> {
  await using flips = await prepareFlips();
  let right = 0;
  for (let at = 0; at < count; at += 1) {
    const share = Math.random();
    const files = at % 2 === 0 ? "closed" : "killed";
    const outcome = await flips.flip(files, share);
    if (outcome.startsWith("wrong")) console.log(`  ${files} at ${share}: ${outcome}`);
    else right += 1;
  }
  return { acknowledged: count, found: right, missing: count - right, twice: 0, misplaced: 0 };
}
