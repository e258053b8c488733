// Sends a GET, with retries. Each attempt waits for a permit of the concurrency limit, is paid for and goes to the transport. The
// circuit breaker and the retry policy decide; this file acts. It works by callbacks, because promises at each step cost more.
import { CodedError } from "../errors.ts";
import type { MaybePromise } from "../util/maybePromise.ts";
import { logFields } from "../util/logContext.ts";
import { createSemaphore } from "../util/semaphore.ts";
import { createCircuitBreaker, type Admission } from "./circuitBreaker.ts";
import { createRetryPolicy, type ClockAndRandom } from "./retryPolicy.ts";
import type { ServiceResponse } from "./serviceResponse.ts";
import type { ServiceToken } from "./serviceToken.ts";
import type { Transport } from "./transport.ts";
import { noUpstreamObserver, outcomeOf, routeOf, statusOf, type UpstreamObserver } from "./upstreamObserver.ts";
import type { UpstreamState } from "./upstream.ts";

/** A GET for callers that wait for its response. */
export interface OutgoingGet {
  /** Path and query. It starts with a slash and follows the base address. */
  path: string;
  /** On the clock's `now`. No retry starts later. The caller cancels the request then. */
  deadlineAt: number;
  /**
   * Called before each attempt. `previous`: the outcome that is tried again; null: it is no retry. Fails if no caller is left that can
   * pay; then nothing is sent.
   */
  pay(previous: ServiceResponse | Error | null): MaybePromise<void>;
  /** Called once, with any status or an error, perhaps before `send` returns. Not called after a cancellation. */
  settle(outcome: ServiceResponse | Error): void;
}

/** Ends a request that nobody waits for. Has no effect on a settled request. */
export type Cancel = (reason: unknown) => void;

export interface GetSender {
  /** An error is UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT or UPSTREAM_CONTRACT, or comes from `pay`. */
  send(get: OutgoingGet): Cancel;
  state(): UpstreamState;
  /** Retries since the start. */
  retries(): number;
  /** Attempts that hold a permit now. */
  inFlight(): number;
  /** Attempts that wait for a permit now. */
  queued(): number;
}

export interface GetSenderOptions {
  transport: Pick<Transport, "send">;
  token: ServiceToken;
  clock: ClockAndRandom;
  /** Requests in flight at the same time (UPSTREAM_CONCURRENCY). */
  maxInFlight: number;
  /**
   * Requests in the queue. One more is refused with UPSTREAM_UNAVAILABLE: a service that does not answer must not fill the
   * memory with waiting requests.
   */
  maxQueued: number;
  observer?: UpstreamObserver;
  /** Called with the Date header of each answer that has one. */
  onDate?: ((date: string) => void) | undefined;
}

export function createGetSender(options: GetSenderOptions): GetSender {
  const { transport, token, clock, maxInFlight, maxQueued, observer = noUpstreamObserver, onDate = ignore } = options;
  const breaker = createCircuitBreaker(clock.now);
  const retryPolicy = createRetryPolicy(clock);
  const permits = createSemaphore(maxInFlight);

  function send(get: OutgoingGet): Cancel {
    const admission = breaker.admit();
    if (admission !== null) return start(get, admission);
    get.settle(circuitOpenError());
    return ignore;
  }
  function start({ path, deadlineAt, pay, settle }: OutgoingGet, admission: Admission): Cancel {
    const context = logFields();
    let attempts = 0;
    let previous: ServiceResponse | Error | null = null;
    let onlyNew = false;
    let isOver = false;
    /** The token that a refused attempt was sent with; it is sent again once, with another token. */
    let refusedToken: string | null = null;
    let sentToken = "";
    /** When the request in flight was sent; null: none is in flight. */
    let sentAt: number | null = null;
    /** Ends what the request waits for now: a permit, the response, or the pause before a retry. */
    let endWait: () => void = ignore;

    retryPolicy.countRequest();
    attempt();
    return (reason) => {
      const error = asError(reason);
      if (!end(error)) return;
      observeEnd(error);
      endWait();
    };

    function attempt(): void {
      if (permits.tryAcquire()) return payAndTransmit();
      if (permits.waiting() >= maxQueued) return finish(queueFullError());
      const permit = permits.acquire((abort) => {
        endWait = () => abort(undefined);
        return ignore;
      });
      permit.then(payAndTransmit, ignore);
    }
    function payAndTransmit(): void {
      // The request may be cancelled after it got its permit and before this reaction to it.
      if (isOver) return permits.release();
      endWait = ignore;
      try {
        const payment = pay(previous);
        if (payment) payment.then(transmit, failPayment);
        else transmit();
      } catch (error) {
        failPayment(error);
      }
    }
    function failPayment(error: unknown): void {
      permits.release();
      finish(asError(error));
    }
    function transmit(): void {
      if (isOver) return permits.release();
      attempts += 1;
      sentToken = token.current();
      sentAt = clock.now();
      endWait = transport.send(path, {
        traceparent: null,
        onlyNew,
        onStale: resend,
        onOutcome: retryOrFinish,
        onFree: permits.release,
      });
      onlyNew = false;
    }
    /** At once, over a new connection. It is paid for like any request, since the service may have seen the first one. */
    function resend(): void {
      attempts -= 1;
      sentAt = null;
      onlyNew = true;
      attempt();
    }
    function retryOrFinish(outcome: ServiceResponse | Error): void {
      observeEnd(outcome);
      if (!(outcome instanceof Error) && outcome.status === 401 && refusedToken === null) {
        endWait = ignore;
        previous = outcome;
        refusedToken = sentToken;
        void token.reread().then(() => (token.current() === refusedToken ? finish(outcome) : isOver || attempt()));
        return;
      }
      const pauseMs = retryPolicy.pauseAfter({ number: attempts, outcome, deadlineAt });
      if (pauseMs === null) return finish(outcome);
      previous = outcome;
      const timer = setTimeout(attempt, pauseMs);
      endWait = () => clearTimeout(timer);
    }
    function observeEnd(outcome: ServiceResponse | Error): void {
      if (sentAt === null) return;
      observer.requestEnded({
        route: routeOf(path),
        outcome: outcomeOf(outcome),
        status: statusOf(outcome),
        attempt: attempts,
        milliseconds: clock.now() - sentAt,
        context,
      });
      sentAt = null;
      if (!(outcome instanceof Error) && outcome.date !== undefined) onDate(outcome.date);
    }
    function finish(outcome: ServiceResponse | Error): void {
      if (end(outcome)) settle(outcome);
    }
    /** False if the request was over before. */
    function end(outcome: ServiceResponse | Error): boolean {
      if (isOver) return false;
      isOver = true;
      breaker.settle(admission, { outcome, attempts });
      return true;
    }
  }

  return {
    send,
    state: breaker.state,
    retries: retryPolicy.retries,
    inFlight: permits.inUse,
    queued: permits.waiting,
  };
}

const ignore = () => undefined;

/** A cancellation's reason may be any value. */
function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The request was cancelled.", { cause: reason });
}

function circuitOpenError(): CodedError {
  return new CodedError(
    "UPSTREAM_UNAVAILABLE",
    "The service has been failing, so the gateway sends it no requests for now. Try again in a few seconds.",
  );
}

function queueFullError(): CodedError {
  return new CodedError(
    "UPSTREAM_UNAVAILABLE",
    "Too many requests are already waiting for the service. Try again later.",
  );
}
