// Coalesces identical GET requests that are in flight, and caches responses for a short time. Several callers may wait for one
// request. Each can leave by itself, and the request is cancelled when the last one leaves. One caller pays for each attempt: a
// caller whose budget is empty fails, and the next one pays. A retry needs a spare request: a caller without one gets what came
// before. When a call of a task ends, the task's cached responses are dropped, and new callers do not join its requests in flight,
// which may return older data.
import type { MaybePromise } from "../util/maybePromise.ts";
import type { Cancel, GetSender } from "./getSender.ts";
import { startWaiting, stopWaiting, type Requester } from "./requester.ts";
import { coversTask, createResponseCache } from "./responseCache.ts";
import { createChainedMap } from "../util/chainedMap.ts";
import { afterReading } from "../util/deadline.ts";
import { notFresh, type Freshness } from "../util/freshness.ts";
import { textHash } from "../util/text/textHash.ts";
import { failureOf, timeoutError, type ServiceResponse } from "./serviceResponse.ts";

export interface CoalescedQuery<T> {
  /** Path and query string: requests with equal paths are identical. */
  path: string;
  /** The tasks that the request names; empty: it covers all tasks. */
  taskIds: readonly string[];
  /** Reads the response. The value must be frozen, because callers share it. Throws UPSTREAM_*; then nothing is cached. */
  read: (response: ServiceResponse) => T;
  /** Rows that whoever receives the value processes. */
  rowsOf(value: T): number;
}

/** Waits for one query. Exactly one of its functions is called. */
export interface Caller<T> {
  requester: Requester;
  resolve(value: T): void;
  /** With UPSTREAM_*, the reason of the requester's signal, or the error of its payment. */
  reject(reason: unknown): void;
}

export interface RequestCoalescer {
  get<T>(query: CoalescedQuery<T>, caller: Caller<T>): void;
  /** Drops what covers this task; null: only what names no task. */
  invalidate(taskId: string | null): void;
  invalidateAll(): void;
  /** Queries answered by a request that was already in flight. */
  shared(): number;
  /** Queries answered from the cache. */
  cached(): number;
  /** Aborts all requests in flight. */
  abortAll(reason: Error): void;
}

export interface RequestCoalescerOptions {
  send: GetSender["send"];
  /** From the first caller to the last byte of the response: the queue, all attempts and the pauses. */
  timeoutMs: number;
  /** How long a response is cached, in milliseconds; 0: not at all. */
  ttlMs: number;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
}

interface Waiter extends Caller<unknown> {
  leave(reason: unknown): void;
}

interface InFlight {
  /** Counts up. */
  id: number;
  query: CoalescedQuery<unknown>;
  waiters: Waiter[];
  deadlineAt: number;
  /** New callers can join it. */
  isJoinable: boolean;
  cancel: Cancel;
}

/** An answer that several callers may receive. */
interface Answer {
  value: unknown;
  rows: number;
  freshness: Readonly<Freshness>;
}

