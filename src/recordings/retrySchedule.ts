import type { RetryPolicy } from "./fetchFailure.ts";

export interface RetrySchedule {
  /** After the first try, the second and so on; the last one from then on. */
  delaysMs: readonly [number, ...number[]];
  /** Tries where there is little hope: enough for a passing state. */
  briefTries: number;
  /** How long it is tried where there is hope. */
  forMs: number;
}

const MINUTE = 60_000;
export const RETRY_SCHEDULE: RetrySchedule = {
  delaysMs: [1000, 2000, 5000, 15_000, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE],
  briefTries: 6,
  forMs: 24 * 60 * MINUTE,
};

/** Milliseconds until the next try; null: there is none. `attempts` so far, from 1. */
export function nextRetryMs(
  { delaysMs, briefTries, forMs }: RetrySchedule,
  attempts: number,
  hope: RetryPolicy,
): number | null {
  const delays = delaysMs.slice(0, attempts);
  const last = delaysMs.at(-1) ?? 0;
  const tried = delays.reduce((sum, ms) => sum + ms, 0) + Math.max(0, attempts - delaysMs.length) * last;
  const isOver = hope === "none" || (hope === "little" && attempts >= briefTries) || tried > forMs;
  return isOver ? null : (delaysMs[attempts - 1] ?? last);
}
