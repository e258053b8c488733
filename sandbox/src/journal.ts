// Keeps the newest entries of a list, up to a number and a total size. Holds the requests and the webhook attempts for tests.

export interface Journal<T> {
  /** @param size counts against the limit `size`; default 0. */
  add(entry: T, size?: number): void;
  /** Oldest first. */
  list(): T[];
  clear(): void;
}

export function createJournal<T>(limits: { entries: number; size?: number }): Journal<T> {
  const { entries: maxEntries, size: maxSize = Number.POSITIVE_INFINITY } = limits;
  let items: { entry: T; size: number }[] = [];
  let totalSize = 0;
  let first = 0;
  return {
    add: (entry, size = 0) => {
      items.push({ entry, size });
      totalSize += size;
      while (items.length - first > maxEntries || (totalSize > maxSize && items.length - first > 1)) {
        totalSize -= items[first]?.size ?? 0;
        first += 1;
      }
      // Removes dropped entries in batches: cutting the array for each entry would be slow.
      if (first <= Math.min(maxEntries, 1000)) return;
      items = items.slice(first);
      first = 0;
    },
    list: () => items.slice(first).map(({ entry }) => entry),
    clear: () => {
      items = [];
      totalSize = 0;
      first = 0;
    },
  };
}

/** A request to /openapi. */
export interface RecordedRequest {
  /** Real epoch ms. */
  at: number;
  method: string;
  path: string;
  /** The query string as it came, without the question mark. */
  query: string;
  /** The decoded query; empty if it cannot be decoded. */
  params: Record<string, string[]>;
  /** The parsed body of a POST, with integers beyond 2^53 as bigint. Null: no body, or not JSON. */
  body: unknown;
  /** Null: not answered, or not yet. */
  status: number | null;
}

const MAX_REQUEST_BYTES = 128 * 1024 * 1024;

export function createRequestJournal(): Journal<RecordedRequest> {
  return createJournal<RecordedRequest>({ entries: 10_000, size: MAX_REQUEST_BYTES });
}
