// Coalesces identical GET requests that are in flight, and caches responses for a short time. When a call of a task ends, the
// task's cached responses are dropped, and new callers do not join its requests in flight, which may return older data.
import { hash } from "node:crypto";
import { createCoalescedRequest, type CoalescedRequest } from "./coalescedRequest.ts";
import type { Requester } from "./requester.ts";
import { createResponseCache } from "./responseCache.ts";
import type { ServiceResponse } from "./serviceResponse.ts";
import { createTaskIndex } from "./taskIndex.ts";
import type { Send } from "./transport.ts";

export interface CoalescedQuery<T> {
  /** Path and query string: requests with equal paths are identical. */
  path: string;
  /** The tasks that the request names; empty: it covers all tasks. */
  taskIds: readonly string[];
  /** Reads the response. The value must be frozen, because callers share it. Throws UPSTREAM_*; then nothing is cached. */
  read: (response: ServiceResponse) => T;
}

export interface RequestCoalescer {
  get<T>(query: CoalescedQuery<T>, requester: Requester): Promise<T>;
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
  send: Send;
  timeoutMs: number;
  /** How long a response is cached, in milliseconds; 0: not at all. */
  ttlMs: number;
  now: () => number;
}

export function createRequestCoalescer({ send, timeoutMs, ttlMs, now }: RequestCoalescerOptions): RequestCoalescer {
  const cache = createResponseCache({ ttlMs, now });
  /** The requests in flight that new callers can join, by path. */
  const joinable = createTaskIndex<CoalescedRequest<unknown>>();
  const inFlight = new Set<CoalescedRequest<unknown>>();
  const counts = { shared: 0, cached: 0 };

  function start<T>({ path, taskIds, read }: CoalescedQuery<T>, isJoinable: boolean): CoalescedRequest<T> {
    const isCurrent = () => joinable.get(path) === request;
    const request: CoalescedRequest<T> = createCoalescedRequest({
      timeoutMs,
      now,
      send: (outgoing) => send(path, outgoing),
      read(response) {
        const value = read(response);
        if (isCurrent()) cache.set(cacheKey(path), taskIds, { value, size: response.text.length });
        return value;
      },
      onSettled() {
        inFlight.delete(request);
        if (isCurrent()) joinable.delete(path);
      },
    });
    inFlight.add(request);
    if (isJoinable) joinable.set(path, taskIds, request);
    return request;
  }

  async function get<T>(query: CoalescedQuery<T>, requester: Requester): Promise<T> {
    requester.signal.throwIfAborted();
    if (requester.fresh) return start(query, false).join(requester);
    const hit = cache.get(cacheKey(query.path));
    if (hit) {
      counts.cached += 1;
      requester.usage.cached += 1;
      return hit.value as T;
    }
    const request = joinable.get(query.path) as CoalescedRequest<T> | undefined;
    if (!request) return start(query, true).join(requester);
    counts.shared += 1;
    requester.usage.shared += 1;
    return request.join(requester);
  }

  return {
    get,
    invalidate(taskId) {
      cache.invalidate(taskId);
      joinable.deleteByTask(taskId);
    },
    invalidateAll() {
      cache.clear();
      for (const [path] of joinable.entries()) joinable.delete(path);
    },
    shared: () => counts.shared,
    cached: () => counts.cached,
    abortAll(reason) {
      cache.clear();
      for (const request of inFlight) request.abort(reason);
    },
  };
}

/** A digest, because the path may hold a phone number, which must not stay in memory. */
function cacheKey(path: string): string {
  return hash("sha256", path, "base64url");
}
