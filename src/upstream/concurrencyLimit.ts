// Limits how many requests to the service are in flight; the others wait in a queue. The queue has a limit too, so that
// a service that does not answer cannot fill the memory with waiting requests.
import { CodedError } from "../errors.ts";
import { createSemaphore } from "../util/semaphore.ts";
import { onCancel, throwIfCancelled } from "./cancellation.ts";
import type { Send } from "./transport.ts";

export interface ConcurrencyLimitOptions {
  /** Requests in flight at the same time (UPSTREAM_CONCURRENCY). */
  maxInFlight: number;
  /** Requests in the queue. One more is refused with UPSTREAM_UNAVAILABLE. */
  maxQueued: number;
}

export interface ConcurrencyLimit {
  /** A request that is cancelled in the queue is never sent. */
  send: Send;
  inFlight(): number;
  queued(): number;
}

export function createConcurrencyLimit(
  next: Send,
  { maxInFlight, maxQueued }: ConcurrencyLimitOptions,
): ConcurrencyLimit {
  const permits = createSemaphore(maxInFlight);
  return {
    async send(path, request) {
      const { cancellation } = request;
      throwIfCancelled(cancellation);
      if (permits.waiting() >= maxQueued) throw queueIsFull();
      if (!permits.tryAcquire())
        await permits.acquire((abort) => onCancel(cancellation, () => abort(cancellation.reason)));
      try {
        return await next(path, request);
      } finally {
        permits.release();
      }
    },
    inFlight: permits.inUse,
    queued: permits.waiting,
  };
}

function queueIsFull(): CodedError {
  return new CodedError(
    "UPSTREAM_UNAVAILABLE",
    "Too many requests are already waiting for the service. Try again later.",
  );
}
