// Lets so many requests to the service be under way at once, and the rest wait in turn. The queue is bounded: a service
// that stands still must not fill the memory with those who wait for it.
import { CodedError } from "../errors.ts";
import { onCancel, throwIfCancelled, type Cancellation } from "./cancellation.ts";
import { createAbortableQueue } from "../util/abortableQueue.ts";
import type { Send } from "./send.ts";

export interface SemaphoreOptions {
  /** At once (UPSTREAM_CONCURRENCY). */
  most: number;
  /** Beyond so many in the queue, a request is refused at once. */
  longestQueue: number;
}

export interface Semaphore {
  /** Whoever leaves the queue is never sent. */
  send: Send;
  underWay(): number;
  queued(): number;
}

export function createSemaphore(next: Send, { most, longestQueue }: SemaphoreOptions): Semaphore {
  /** Each takes the slot that it is given. */
  const queue = createAbortableQueue<() => void>();
  let taken = 0;

  function turn(ending: Cancellation): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = queue.add(() => {
      leave();
      stopHearing();
      taken += 1;
      resolve();
    });
    const stopHearing = onCancel(ending, () => {
      leave();
      reject(ending.reason);
    });
    return promise;
  }

  function leaveSlot(): void {
    taken -= 1;
    if (taken < most) queue.first()?.();
  }

  return {
    async send(path, sending) {
      throwIfCancelled(sending.cancellation);
      if (queue.size() >= longestQueue) throw tooMany();
      if (taken < most && queue.size() === 0) taken += 1;
      else await turn(sending.cancellation);
      try {
        return await next(path, sending);
      } finally {
        leaveSlot();
      }
    },
    underWay: () => taken,
    queued: queue.size,
  };
}

function tooMany(): CodedError {
  return new CodedError("UPSTREAM_UNAVAILABLE", "Too many requests to the service wait already.");
}
