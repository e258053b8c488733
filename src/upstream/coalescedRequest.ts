// One request to the service that several askers may wait for. Each leaves by itself; when the last has left, the request
// is ended. One of them pays for what is sent: who cannot leaves with its own error, and the next is asked.
import type { ServiceResponse } from "./judgeResponse.ts";
import type { Requester } from "./requester.ts";
import { createCancellation, cancel, throwIfCancelled } from "./cancellation.ts";
import { timeoutError } from "./transportError.ts";
import type { OutgoingRequest } from "./send.ts";
import { beginWaiting, endWaiting } from "./waitingTime.ts";

export interface CoalescedRequest<T> {
  /** Resolves with what was read of the answer, unless this asker leaves before. */
  join(asker: Requester): Promise<T>;
  /** Ends it for all, with this reason. */
  abort(reason: unknown): void;
}

interface Waiter<T> {
  asker: Requester;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
  onAbort: () => void;
}

export interface CoalescedRequestOptions<T> {
  timeoutMs: number;
  now: () => number;
  /** Asks the service; called once, when the first has joined. */
  send: (sending: OutgoingRequest) => Promise<ServiceResponse>;
  /** What those who wait are given; it may throw what they are told. */
  read: (answer: ServiceResponse) => T;
  /** It has landed, or nobody waits any more: nobody can join. */
  onSettled: () => void;
}

export function createCoalescedRequest<T>({
  timeoutMs,
  now,
  send,
  read,
  onSettled: onOver,
}: CoalescedRequestOptions<T>): CoalescedRequest<T> {
  // One, mostly, or a few: an array is less than a Set.
  const waiters: Waiter<T>[] = [];
  const ending = createCancellation();
  let isFlying = false;

  /** Whoever waits is told at once: the request may be where it hears of no end, such as when it is found out who pays. */
  function end(reason: unknown): void {
    cancel(ending, reason);
    land((waiter) => waiter.reject(reason));
  }
  function dismiss({ asker, onAbort }: Waiter<T>): void {
    asker.signal.removeEventListener("abort", onAbort);
    endWaiting(asker, now());
  }
  function leave(waiter: Waiter<T>, reason: unknown): void {
    const at = waiters.indexOf(waiter);
    if (at === -1) return;
    waiters.splice(at, 1);
    dismiss(waiter);
    waiter.reject(reason);
    if (waiters.length === 0) end(reason);
  }
  function land(tell: (waiter: Waiter<T>) => void): void {
    onOver();
    for (const waiter of waiters.splice(0)) {
      dismiss(waiter);
      tell(waiter);
    }
  }

  /** The first that can pay does. Mostly at once, and then nobody waits for it. */
  function charge(): void | Promise<void> {
    for (let waiter = waiters[0]; waiter; waiter = waiters[0]) {
      try {
        const paying = waiter.asker.beforeSend();
        if (paying) return paid(paying, waiter);
        waiter.asker.usage.requests += 1;
        return;
      } catch (error) {
        leave(waiter, error);
      }
    }
    throwIfCancelled(ending);
  }
  async function paid(paying: Promise<void>, waiter: Waiter<T>): Promise<void> {
    try {
      await paying;
      waiter.asker.usage.requests += 1;
    } catch (error) {
      leave(waiter, error);
      await charge();
    }
  }

  /** Never rejects. */
  async function fly(): Promise<void> {
    const deadline = setTimeout(() => end(timeoutError()), timeoutMs);
    const deadlineAt = now() + timeoutMs;
    try {
      const value = read(await send({ cancellation: ending, deadlineAt, attempts: 0, beforeSend: charge }));
      land((waiter) => waiter.resolve(value));
    } catch (error) {
      land((waiter) => waiter.reject(error));
    } finally {
      clearTimeout(deadline);
    }
  }

  return {
    abort: end,
    join(asker) {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const onAbort = () => leave(waiter, asker.signal.reason);
      const waiter: Waiter<T> = { asker, resolve, reject, onAbort };
      waiters.push(waiter);
      beginWaiting(asker, now());
      asker.signal.addEventListener("abort", onAbort, { once: true });
      const isFirst = !isFlying;
      isFlying = true;
      if (isFirst) void fly();
      return promise;
    },
  };
}
