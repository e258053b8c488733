// Entries of the log that are not what was written: told to the operator once each, and to whoever asks for them always.
import { CodedError } from "../errors.ts";
import type { Log } from "../log.ts";

export interface DamagedEntries {
  /** Notes an entry, by its place. */
  found(seq: number, err?: unknown): void;
  /** Whether there is any that this gateway knows of. */
  isKnown(): boolean;
  /** The places of those behind `after` and up to `through`, in order. */
  between(after: number, through: number): number[];
}

export function createDamagedEntries(known: readonly number[], log: Log): DamagedEntries {
  const places = new Set<number>();
  const found = (seq: number, err?: unknown) => {
    if (places.has(seq)) return;
    places.add(seq);
    log.error(
      { seq, ...(err ? { err } : {}) },
      "an entry of the log is damaged: readers are told a gap, and not its event",
    );
  };
  for (const seq of known) found(seq);
  return {
    found,
    isKnown: () => places.size > 0,
    between: (after, through) =>
      [...places].filter((seq) => seq > after && seq <= through).toSorted((one, other) => one - other),
  };
}

/** `cursor`: where to go on, for whoever reads entry after entry. */
export function damagedEntry(cursor?: string): CodedError {
  return new CodedError("STORE_UNAVAILABLE", "An entry of the log is damaged, and cannot be told.", {
    retryable: false,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

/** `cursor`: where the events begin that are still kept. */
export function eventsExpired(cursor: string): CodedError {
  return new CodedError("CURSOR_EXPIRED", "Events behind the cursor are no longer kept.", { cursor });
}
