// Follows the log: listen, read, wait. A follower holds a position and at most one batch, never a queue. A slow follower
// therefore lags in the log and not in memory.
import type { EventFilter, EventPage } from "../store/events/eventStore.ts";
import type { QueryOwner } from "../store/scheduling/queryOwner.ts";
import type { Listener } from "../util/signal.ts";
import type { CallEndedEvent } from "./callEndedEvent.ts";
import type { LostEvents } from "./lostEvents.ts";
import { createEventReader, type EventReaderOptions } from "./eventReader.ts";

export type StreamItem =
  | { kind: "event"; event: CallEndedEvent }
  /** Every event up to the cursor that passes the filter was delivered. */
  | { kind: "checkpoint"; cursor: string }
  /** Events after `after` and up to `cursor` were purged, lost or are damaged. The stream continues after `cursor`. */
  | { kind: "gap"; cursor: string; after: string };

export interface EventBatch {
  /** In order. Empty where only the position has moved. */
  events: CallEndedEvent[];
  /** Every entry up to here is in this batch or in an earlier one. */
  cursor: string;
  /** The same place as a position of the log: the number of its last entry. */
  position: number;
  /** Events up to the cursor were purged before the follower read them. */
  hasGap: boolean;
  /** There was nothing more to read. */
  isAtHead: boolean;
}

export interface FollowRequest {
  after: string | null;
  filter: EventFilter;
  /** True: every revision that passes the filter. False: each call once. */
  revisions: boolean;
  /** The viewer in whose turn the store is read. Without one the store is read at once. */
  queryOwner?: QueryOwner | undefined;
  /** For a reader that goes on at another time: a checkpoint comes after so many milliseconds, also between events. */
  checkpointMs?: number | undefined;
}

export interface EventPageRequest extends Omit<FollowRequest, "checkpointMs"> {
  first: number;
  order: EventPage["order"];
}

interface Position {
  /** Sequence number of the last entry that the follower has. */
  after: number;
  cursorAt: (seq: number) => string;
}

export interface FollowOptions extends Position, Omit<EventReaderOptions, "maxEntries" | "maxSize"> {
  /** Milliseconds without an item, because no event passes the filter, after which a checkpoint is sent. */
  checkpointMs: number;
  /** Checkpoints come between events, too. */
  isPaced?: boolean;
  /** Where a follower that has entries which a failover lost goes on, and the last entry that it shares with the log. */
  lostAfter: LostEvents["gapAfter"];
  /** Called with the position each time the follower has read everything and is about to wait. It may call `return()`. */
  onHead?: ((cursor: string) => void) | undefined;
}

export type FollowBatchesOptions = Position & Omit<EventReaderOptions, "filter" | "revisions">;

const BATCH = 100;
/** Events can be large and thousands of followers may be waiting, so each holds little. */
const BATCH_SIZE = 256 * 1024;
/** A follower of batches wakes at least this often, in milliseconds. */
const MAX_WAIT_MS = 60_000;

/** A checkpoint first, then items without end. `return()` ends it at once, even while it waits for the next event. */
export function followLog(options: FollowOptions): AsyncIterableIterator<StreamItem> {
  const { replayCache, checkpointMs, isPaced = false, cursorAt, lostAfter, onHead } = options;
  const listener = replayCache.updates.listen();
  const { isAborted, unlessAborted, iterate } = createAbortable(listener);
  const readAfter = createEventReader({ ...options, maxEntries: BATCH, maxSize: BATCH_SIZE });

  const checkpoint = (seq: number) => ({ kind: "checkpoint", cursor: cursorAt(seq) }) as const;
  const gap = (after: number, seq: number) => ({ kind: "gap", cursor: cursorAt(seq), after: cursorAt(after) }) as const;

  async function* items(): AsyncGenerator<StreamItem, void, undefined> {
    let { after } = options;
    yield checkpoint(after);
    let lastItemAt = performance.now();
    while (!isAborted()) {
      listener.reset();
      const erasures = replayCache.erasureCount();
      const found = readAfter(after);
      const range = found instanceof Promise ? await unlessAborted(found) : found;
      if (!range) return;
      const lost = lostAfter(after);
      if (lost) {
        yield gap(lost.after, lost.through);
        after = lost.through;
        continue;
      }
      if (range.purgedThrough > after) {
        yield gap(after, range.purgedThrough);
        after = range.purgedThrough;
        continue;
      }
      for (const { seq, event } of range.entries) {
        if (replayCache.erasureCount() !== erasures) break;
        yield event ? { kind: "event", event } : gap(after, seq);
        if (isAborted()) return;
        after = seq;
      }
      // Some entries of this range may have been erased since they were read: read the rest again.
      if (replayCache.erasureCount() !== erasures) continue;
      after = Math.max(after, range.upTo);
      if (range.entries.length > 0 && !isPaced) lastItemAt = performance.now();
      const isCheckpointDue = performance.now() >= lastItemAt + checkpointMs;
      if (!range.isAtHead && !isCheckpointDue) continue;
      if (range.isAtHead) onHead?.(cursorAt(after));
      if (isAborted()) return;
      // The deadline counts from the last item and not from the last update: a busy log is updated all the time.
      const isUpdated =
        range.isAtHead && (await listener.wait(Math.max(0, lastItemAt + checkpointMs - performance.now())));
      if (isUpdated && performance.now() < lastItemAt + checkpointMs) continue;
      if (isAborted()) return;
      yield checkpoint(after);
      lastItemAt = performance.now();
    }
  }
  return iterate(items());
}

