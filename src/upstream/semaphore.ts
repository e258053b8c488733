// Lets so many requests to the service be under way at once, and the rest wait in turn. The queue is bounded: a service
// that stands still must not fill the memory with those who wait for it.
import { CodedError } from "../errors.ts";
import { hearEnd, throwIfOver, type Ending } from "./cancellation.ts";
import { createLine } from "../util/abortableQueue.ts";
import type { Send } from "./send.ts";

export interface SlotsOptions {
  /** At once (UPSTREAM_CONCURRENCY). */
  most: number;
  /** Beyond so many in the queue, a request is refused at once. */
  longestQueue: number;
}

export interface Slots {
  /** Whoever leaves the queue is never sent. */
  send: Send;
  underWay(): number;
  queued(): number;
}

export function createSlots(next: Send, { most, longestQueue }: SlotsOptions): Slots {
  /** Each takes the slot that it is given. */
  const queue = createLine<() => void>();
  let taken = 0;

  function turn(ending: Ending): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = queue.add(() => {
      leave();
      stopHearing();
      taken += 1;
      resolve();
    });
    const stopHearing = hearEnd(ending, () => {
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
      throwIfOver(sending.ending);
      if (queue.size() >= longestQueue) throw tooMany();
      if (taken < most && queue.size() === 0) taken += 1;
      else await turn(sending.ending);
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
