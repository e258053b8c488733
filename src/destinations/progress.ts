// How far a destination is while several events are under way: everything before the first unfinished one is done.
import type { Answer } from "../store/destinations/lastAnswer.ts";
import type { Progress } from "../store/destinations/destinationStore.ts";

export interface ProgressTracker {
  /** Adds an entry of the log, in order. Call the result once when it is done. */
  begin(cursor: string): () => void;
  delivered(answer: Answer): void;
  /** Remembers an answer to an attempt that delivered nothing. */
  answered(answer: Answer): void;
  skipped(): void;
  /** What was reached since the last call. Null: nothing. */
  take(): Progress | null;
}

const MAX_DONE = 1000;

/** `onDone`: called when there is something to take. */
export function createProgress(start: string, onDone: () => void): ProgressTracker {
  let entries: { cursor: string; isDone: boolean }[] = [];
  /** Those before it are done. To remove them one by one takes long where thousands wait. */
  let first = 0;
  let [reached, taken] = [start, start];
  let [delivered, skipped] = [0, 0];
  let answer: Answer | null = null;
  return {
    begin(cursor) {
      const entry = { cursor, isDone: false };
      entries.push(entry);
      return () => {
        entry.isDone = true;
        for (let next = entries[first]; next?.isDone; next = entries[first]) {
          reached = next.cursor;
          first += 1;
        }
        if (first > MAX_DONE) [entries, first] = [entries.slice(first), 0];
        onDone();
      };
    },
    delivered(last) {
      delivered += 1;
      answer = last;
      onDone();
    },
    answered(last) {
      answer = last;
      onDone();
    },
    skipped() {
      skipped += 1;
      onDone();
    },
    take() {
      if (reached === taken && skipped === 0 && answer === null) return null;
      const progress = { cursor: reached, delivered, skipped, answer };
      [taken, delivered, skipped, answer] = [reached, 0, 0, null];
      return progress;
    },
  };
}