export function createRequestCoalescer({ send, timeoutMs, ttlMs, now }: RequestCoalescerOptions): RequestCoalescer {
  const cache = createResponseCache({ ttlMs, now });
  /** The requests that new callers can join, by path. */
  const joinable = createChainedMap<string, InFlight>(textHash);
  /** By their IDs. All have the same timeout, so the first one is always the next to reach its deadline. */
  const inFlight = createChainedMap<number, InFlight>((id) => id);
  let lastId = 0;
  let deadlineTimer: NodeJS.Timeout | undefined;
  const counts = { shared: 0, cached: 0 };

  function start(query: CoalescedQuery<unknown>, caller: Caller<unknown>, isJoinable: boolean): void {
    lastId += 1;
    const deadlineAt = now() + timeoutMs;
    const request: InFlight = { id: lastId, query, waiters: [], deadlineAt, isJoinable, cancel: ignore };
    inFlight.set(request.id, request);
    if (isJoinable) joinable.set(query.path, request);
    join(request, caller);
    deadlineTimer ??= setTimeout(afterReading, timeoutMs, abortOverdue).unref();
    request.cancel = send({
      path: query.path,
      deadlineAt,
      pay: (previous) => payForRequest(request, previous),
      settle: (outcome) => settle(request, outcome),
    });
  }
  function join(request: InFlight, { requester, resolve, reject }: Caller<unknown>): void {
    const waiter: Waiter = { requester, resolve, reject, leave: (reason) => leave(request, waiter, reason) };
    request.waiters.push(waiter);
    startWaiting(requester, waiter.leave, now());
  }
  function leave(request: InFlight, waiter: Waiter, reason: unknown): void {
    const index = request.waiters.indexOf(waiter);
    if (index === -1) return;
    request.waiters.splice(index, 1);
    stopWaiting(waiter.requester, waiter.leave, now());
    waiter.reject(reason);
    if (request.waiters.length === 0) abort(request, reason);
  }
  function endJoining(request: InFlight): void {
    if (request.isJoinable) joinable.delete(request.query.path);
    request.isJoinable = false;
  }
  /** Takes the request out of the books. Returns its callers, which no longer wait. */
  function close(request: InFlight): Waiter[] {
    inFlight.delete(request.id);
    endJoining(request);
    const closedAt = now();
    const waiters = request.waiters;
    request.waiters = [];
    for (const { requester, leave: own } of waiters) stopWaiting(requester, own, closedAt);
    return waiters;
  }
  function abort(request: InFlight, reason: unknown): void {
    const waiters = close(request);
    request.cancel(reason);
    for (const waiter of waiters) inSlice(waiter, () => waiter.reject(reason));
  }
  function settle(request: InFlight, outcome: ServiceResponse | Error): void {
    const { path, taskIds, read, rowsOf } = request.query;
    const isCurrent = request.isJoinable;
    const waiters = close(request);
    try {
      if (outcome instanceof Error) throw outcome;
      const value = read(outcome);
      const freshness = isCurrent ? cache.set(path, taskIds, { value, size: outcome.text.length }) : notFresh;
      const answer = { value, rows: rowsOf(value), freshness };
      for (const waiter of waiters) inSlice(waiter, () => receive(answer, waiter));
    } catch (error) {
      for (const waiter of waiters) inSlice(waiter, () => waiter.reject(error));
    }
  }
  function abortOverdue(): void {
    clearTimeout(deadlineTimer);
    deadlineTimer = undefined;
    for (const request of inFlight.values()) {
      const leftMs = request.deadlineAt - now();
      if (leftMs > 0) {
        deadlineTimer = setTimeout(afterReading, leftMs, abortOverdue).unref();
        return;
      }
      abort(request, timeoutError());
    }
  }

  /** Charges the first caller that can pay; the others leave. Returns a promise only if a payment is asynchronous. */
  function payForRequest(request: InFlight, previous: ServiceResponse | Error | null): MaybePromise<void> {
    for (let payer = request.waiters[0]; payer; payer = request.waiters[0]) {
      if (previous !== null && !payer.requester.takeSpareRequest()) {
        payer.leave(failureOf(previous, request.query.read));
        continue;
      }
      try {
        const payment = payer.requester.payForRequest();
        if (payment) return awaitPayment(payment, request, payer, previous);
        payer.requester.usage.requests += 1;
        return;
      } catch (error) {
        payer.leave(error);
      }
    }
    throw new Error("No caller is left that can pay for the request.");
  }
  async function awaitPayment(
    payment: Promise<void>,
    request: InFlight,
    payer: Waiter,
    previous: ServiceResponse | Error | null,
  ): Promise<void> {
    try {
      await payment;
      payer.requester.usage.requests += 1;
    } catch (error) {
      payer.leave(error);
      await payForRequest(request, previous);
    }
  }

  return {
    get(query, caller) {
      const { requester, reject } = caller;
      if (requester.signal.aborted) return reject(requester.signal.reason);
      if (requester.fresh) return start(query, caller, false);
      const hit = cache.get(query.path);
      if (hit) {
        counts.cached += 1;
        requester.usage.cached += 1;
        return receive({ ...hit, rows: query.rowsOf(hit.value as never) }, caller);
      }
      const request = joinable.get(query.path);
      if (!request) return start(query, caller, true);
      counts.shared += 1;
      requester.usage.shared += 1;
      join(request, caller);
    },
    invalidate(taskId) {
      cache.invalidate(taskId);
      for (const request of joinable.values()) if (coversTask(request.query.taskIds, taskId)) endJoining(request);
    },
    invalidateAll() {
      cache.clear();
      for (const request of joinable.values()) endJoining(request);
    },
    shared: () => counts.shared,
    cached: () => counts.cached,
    abortAll(reason) {
      cache.clear();
      clearTimeout(deadlineTimer);
      deadlineTimer = undefined;
      for (const request of inFlight.values()) abort(request, reason);
    },
  };
}

/** A thousand callers that went on in one turn of the event loop would stop it for seconds. */
function inSlice({ requester }: Caller<unknown>, goOn: () => void): void {
  const slice = requester.waitForSlice();
  if (slice) void slice.then(goOn);
  else goOn();
}

function receive({ value, rows, freshness }: Answer, { requester, resolve, reject }: Caller<unknown>): void {
  if (requester.signal.aborted) return reject(requester.signal.reason);
  requester.responses?.push(freshness);
  const turn = requester.takeRows(rows);
  if (turn) turn.then(() => resolve(value), reject);
  else resolve(value);
}

const ignore = () => undefined;