/**
 * Every entry in batches, revisions included, damaged entries left out. The first batch holds only the position. Endless;
 * `return()` ends it at once. It is not a generator, which would keep the last batch in memory while it waits.
 */
export function followBatches({ cursorAt, ...options }: FollowBatchesOptions): AsyncIterableIterator<EventBatch> {
  const listener = options.replayCache.updates.listen();
  const { isAborted, unlessAborted, iterate } = createAbortable(listener);
  const readAfter = createEventReader({ ...options, filter: {}, revisions: true });
  let { after } = options;
  let isFirst = true;
  let isAtHead = false;
  const batchUpTo = (seq: number, batch: Omit<EventBatch, "cursor" | "position" | "isAtHead">) => {
    after = seq;
    return { done: false, value: { ...batch, cursor: cursorAt(seq), position: seq, isAtHead } } as const;
  };

  async function next(): Promise<IteratorResult<EventBatch, undefined>> {
    if (isFirst) {
      isFirst = false;
      return batchUpTo(after, { events: [], hasGap: false });
    }
    while (!isAborted()) {
      if (isAtHead) await listener.wait(MAX_WAIT_MS);
      listener.reset();
      const found = readAfter(after);
      const range = found instanceof Promise ? await unlessAborted(found) : found;
      if (!range) break;
      isAtHead = range.isAtHead;
      if (range.purgedThrough > after) return batchUpTo(range.purgedThrough, { events: [], hasGap: true });
      if (range.upTo <= after) continue;
      return batchUpTo(range.upTo, { events: range.entries.flatMap(({ event }) => event ?? []), hasGap: false });
    }
    return { done: true, value: undefined };
  }
  return iterate({ next, return: async () => undefined });
}

interface Items<T> {
  next(): Promise<IteratorResult<T, void>>;
  return(): Promise<unknown>;
}

export interface Abortable {
  isAborted(): boolean;
  /** The promise's value, or null as soon as the iterator is ended. Rejects as the promise does. */
  unlessAborted<T>(promise: Promise<T>): Promise<T | null>;
  /** An iterator over the items whose `return()` ends it at once. The listener is closed when it ends or fails. */
  iterate<T>(items: Items<T>): AsyncIterableIterator<T>;
}

/** Lets `return()` end an iterator while it waits for the listener or for a store that may never answer. */
export function createAbortable(listener: Listener): Abortable {
  const aborted = new AbortController();
  const { signal } = aborted;
  const abort = () => {
    aborted.abort();
    listener.close();
  };
  return {
    isAborted: () => signal.aborted,
    unlessAborted: (promise) =>
      new Promise((resolve, reject) => {
        const end = () => resolve(null);
        if (signal.aborted) end();
        signal.addEventListener("abort", end, { once: true });
        promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
      }),
    iterate: (items) => ({
      async next() {
        try {
          return await items.next();
        } catch (error) {
          abort();
          throw error;
        }
      },
      async return() {
        abort();
        await items.return();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    }),
  };
}
