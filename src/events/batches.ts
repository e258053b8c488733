// Follows the log many entries at a time: for whoever works on all of it, and does so once for many.
import type { CallEndedEvent } from "./callEnded.ts";
import { createLeaving } from "./leaving.ts";
import type { Recent } from "./recent.ts";
import { createStretchReader, type StretchOptions } from "./stretch.ts";

export interface EventBatch {
  /** In order; none where the place alone has moved. */
  events: CallEndedEvent[];
  /** Everything up to here is in it, or in an earlier one. */
  seq: number;
  /** Events up to here are no longer kept: nobody will ever be told of them. */
  hasGap: boolean;
}

export type BatchesOptions = Omit<StretchOptions, "filter" | "revisions"> & {
  recent: Recent;
  /** Behind which to begin. */
  place: number;
};

const LONG_MS = 60_000;

/**
 * The place alone first, then every entry behind it, revisions too, but for damaged ones; endless. `return()` ends it at
 * once, even while it waits.
 */
export function followBatches({ place: start, ...options }: BatchesOptions): AsyncIterableIterator<EventBatch> {
  const ear = options.recent.bell.listen();
  const leaving = createLeaving(ear);
  const read = createStretchReader({ ...options, filter: {}, revisions: true });

  async function* batches(): AsyncGenerator<EventBatch, void, undefined> {
    let place = start;
    yield { events: [], seq: place, hasGap: false };
    while (!leaving.isLeft()) {
      ear.reset();
      const found = read(place);
      const stretch = found instanceof Promise ? await leaving.unlessLeft(found) : found;
      if (!stretch) return;
      const hasGap = stretch.purged > place;
      const next = hasGap ? stretch.purged : Math.max(place, stretch.upTo);
      const events = hasGap ? [] : stretch.entries.flatMap(({ event }) => event ?? []);
      if (next > place) yield { events, seq: next, hasGap };
      if (stretch.isLast) await ear.wait(LONG_MS);
      place = next;
    }
  }
  return leaving.iterate(batches());
}
