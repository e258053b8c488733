// Retries a GET that may succeed the next time: the connection failed, or the service answered 5xx or 429. There are at most
// two retries per request, a retry budget protects a service in trouble, and no retry starts after the request's deadline.
import { CodedError } from "../errors.ts";
import { createSlidingWindow } from "../util/slidingWindow.ts";
import { onCancel, throwIfCancelled, type Cancellation } from "./cancellation.ts";
import { retryAfterSeconds, type ServiceResponse } from "./serviceResponse.ts";
import type { Send } from "./transport.ts";

export interface ClockAndRandom {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** From 0 to less than 1. */
  random(): number;
}

export const systemClock: ClockAndRandom = { now: () => performance.now(), random: () => Math.random() };

const MAX_RETRIES = 2;
/** The longest pause before the first and before the second retry, if the service sends no Retry-After. */
const MAX_PAUSES_MS = [100, 300];
const BUDGET_SHARE = 0.2;
const BUDGET_MINIMUM = 10;

export interface Retry {
  send: Send;
  /** Since the start. */
  retries(): number;
}

/** For GETs only, because repeating them changes nothing. */
export function createRetry(next: Send, { now, random }: ClockAndRandom): Retry {
  const recent = createSlidingWindow<"request" | "retry">(now);
  let total = 0;

  /** Retries of the last ten seconds may be a fifth of its requests, plus ten. */
  const isInBudget = () => recent.count("retry") + 1 <= BUDGET_MINIMUM + BUDGET_SHARE * recent.count("request");

  /** In milliseconds; null: do not retry. */
  function pauseBefore(retry: number, outcome: ServiceResponse | Error): number | null {
    if (retry >= MAX_RETRIES || !isTransient(outcome)) return null;
    const longest = MAX_PAUSES_MS[retry] as number;
    const seconds = outcome instanceof Error ? undefined : retryAfterSeconds(outcome.retryAfter);
    // Jitter: requests that got the same Retry-After must not come back at the same moment.
    return seconds === undefined ? longest * (0.5 + random() / 2) : seconds * 1000 + longest * random();
  }

  return {
    async send(path, request) {
      recent.add("request");
      for (let retry = 0; ; retry += 1) {
        const attemptsBefore = request.attempts;
        const outcome = await next(path, request).catch(asError);
        // A request that was never sent (full queue, no budget) says nothing about the service, so it is not retried.
        const pauseMs = request.attempts > attemptsBefore ? pauseBefore(retry, outcome) : null;
        const isInTime = pauseMs !== null && !request.cancellation.isCancelled && now() + pauseMs < request.deadlineAt;
        if (!isInTime || !isInBudget()) {
          if (outcome instanceof Error) throw outcome;
          return outcome;
        }
        recent.add("retry");
        total += 1;
        await pause(pauseMs, request.cancellation);
      }
    },
    retries: () => total,
  };
}

function isTransient(outcome: ServiceResponse | Error): boolean {
  if (outcome instanceof Error) return outcome instanceof CodedError && outcome.code === "UPSTREAM_UNAVAILABLE";
  return outcome.status >= 500 || outcome.status === 429;
}

/** Throws the cancellation's reason as soon as the request is cancelled. */
async function pause(ms: number, cancellation: Cancellation): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stopListening = onCancel(cancellation, resolve);
  await promise;
  clearTimeout(timer);
  stopListening();
  throwIfCancelled(cancellation);
}

/** A cancellation's reason may be any value. */
function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The request was cancelled.", { cause: reason });
}
