// Hands out one answer in each turn of the event loop. What is made of an answer takes milliseconds, and a thousand readers
// who asked the same question are answered at the same time.
import { createLoopTurns, type LoopTurns } from "../../util/loopTurns.ts";
import { createFairQueue } from "./fairQueue.ts";
import type { QueryOwner } from "./queryOwner.ts";

/** Resolves with the answer in the reader's turn. Rejects as the answer does, and as soon as the reader leaves. */
export type HandOut = <T>(reader: QueryOwner, answer: Promise<T>) => Promise<T>;

export function createHandOut(turns: LoopTurns = createLoopTurns()): HandOut {
  const queue = createFairQueue({ width: 1, bound: Infinity });
  let count = 0;
  return async (reader, answer) => {
    const value = await answer;
    count += 1;
    await queue.run(reader, String(count), () => new Promise<void>((resolve) => turns.next(resolve)));
    return value;
  };
}
