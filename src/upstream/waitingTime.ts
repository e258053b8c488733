// Measures how long an asker waited for the service. What it waited for at the same time counts once.
import type { Asker } from "./asker.ts";

export type Timed = <T>(asker: Asker, work: () => Promise<T>) => Promise<T>;

export function createWaitingTime(now: () => number): Timed {
  return async ({ waiting, tally }, work) => {
    if (waiting.count === 0) waiting.since = now();
    waiting.count += 1;
    try {
      return await work();
    } finally {
      waiting.count -= 1;
      if (waiting.count === 0) tally.milliseconds += now() - waiting.since;
    }
  };
}
