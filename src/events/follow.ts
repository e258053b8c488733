// One reader of the log: listen, read, wait. It holds a place and at most one batch, never a queue, so that a slow reader
// lags in the log and not in memory.
import type { EventFilter, EventRow, EventStore } from "../store/eventStore.ts";
import type { CallEndedEvent } from "./callEnded.ts";
import type { Damage } from "./damage.ts";
import { matches } from "./matches.ts";
import type { Recent } from "./recent.ts";

export type FollowItem =
  | { kind: "event"; event: CallEndedEvent }
  /** Everything that passes up to here was told. */
  | { kind: "checkpoint"; seq: number }
  /** Events behind `after` are no longer kept, or damaged; it goes on behind `seq`. */
  | { kind: "gap"; after: number; seq: number };

export interface FollowOptions {
  store: Pick<EventStore, "read" | "purgedThrough">;
  recent: Recent;
  /** Behind which to begin. */
  place: number;
  filter: EventFilter;
  /** Each revision that passes; else each call once, at the first that does. */
  revisions: boolean;
  /** Null: damaged, and told as a gap whatever the filter, which nobody can hold against it. */
  eventOf: (row: EventRow) => CallEndedEvent | null;
  /** Places of damaged entries behind the first and up to the second: what a filter in SQL sees of them is not to be trusted. */
  damagedBetween: Damage["between"];
  /** Milliseconds without an item, because nothing passes, after which a checkpoint is given. */
  checkpointMs: number;
  /** Called with its place when it has read everything and is about to wait; it may be left there and then. */
  onHead?: ((seq: number) => void) | undefined;
}

const BATCH = 100;
/** Places that one read looks at: a filter that nothing passes must not hold the store until the end of the log. */
const STRETCH = 20_000;

/** A checkpoint first, then endless; `return()` ends it at once, even while it waits for the next event. */
export function follow(options: FollowOptions): AsyncIterableIterator<FollowItem> {
  const { store, recent, filter, revisions, eventOf, damagedBetween, checkpointMs, onHead } = options;
  const ear = recent.bell.listen();
  const left = new AbortController();

  async function* read(): AsyncGenerator<FollowItem, void, undefined> {
    let { place } = options;
    yield { kind: "checkpoint", seq: place };
    let toldAt = performance.now();
    while (!left.signal.aborted) {
      ear.reset();
      const batch = recentBatch(place) ?? (await unlessLeft(storeBatch(place)));
      if (!batch) return;
      if (batch.purged > place) {
        yield { kind: "gap", after: place, seq: batch.purged };
        place = batch.purged;
        continue;
      }
      for (const { seq, event } of batch.entries) {
        yield event ? { kind: "event", event } : { kind: "gap", after: place, seq };
        if (left.signal.aborted) return;
        place = seq;
      }
      place = Math.max(place, batch.upTo);
      if (batch.entries.length > 0) toldAt = performance.now();
      const isDue = performance.now() >= toldAt + checkpointMs;
      if (!batch.isLast && !isDue) continue;
      if (batch.isLast) onHead?.(place);
      if (left.signal.aborted) return;
      // Counted from the last item, not from the last ring: in a busy log the bell never rests.
      const isRung = batch.isLast && (await ear.wait(Math.max(0, toldAt + checkpointMs - performance.now())));
      if (isRung && performance.now() < toldAt + checkpointMs) continue;
      if (left.signal.aborted) return;
      yield { kind: "checkpoint", seq: place };
      toldAt = performance.now();
    }
  }

  /** Null as soon as the reader is left, though the store may never answer. */
  function unlessLeft<T>(answer: Promise<T>): Promise<T | null> {
    const { signal } = left;
    return new Promise((resolve, reject) => {
      const leave = () => resolve(null);
      if (signal.aborted) leave();
      signal.addEventListener("abort", leave, { once: true });
      answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }

  function recentBatch(place: number): Batch | null {
    const entries = recent.behind(place, BATCH);
    if (!entries) return null;
    const passing = entries.filter(
      ({ event, earlier }) =>
        !event || (matches(event, filter) && (revisions || !earlier.some((before) => matches(before, filter)))),
    );
    return { entries: passing, upTo: entries.at(-1)?.seq ?? place, isLast: entries.length < BATCH, purged: 0 };
  }

  async function storeBatch(place: number): Promise<Batch> {
    const head = recent.head();
    const through = place + STRETCH;
    const rows = await store.read({ filter, revisions, after: place, through, order: "oldestFirst", limit: BATCH });
    // Whoever must know of an event before its readers is told now (see EventLogDeps.onEvent).
    if ((rows.at(-1)?.seq ?? 0) > head) await recent.look();
    // Looked at after the rows: had anything behind this place been purged before they were read, it is known now.
    const purged = await store.purgedThrough();
    const last = rows.at(-1)?.seq ?? place;
    const upTo = rows.length === BATCH ? last : Math.min(through, Math.max(head, last));
    const found = rows.map((row) => ({ seq: row.seq, event: eventOf(row) }));
    const places = new Set(found.map(({ seq }) => seq));
    const unseen = damagedBetween(place, upTo).filter((seq) => !places.has(seq));
    const gaps = unseen.map((seq) => ({ seq, event: null }));
    const entries = [...found, ...gaps].sort((one, other) => one.seq - other.seq);
    // Behind the head that was known is the stretch in memory: never the end of what there is to read.
    return { entries, upTo, isLast: false, purged };
  }

  const items = read();
  const leave = () => {
    left.abort();
    ear.close();
  };
  return {
    async next() {
      try {
        return await items.next();
      } catch (error) {
        leave();
        throw error;
      }
    },
    async return() {
      leave();
      await items.return();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

interface Batch {
  entries: readonly { seq: number; event: CallEndedEvent | null }[];
  /** Up to where the filter has looked. */
  upTo: number;
  /** There was nothing more to read then. */
  isLast: boolean;
  purged: number;
}
