// Caches the newest event of each call that was queried recently: a list of calls needs a hundred of them, and most were
// queried a moment ago. An append or an erasure invalidates the call's entry.
import type { CallEndedEvent } from "./callEndedEvent.ts";

export interface LatestEventCache {
  /**
   * The newest events by session id, synchronously if all are cached. A call that is not in the log is missing from the
   * answer; a call whose entry is damaged has an Error. Rejects as `read` does.
   */
  get(sessionIds: readonly string[]): ReadonlyMap<string, EventOrError> | Promise<ReadonlyMap<string, EventOrError>>;
  /** Call it when an entry of the call was appended or erased. */
  invalidate(sessionId: string): void;
  /** Call it when entries of unknown calls were erased. */
  invalidateAll(): void;
}

type EventOrError = CallEndedEvent | Error;

export interface LatestEventCacheOptions {
  read: (sessionIds: readonly string[]) => Promise<ReadonlyMap<string, EventOrError>>;
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

export function createLatestEventCache({ read, maxEntries, maxAgeMs, now }: LatestEventCacheOptions): LatestEventCache {
  /** Oldest first. */
  const cache = new Map<string, CacheEntry>();
  const readsInFlight = new Set<ReadInFlight>();

  function store(sessionId: string, event: CallEndedEvent | null): void {
    cache.delete(sessionId);
    cache.set(sessionId, { event, cachedAt: now() });
    if (cache.size <= maxEntries) return;
    for (const oldest of cache.keys()) {
      cache.delete(oldest);
      return;
    }
  }

  async function readMissing(sessionIds: readonly string[], found: Map<string, EventOrError>) {
    const inFlight: ReadInFlight = { invalidated: new Set(), allInvalidated: false };
    readsInFlight.add(inFlight);
    try {
      const answers = await read(sessionIds);
      for (const sessionId of sessionIds) {
        const answer = answers.get(sessionId);
        if (answer) found.set(sessionId, answer);
        const isFresh = !inFlight.allInvalidated && !inFlight.invalidated.has(sessionId);
        if (isFresh && !(answer instanceof Error)) store(sessionId, answer ?? null);
      }
      return found;
    } finally {
      readsInFlight.delete(inFlight);
    }
  }

  return {
    get(sessionIds) {
      const found = new Map<string, EventOrError>();
      const missing: string[] = [];
      const oldestAllowed = now() - maxAgeMs;
      for (const sessionId of sessionIds) {
        const entry = cache.get(sessionId);
        if (!entry || entry.cachedAt < oldestAllowed) missing.push(sessionId);
        else if (entry.event) found.set(sessionId, entry.event);
      }
      return missing.length === 0 ? found : readMissing(missing, found);
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
