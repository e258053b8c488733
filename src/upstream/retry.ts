// Asks again where another try may help: the connection failed, the service answered 5xx or 429. At most twice, within a
// budget, so that a service in trouble is not buried under tries; and never beyond the deadline of the first.
import { CodedError } from "../errors.ts";
import { retryAfterSeconds, type ServiceResponse } from "./judgeResponse.ts";
import { createSlidingWindow } from "../util/slidingWindow.ts";
import { onCancel, throwIfCancelled, type Cancellation } from "./cancellation.ts";
import type { Send } from "./send.ts";

/** Time and chance. */
export interface ClockAndRandom {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** From 0 to less than 1. */
  random(): number;
}

export const systemClock: ClockAndRandom = { now: () => performance.now(), random: () => Math.random() };

const MOST_RETRIES = 2;
/** The longest pause before the first retry and before the second, where the service names none. */
const PAUSES_MS = [100, 300];
const BUDGET_SHARE = 0.2;
const BUDGET_ALWAYS = 10;

export interface Retry {
  send: Send;
  /** Made so far. */
  retries(): number;
}

/** GETs only: nothing is changed by asking twice. */
export function createRetry(next: Send, { now, random }: ClockAndRandom): Retry {
  const recent = createSlidingWindow<"request" | "retry">(now);
  let made = 0;

  /** A fifth of the requests of the last ten seconds may be asked again, and ten more. */
  const isInBudget = () => recent.count("retry") + 1 <= BUDGET_ALWAYS + BUDGET_SHARE * recent.count("request");

  function pauseBefore(retry: number, outcome: ServiceResponse | Error): number | null {
    if (retry >= MOST_RETRIES || !mayPass(outcome)) return null;
    const longest = PAUSES_MS[retry] as number;
    const asked = outcome instanceof Error ? undefined : retryAfterSeconds(outcome.retryAfter);
    // Those who were told the same second must not come back in the same moment.
    return asked === undefined ? longest * (0.5 + random() / 2) : asked * 1000 + longest * random();
  }

  return {
    async send(path, sending) {
      recent.add("request");
      for (let retry = 0; ; retry += 1) {
        const sentBefore = sending.attempts;
        const outcome = await next(path, sending).catch(asError);
        // What never left says nothing of the service: there was no room for it, or nobody to pay.
        const pauseMs = sending.attempts > sentBefore ? pauseBefore(retry, outcome) : null;
        const isInTime = pauseMs !== null && !sending.cancellation.isCancelled && now() + pauseMs < sending.deadlineAt;
        if (!isInTime || !isInBudget()) {
          if (outcome instanceof Error) throw outcome;
          return outcome;
        }
        recent.add("retry");
        made += 1;
        await pause(pauseMs, sending.cancellation);
      }
    },
    retries: () => made,
  };
}

function mayPass(outcome: ServiceResponse | Error): boolean {
  if (outcome instanceof Error) return outcome instanceof CodedError && outcome.code === "UPSTREAM_UNAVAILABLE";
  return outcome.status >= 500 || outcome.status === 429;
}

/** Throws the ending's reason where it is over before. */
async function pause(ms: number, ending: Cancellation): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stopHearing = onCancel(ending, resolve);
  await promise;
  clearTimeout(timer);
  stopHearing();
  throwIfCancelled(ending);
}

/** An ending's reason may be anything. */
function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The request was given up.", { cause: reason });
}
