// A list that keeps only the newest entries, by number and by weight.

export interface Journal<T> {
  add(entry: T, weight?: number): void;
  /** Oldest first. */
  list(): T[];
  clear(): void;
}

export function createJournal<T>(limits: { entries: number; weight?: number }): Journal<T> {
  let kept: { entry: T; weight: number }[] = [];
  let weight = 0;
  let first = 0;
  const { entries: most, weight: heaviest = Number.POSITIVE_INFINITY } = limits;
  return {
    add: (entry, own = 0) => {
      kept.push({ entry, weight: own });
      weight += own;
      while (kept.length - first > most || (weight > heaviest && kept.length - first > 1)) {
        weight -= kept[first]?.weight ?? 0;
        first += 1;
      }
      // What was given up is let go of now and then, not one by one.
      if (first <= Math.min(most, 1000)) return;
      kept = kept.slice(first);
      first = 0;
    },
    list: () => kept.slice(first).map(({ entry }) => entry),
    clear: () => {
      kept = [];
      weight = 0;
      first = 0;
    },
  };
}

export interface RecordedRequest {
  /** Real epoch ms. */
  at: number;
  method: string;
  path: string;
  /** The query string as it came, without the question mark. */
  query: string;
  /** The same, decoded; empty when it could not be. */
  params: Record<string, string[]>;
  /** The parsed body of a POST; null: none, or not JSON. Integers beyond 2^53 are bigints, and exact. */
  body: unknown;
  /** Null: not answered (yet). */
  status: number | null;
}

const MAX_REQUEST_BYTES = 128 * 1024 * 1024;

export function createRequestJournal(): Journal<RecordedRequest> {
  return createJournal<RecordedRequest>({ entries: 10_000, weight: MAX_REQUEST_BYTES });
}
