// Remembers which answer a question got, for as long as nothing that the answer was made of has changed. It holds digests only: no
// variables, no texts and no answers.
import { createBoundedCache } from "../../util/boundedCache.ts";
import { earliestEnd, type Freshness } from "../../util/freshness.ts";

export interface KnownAnswers {
  /** The answer to the question, if a query that ran now would give the same one. */
  find(question: string): KnownAnswer | null;
  /** `question`, `etag`: digests. `parts`: of everything that the answer was made of. */
  remember(question: string, etag: string, parts: readonly Readonly<Freshness>[]): void;
  forget(): void;
}

export interface KnownAnswer {
  etag: string;
  /** Milliseconds of performance.now(). */
  endsAt: number;
}

interface Entry {
  etag: string;
  parts: readonly Readonly<Freshness>[];
}

/** An entry takes about 300 bytes, and 30 for each part. */
const LIMITS = { maxEntries: 5000, maxSize: 50_000 };

/** `now`: milliseconds of performance.now(). */
export function createKnownAnswers(now = () => performance.now()): KnownAnswers {
  const entries = createBoundedCache<string, Entry>(LIMITS);
  return {
    find(question) {
      const entry = entries.get(question);
      if (!entry) return null;
      const endsAt = earliestEnd(entry.parts);
      if (endsAt > now()) return { etag: entry.etag, endsAt };
      entries.delete(question);
      return null;
    },
    remember(question, etag, parts) {
      if (earliestEnd(parts) > now()) entries.set(question, { etag, parts }, parts.length);
    },
    forget: entries.clear,
  };
}
