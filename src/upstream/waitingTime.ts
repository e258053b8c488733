// Measures how long an asker waited for the service. What it waited for at the same time counts once.
import type { Requester } from "./requester.ts";

/** `now`: milliseconds of a monotonic clock. */
export function beginWaiting({ waiting }: Requester, now: number): void {
  if (waiting.count === 0) waiting.since = now;
  waiting.count += 1;
}

export function endWaiting({ waiting, usage: tally }: Requester, now: number): void {
  waiting.count -= 1;
  if (waiting.count === 0) tally.milliseconds += now - waiting.since;
}
