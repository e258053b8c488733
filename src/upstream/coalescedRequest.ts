// One request to the service that several callers wait for. Each caller can leave by itself, and the request is cancelled
// when the last one leaves. One caller pays for each attempt: a caller whose budget is empty fails, and the next one pays.
import { cancel, createCancellation, throwIfCancelled } from "./cancellation.ts";
import { startWaiting, stopWaiting, type Requester } from "./requester.ts";
import { timeoutError, type ServiceResponse } from "./serviceResponse.ts";
import type { OutgoingRequest } from "./transport.ts";

export interface CoalescedRequest<T> {
  /** Resolves with the value that `read` made of the response. Rejects with the signal's reason when this caller leaves. */
  join(requester: Requester): Promise<T>;
  /** Cancels the request; all callers reject with this reason. */
  abort(reason: unknown): void;
}

interface Waiter<T> {
  requester: Requester;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
  onAbort: () => void;
}

export interface CoalescedRequestOptions<T> {
  timeoutMs: number;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** Sends the request; called once, when the first caller joins. */
  send: (request: OutgoingRequest) => Promise<ServiceResponse>;
  /** Makes the callers' value of the response; the callers reject with what it throws. */
  read: (response: ServiceResponse) => T;
  /** The request has settled or was cancelled: new callers can no longer join. */
  onSettled: () => void;
}

export function createCoalescedRequest<T>({
  timeoutMs,
  now,
  send,
  read,
  onSettled,
}: CoalescedRequestOptions<T>): CoalescedRequest<T> {
  // Mostly one waiter, so an array is cheaper than a Set.
  const waiters: Waiter<T>[] = [];
  const cancellation = createCancellation();
  let hasStarted = false;

  /** Rejects the callers at once, because a layer that waits for a payment does not listen to the cancellation. */
  function abort(reason: unknown): void {
    cancel(cancellation, reason);
    settle((waiter) => waiter.reject(reason));
  }
  function detach({ requester, onAbort }: Waiter<T>): void {
    requester.signal.removeEventListener("abort", onAbort);
    stopWaiting(requester, now());
  }
  function leave(waiter: Waiter<T>, reason: unknown): void {
    const index = waiters.indexOf(waiter);
    if (index === -1) return;
    waiters.splice(index, 1);
    detach(waiter);
    waiter.reject(reason);
    if (waiters.length === 0) abort(reason);
  }
  function settle(notify: (waiter: Waiter<T>) => void): void {
    onSettled();
    for (const waiter of waiters.splice(0)) {
      detach(waiter);
      notify(waiter);
    }
  }

  /** Charges the first caller that can pay. Returns a promise only if a caller's payment is asynchronous. */
  function charge(): void | Promise<void> {
    for (let waiter = waiters[0]; waiter; waiter = waiters[0]) {
      try {
        const payment = waiter.requester.beforeSend();
        if (payment) return awaitPayment(payment, waiter);
        waiter.requester.usage.requests += 1;
        return;
      } catch (error) {
        leave(waiter, error);
      }
    }
    throwIfCancelled(cancellation);
  }
  async function awaitPayment(payment: Promise<void>, waiter: Waiter<T>): Promise<void> {
    try {
      await payment;
      waiter.requester.usage.requests += 1;
    } catch (error) {
      leave(waiter, error);
      await charge();
    }
  }

  /** Never rejects. */
  async function start(): Promise<void> {
    const timer = setTimeout(() => abort(timeoutError()), timeoutMs);
    const deadlineAt = now() + timeoutMs;
    try {
      const value = read(await send({ cancellation, deadlineAt, attempts: 0, beforeSend: charge }));
      settle((waiter) => waiter.resolve(value));
    } catch (error) {
      settle((waiter) => waiter.reject(error));
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    abort,
    join(requester) {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const onAbort = () => leave(waiter, requester.signal.reason);
      const waiter: Waiter<T> = { requester, resolve, reject, onAbort };
      waiters.push(waiter);
      startWaiting(requester, now());
      requester.signal.addEventListener("abort", onAbort, { once: true });
      const isFirst = !hasStarted;
      hasStarted = true;
      if (isFirst) void start();
      return promise;
    },
  };
}
