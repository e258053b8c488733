// Follows the log many entries at a time: for whoever works on all of it, and does so once for many.
import type { CallEndedEvent } from "./callEndedEvent.ts";
import { createAbortableIterator } from "./abortableIterator.ts";
import type { ReplayCache } from "./replayCache.ts";
import { createLogReader, type LogRange, type LogReaderOptions } from "./logReader.ts";

export interface EventBatch {
  /** In order; none where the place alone has moved. */
  events: CallEndedEvent[];
  /** Everything up to here is in it, or in an earlier one. */
  seq: number;
  /** Events up to here are no longer kept: nobody will ever be told of them. */
  hasGap: boolean;
}

export type BatchesOptions = Omit<LogReaderOptions, "filter" | "revisions"> & {
  recent: ReplayCache;
  /** Behind which to begin. */
  place: number;
};

const LONG_MS = 60_000;

/**
 * The place alone first, then every entry behind it, revisions too, but for damaged ones; endless. `return()` ends it at
 * once, even while it waits. While it waits it holds nothing of what it gave: a generator would keep its last batch.
 */
export function followBatches({ place: start, ...options }: BatchesOptions): AsyncIterableIterator<EventBatch> {
  const ear = options.recent.bell.listen();
  const leaving = createAbortableIterator(ear);
  const read = createLogReader({ ...options, filter: {}, revisions: true });
  let place: number | null = null;
  let isAtHead = false;

  async function next(): Promise<IteratorResult<EventBatch, undefined>> {
    if (place === null) return given({ events: [], seq: (place = start), hasGap: false });
    while (!leaving.isLeft()) {
      if (isAtHead) await ear.wait(LONG_MS);
      ear.reset();
      const found = read(place);
      const stretch = found instanceof Promise ? await leaving.unlessLeft(found) : found;
      if (!stretch) break;
      isAtHead = stretch.isLast;
      const batch = batchOf(stretch, place);
      if (batch.seq === place) continue;
      place = batch.seq;
      return given(batch);
    }
    return { done: true, value: undefined };
  }
  return leaving.iterate({ next, return: async () => ({ done: true, value: undefined }) });
}

function batchOf({ entries, upTo, purged }: LogRange, place: number): EventBatch {
  if (purged > place) return { events: [], seq: purged, hasGap: true };
  const events = entries.flatMap(({ event }) => event ?? []);
  return { events, seq: Math.max(place, upTo), hasGap: false };
}

const given = (value: EventBatch) => ({ done: false, value }) as const;
