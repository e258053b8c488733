// One reader of the log: listen, read, wait. It holds a place and one batch, never a queue, so that a slow reader lags in
// the log and not in memory.
import type { EventRow, EventRowFilter, EventStore } from "../store/eventStore.ts";
import type { Bell } from "./bell.ts";

export interface FollowOptions<T> {
  store: Pick<EventStore, "read" | "head">;
  bell: Bell;
  /** The seq behind which to begin. */
  place: number;
  filter: EventRowFilter;
  eventOf: (row: EventRow) => T;
}

const BATCH = 100;

/** Endless; `return()` ends it at once, even while it waits for the next event. */
export function follow<T>({ store, bell, place, filter, eventOf }: FollowOptions<T>): AsyncIterableIterator<T> {
  const ear = bell.listen();
  const left = new AbortController();

  async function* read(): AsyncGenerator<T, void, undefined> {
    let behind = place;
    while (!left.signal.aborted) {
      ear.reset();
      // Read before the rows: whatever the filter passes over up to here need not be looked at again.
      const head = await store.head();
      const rows = await store.read({ filter, after: behind, order: "oldestFirst", limit: BATCH });
      for (const row of rows) {
        if (left.signal.aborted) return;
        yield eventOf(row);
        behind = row.seq;
      }
      if (rows.length === BATCH) continue;
      behind = Math.max(behind, head);
      await ear.wait();
    }
  }

  const rows = read();
  const leave = () => {
    left.abort();
    ear.close();
  };
  return {
    async next() {
      try {
        return await rows.next();
      } catch (error) {
        leave();
        throw error;
      }
    },
    async return() {
      leave();
      await rows.return();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
