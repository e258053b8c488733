// Decides whether a GET that failed is sent again: the connection failed, or the service answered 5xx or 429. There are at most
// two retries per request, a retry budget protects a service in trouble, and no retry starts after the request's deadline.
import { CodedError } from "../errors.ts";
import { createSlidingWindow } from "../util/rates/slidingWindow.ts";
import { retryAfterSeconds, type ServiceResponse } from "./serviceResponse.ts";

export interface ClockAndRandom {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** From 0 to less than 1. */
  random(): number;
}

export const systemClock: ClockAndRandom = { now: () => performance.now(), random: () => Math.random() };

/** The longest pause before the first and before the second retry, if the service sends no Retry-After. */
const MAX_PAUSES_MS = [100, 300];
const BUDGET_SHARE = 0.2;
const BUDGET_MINIMUM = 10;

export interface RetryPolicy {
  /** Counts a request, which is sent for the first time. */
  countRequest(): void;
  /** In milliseconds, before the next attempt, which is counted; null: the request is not sent again. */
  pauseAfter(attempt: Attempt): number | null;
  /** Since the start. */
  retries(): number;
}

export interface Attempt {
  /** 1 for the first. */
  number: number;
  outcome: ServiceResponse | Error;
  /** When the request must be over, on the monotonic clock. */
  deadlineAt: number;
}

export function createRetryPolicy({ now, random }: ClockAndRandom): RetryPolicy {
  const recent = createSlidingWindow<"request" | "retry">(now);
  let total = 0;

  /** Retries of the last ten seconds may be a fifth of its requests, plus ten. */
  const isInBudget = () => recent.count("retry") + 1 <= BUDGET_MINIMUM + BUDGET_SHARE * recent.count("request");

  function pauseMs(longest: number, outcome: ServiceResponse | Error): number {
    const seconds = outcome instanceof Error ? undefined : retryAfterSeconds(outcome.retryAfter);
    // Jitter: requests that got the same Retry-After must not come back at the same moment.
    return seconds === undefined ? longest * (0.5 + random() / 2) : seconds * 1000 + longest * random();
  }

  return {
    countRequest: () => recent.add("request"),
    pauseAfter({ number, outcome, deadlineAt }) {
      const longest = MAX_PAUSES_MS[number - 1];
      if (longest === undefined || !isTransient(outcome)) return null;
      const pause = pauseMs(longest, outcome);
      if (now() + pause >= deadlineAt || !isInBudget()) return null;
      recent.add("retry");
      total += 1;
      return pause;
    },
    retries: () => total,
  };
}

/** Never: UPSTREAM_TIMEOUT, UPSTREAM_CONTRACT, and any 4xx but 429. */
function isTransient(outcome: ServiceResponse | Error): boolean {
  if (outcome instanceof Error) return outcome instanceof CodedError && outcome.code === "UPSTREAM_UNAVAILABLE";
  return outcome.status >= 500 || outcome.status === 429;
}
