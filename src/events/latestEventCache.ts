// Caches the newest event of each call that was queried recently: a list of calls needs a hundred of them, and most were
// queried a moment ago. An append or an erasure invalidates the call's entry.
import { createBoundedCache } from "../util/boundedCache.ts";
import type { MaybePromise } from "../util/maybePromise.ts";
import type { CallEndedEvent } from "./callEndedEvent.ts";

export interface LatestEventCache {
  /**
   * The newest event for each session id, in the order of the ids, synchronously if all are cached. Null: there is no id, or
   * the call is not in the log. An Error: the call's entry is damaged. Rejects as `read` does.
   */
  get(sessionIds: readonly (string | null)[]): MaybePromise<readonly (EventOrError | null)[]>;
  /** Call it when an entry of the call was appended or erased. */
  invalidate(sessionId: string): void;
  /** Call it when entries of unknown calls were erased. */
  invalidateAll(): void;
}

type EventOrError = CallEndedEvent | Error;

export interface LatestEventCacheOptions {
  read: (sessionIds: readonly string[]) => Promise<ReadonlyMap<string, EventOrError>>;
  /** False: the call is certainly not in the log. */
  mayBeInLog: (sessionId: string) => boolean;
  maxEntries: number;
  /** Another gateway may have purged an entry, so none is used longer than this. */
  maxAgeMs: number;
  /** A monotonic clock in milliseconds. */
  now: () => number;
}

interface CacheEntry {
  /** Null: the call is not in the log. */
  event: CallEndedEvent | null;
  cachedAt: number;
}

/** A read in flight, and what was invalidated since it began: its answer may be older than that. */
interface ReadInFlight {
  invalidated: Set<string>;
  allInvalidated: boolean;
}

export function createLatestEventCache({
  read,
  mayBeInLog,
  maxEntries,
  maxAgeMs,
  now,
}: LatestEventCacheOptions): LatestEventCache {
  const cache = createBoundedCache<string, CacheEntry>({ maxEntries });
  const readsInFlight = new Set<ReadInFlight>();

  async function readMissing(
    sessionIds: readonly (string | null)[],
    missing: readonly string[],
    found: readonly (EventOrError | null)[],
  ) {
    const inFlight: ReadInFlight = { invalidated: new Set(), allInvalidated: false };
    readsInFlight.add(inFlight);
    try {
      const answers = await read(missing);
      for (const sessionId of missing) {
        const answer = answers.get(sessionId) ?? null;
        const isFresh = !inFlight.allInvalidated && !inFlight.invalidated.has(sessionId);
        if (isFresh && !(answer instanceof Error)) cache.set(sessionId, { event: answer, cachedAt: now() });
      }
      return sessionIds.map(
        (sessionId, at) => found[at] ?? (sessionId === null ? null : answers.get(sessionId)) ?? null,
      );
    } finally {
      readsInFlight.delete(inFlight);
    }
  }

  return {
    get(sessionIds) {
      const missing: string[] = [];
      const oldestAllowed = now() - maxAgeMs;
      const found = sessionIds.map((sessionId) => {
        if (sessionId === null || !mayBeInLog(sessionId)) return null;
        const entry = cache.get(sessionId);
        if (entry && entry.cachedAt >= oldestAllowed) return entry.event;
        missing.push(sessionId);
        return null;
      });
      return missing.length === 0 ? found : readMissing(sessionIds, missing, found);
    },
    invalidate(sessionId) {
      cache.delete(sessionId);
      for (const { invalidated } of readsInFlight) invalidated.add(sessionId);
    },
    invalidateAll() {
      cache.clear();
      for (const inFlight of readsInFlight) inFlight.allInvalidated = true;
    },
  };
}
