// When a delivery that failed is tried again: at growing distances over three days.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../util/durations.ts";

export interface Retries {
  /** Milliseconds after the first failure, the second and so on; the last one repeats. */
  delaysMs: readonly [number, ...number[]];
  /** After so long without a success, and so many attempts, nothing is tried any more by itself. */
  forMs: number;
  /** From 0 to 1. */
  random: () => number;
}

export const RETRIES: Retries = {
  delaysMs: [
    SECOND_MS,
    5 * SECOND_MS,
    30 * SECOND_MS,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    2 * HOUR_MS,
    4 * HOUR_MS,
  ],
  forMs: 3 * DAY_MS,
  random: Math.random,
};

/** An alert is news for hours and not for days, and is soon sent again to a chat that was away. */
export const ALERT_RETRIES: Retries = {
  delaysMs: [SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS],
  forMs: 2 * HOUR_MS,
  random: Math.random,
};

/**
 * One failure before days without an attempt, because the gateway was stopped or its clock jumped ahead, does not tell of days without a
 * success.
 */
const MIN_ATTEMPTS = 10;

/** Whether nothing is tried any more. `attempts`: those that failed. `sinceMs`: the time since the first one. */
export const isOver = ({ forMs }: Retries, attempts: number, sinceMs: number): boolean =>
  attempts >= MIN_ATTEMPTS && sinceMs >= forMs;

/** A part of the delay is random, so that those who failed together do not come back together. */
const JITTER = 0.25;

/** `failures`: those so far, from 1. Never less than the receiver asked for. */
export function retryDelayMs({ delaysMs, random }: Retries, failures: number, retryAfterMs: number | null): number {
  const delay = delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0;
  return Math.max(delay, retryAfterMs ?? 0) * (1 + JITTER * random());
}
