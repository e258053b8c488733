// Measures how long an asker waited for the service. What it waited for at the same time counts once.
import type { Asker, UpstreamTally } from "./asker.ts";

export type Timed = <T>(asker: Asker, work: () => Promise<T>) => Promise<T>;

export function createWaitingTime(now: () => number): Timed {
  const waits = new WeakMap<UpstreamTally, { since: number; count: number }>();
  return async (asker, work) => {
    const wait = waits.get(asker.tally) ?? { since: 0, count: 0 };
    waits.set(asker.tally, wait);
    if (wait.count === 0) wait.since = now();
    wait.count += 1;
    try {
      return await work();
    } finally {
      wait.count -= 1;
      if (wait.count === 0) asker.tally.milliseconds += now() - wait.since;
    }
  };
}
