// Answers questions to the service with the fewest requests: like ones at the same moment share one, and an answer may be
// used again for a short while. An event of a task ends what is kept of it, and what is under way is then shared no more.
import { hash } from "node:crypto";
import type { Requester } from "./requester.ts";
import type { ServiceResponse } from "./judgeResponse.ts";
import { createBag } from "./bag.ts";
import { createTaskIndex } from "./taskIndex.ts";
import { createCoalescedRequest, type CoalescedRequest } from "./coalescedRequest.ts";
import { createResponseCache } from "./responseCache.ts";
import type { Send } from "./send.ts";

export interface CoalescedQuery<T> {
  /** The request's path and query: equal ones are the same question. */
  path: string;
  /** The tasks it names; none: it is about all. */
  taskIds: readonly string[];
  /** Throws UPSTREAM_*: an answer that cannot be read is not kept. What it gives is frozen, for others may be given the same. */
  read: (answer: ServiceResponse) => T;
}

export interface RequestCoalescer {
  get<T>(question: CoalescedQuery<T>, asker: Requester): Promise<T>;
  /** To be called when a call of this task has ended; null: of none. */
  invalidate(taskId: string | null): void;
  /** Of every task, and of none. */
  invalidateAll(): void;
  /** Questions answered by another's request, and by what was kept. */
  shared(): number;
  cached(): number;
  /** Ends what is under way. */
  abortAll(reason: Error): void;
}

export interface RequestCoalescerOptions {
  send: Send;
  timeoutMs: number;
  /** How long an answer may be used again; 0: never. */
  ttlMs: number;
  now: () => number;
}

export function createRequestCoalescer({
  send,
  timeoutMs,
  ttlMs: keepMs,
  now,
}: RequestCoalescerOptions): RequestCoalescer {
  const kept = createResponseCache({ ttlMs: keepMs, now });
  /** Those that may be joined. */
  const flights = createTaskIndex<CoalescedRequest<unknown>>();
  const underWay = createBag<CoalescedRequest<unknown>>();
  const counts = { shared: 0, cached: 0 };

  function begin<T>({ path, taskIds, read }: CoalescedQuery<T>, isJoinable: boolean): CoalescedRequest<T> {
    const isCurrent = () => flights.get(path) === flight;
    const flight: CoalescedRequest<T> = createCoalescedRequest({
      timeoutMs,
      now,
      send: (sending) => send(path, sending),
      read(answer) {
        const value = read(answer);
        if (isCurrent()) kept.set(keyOf(path), taskIds, { value, size: answer.text.length });
        return value;
      },
      onSettled() {
        leave();
        if (isCurrent()) flights.delete(path);
      },
    });
    const leave = underWay.add(flight);
    if (isJoinable) flights.set(path, taskIds, flight);
    return flight;
  }

  async function ask<T>(question: CoalescedQuery<T>, asker: Requester): Promise<T> {
    asker.signal.throwIfAborted();
    if (asker.fresh) return begin(question, false).join(asker);
    const known = kept.get(keyOf(question.path));
    if (known) {
      counts.cached += 1;
      asker.usage.cached += 1;
      return known.value as T;
    }
    const flight = flights.get(question.path) as CoalescedRequest<T> | undefined;
    if (!flight) return begin(question, true).join(asker);
    counts.shared += 1;
    asker.usage.shared += 1;
    return flight.join(asker);
  }

  return {
    get: ask,
    invalidate(taskId) {
      kept.invalidate(taskId);
      flights.deleteByTask(taskId);
    },
    invalidateAll() {
      kept.clear();
      for (const [path] of flights.entries()) flights.delete(path);
    },
    shared: () => counts.shared,
    cached: () => counts.cached,
    abortAll(reason) {
      kept.clear();
      for (const flight of underWay.values()) flight.abort(reason);
    },
  };
}

/** What is kept does not tell what was asked, which may be somebody's number. */
function keyOf(path: string): string {
  return hash("sha256", path, "base64url");
}
