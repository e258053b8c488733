// When a failed download is tried again.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../util/durations.ts";

/** never: it cannot succeed. briefly: the cause may pass soon. forADay: the cause is likely to pass. */
export type RetryPolicy = "never" | "briefly" | "forADay";

/** A recording could not be fetched. The message holds no text of the host or the link, which may be personal. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  readonly retry: RetryPolicy;
  constructor(message: string, retry: RetryPolicy) {
    super(message);
    this.retry = retry;
  }
}

export interface RetrySchedule {
  /** Pauses after the first try, the second and so on; the last one repeats. */
  delaysMs: readonly [number, ...number[]];
  /** Tries with the policy "briefly". */
  briefTries: number;
  /** Milliseconds. The policy "forADay" ends when the pauses together are longer. */
  forMs: number;
}

export const RETRY_SCHEDULE: RetrySchedule = {
  delaysMs: [1000, 2000, 5000, 15_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
  briefTries: 6,
  forMs: DAY_MS,
};

/** Milliseconds until the next try; null: give up. `attempts` made so far, from 1. */
export function nextRetryMs(schedule: RetrySchedule, attempts: number, retry: RetryPolicy): number | null {
  const { delaysMs, briefTries, forMs } = schedule;
  const delays = delaysMs.slice(0, attempts);
  const last = delaysMs.at(-1) ?? 0;
  const elapsed = delays.reduce((sum, ms) => sum + ms, 0) + Math.max(0, attempts - delaysMs.length) * last;
  const isOver = retry === "never" || (retry === "briefly" && attempts >= briefTries) || elapsed > forMs;
  return isOver ? null : (delaysMs[attempts - 1] ?? last);
}
