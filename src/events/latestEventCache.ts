// The newest event of each call that was asked for lately, remembered: a list of calls asks for a hundred of them, and most
// of its calls were asked for a moment before. What is appended ends what was remembered of its call.
import type { CallEndedEvent } from "./callEndedEvent.ts";

export interface LatestEventCache {
  /**
   * By session id; a call that is not in the log is missing, and one whose entry cannot be read is its Error. At once,
   * where all is remembered. Rejects as `read` does.
   */
  of(sessionIds: readonly string[]): ReadonlyMap<string, Found> | Promise<ReadonlyMap<string, Found>>;
  /** To be called when something was appended of a call, or erased. */
  forget(sessionId: string): void;
  /** To be called when events were erased, and nobody says which. */
  forgetAll(): void;
}

type Found = CallEndedEvent | Error;

export interface LatestEventCacheOptions {
  read: (sessionIds: readonly string[]) => Promise<ReadonlyMap<string, Found>>;
  /** Calls that are remembered at the most, and for how long: another gateway may have purged them. */
  most: number;
  maxAgeMs: number;
  /** Milliseconds that only grow. */
  now: () => number;
}

interface Remembered {
  /** Null: it is not in the log. */
  event: CallEndedEvent | null;
  since: number;
}

export function createLatestEventCache({ read, most, maxAgeMs, now }: LatestEventCacheOptions): LatestEventCache {
  /** In the order they were remembered, so that the first is the oldest. */
  const calls = new Map<string, Remembered>();
  /** What was forgotten while it was being read: the reading may be older than that. */
  const underWay = new Set<{ forgotten: Set<string>; all: boolean }>();

  function remember(sessionId: string, event: CallEndedEvent | null): void {
    calls.delete(sessionId);
    calls.set(sessionId, { event, since: now() });
    if (calls.size <= most) return;
    for (const oldest of calls.keys()) {
      calls.delete(oldest);
      return;
    }
  }

  async function readMissing(sessionIds: readonly string[], found: Map<string, Found>) {
    const reading = { forgotten: new Set<string>(), all: false };
    underWay.add(reading);
    try {
      const answers = await read(sessionIds);
      for (const sessionId of sessionIds) {
        const answer = answers.get(sessionId);
        if (answer) found.set(sessionId, answer);
        const isFresh = !reading.all && !reading.forgotten.has(sessionId);
        if (isFresh && !(answer instanceof Error)) remember(sessionId, answer ?? null);
      }
      return found;
    } finally {
      underWay.delete(reading);
    }
  }

  return {
    of(sessionIds) {
      const found = new Map<string, Found>();
      const missing: string[] = [];
      const youngest = now() - maxAgeMs;
      for (const sessionId of sessionIds) {
        const known = calls.get(sessionId);
        if (!known || known.since < youngest) missing.push(sessionId);
        else if (known.event) found.set(sessionId, known.event);
      }
      return missing.length === 0 ? found : readMissing(missing, found);
    },
    forget(sessionId) {
      calls.delete(sessionId);
      for (const { forgotten } of underWay) forgotten.add(sessionId);
    },
    forgetAll() {
      calls.clear();
      for (const reading of underWay) reading.all = true;
    },
  };
}
