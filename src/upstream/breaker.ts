// Spares a service that fails: once half of the requests of ten seconds failed, all are refused at once, until a single
// probe has come through. A request here is one with its retries. POST never passes here.
import {
  circuitBreaker,
  CircuitState,
  handleWhenResult,
  isBrokenCircuitError,
  type IBackoffFactory,
  type IBreaker,
} from "cockatiel";
import { CodedError } from "../errors.ts";
import type { Answer } from "./answer.ts";
import { createRecentCounts } from "./recentCounts.ts";
import type { Chance } from "./retry.ts";
import type { Send, Sending } from "./sending.ts";
import type { UpstreamState } from "./upstream.ts";

const LEAST_REQUESTS = 20;
const PROBE_AFTER_MS = 2000;

export interface Breaker {
  send: Send;
  state(): UpstreamState;
}

type Outcome = { answer: Answer; isFailure: boolean } | { error: unknown; isFailure: true };

export function createBreaker(next: Send, { now }: Pick<Chance, "now">): Breaker {
  const recent = createRecentCounts<"good" | "bad">(now);
  let hasFailed = false;
  // Our own count: cockatiel's forgets nothing while nothing is asked, and opens only beyond half.
  const breaker: IBreaker = {
    state: null,
    success(state) {
      if (state === CircuitState.HalfOpen) recent.clear();
      hasFailed = false;
      recent.add("good");
    },
    failure() {
      hasFailed = true;
      recent.add("bad");
      const [good, bad] = [recent.of("good"), recent.of("bad")];
      return good + bad >= LEAST_REQUESTS && bad >= good;
    },
  };
  const circuit = circuitBreaker(
    handleWhenResult((outcome) => (outcome as Outcome).isFailure),
    { breaker, halfOpenAfter: elapsed(PROBE_AFTER_MS, now) },
  );

  async function attempt(path: string, sending: Sending, isProbe: boolean): Promise<Outcome> {
    try {
      const answer = await next(path, sending);
      return { answer, isFailure: answer.status >= 500 };
    } catch (error) {
      const isAnswered = error instanceof CodedError && error.code === "UPSTREAM_CONTRACT";
      // What was given up, or never left, says nothing of the service: it is not counted, but it is no proof either.
      if (isFault(error, sending) || (isProbe && !isAnswered)) return { error, isFailure: true };
      throw error;
    }
  }

  return {
    async send(path, sending) {
      // Refused here, for cockatiel would let others wait for the probe.
      if (circuit.state === CircuitState.HalfOpen) throw refused();
      const isProbe = circuit.state === CircuitState.Open;
      const outcome = await circuit
        .execute(() => attempt(path, sending, isProbe))
        .catch((error: unknown) => {
          throw isBrokenCircuitError(error) ? refused() : error;
        });
      if ("error" in outcome) throw outcome.error;
      return outcome.answer;
    },
    state() {
      if (circuit.state !== CircuitState.Closed) return "DOWN";
      return hasFailed || recent.of("bad") > 0 ? "DEGRADED" : "HEALTHY";
    },
  };
}

function isFault(error: unknown, { sent }: Sending): boolean {
  if (!(error instanceof CodedError) || sent === 0) return false;
  return error.code === "UPSTREAM_UNAVAILABLE" || error.code === "UPSTREAM_TIMEOUT";
}

/**
 * A pause by the monotonic clock. cockatiel compares `duration` with the wall clock, which may be set back by hours: it is
 * told that there is either all or nothing to wait for.
 */
function elapsed(pauseMs: number, now: () => number): IBackoffFactory<unknown> {
  return {
    next() {
      const over = now() + pauseMs;
      return {
        get duration() {
          return now() < over ? Infinity : -Infinity;
        },
        next: () => elapsed(pauseMs, now).next(undefined),
      };
    },
  };
}

function refused(): CodedError {
  return new CodedError("UPSTREAM_UNAVAILABLE", "The service has been failing: it is not asked for a moment.");
}
