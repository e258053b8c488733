// The newest items of callEndedStream, read while a component shows them.
import type { CursorStore, StreamItem } from "../types.ts";
import type { SwitchboardError } from "../switchboardError.ts";
import { createStore, type Store } from "./store.ts";

export interface CallListState<Call> {
  /** The newest first. */
  items: readonly StreamItem<Call>[];
  /** Why the stream ended. Null while it runs. */
  error: SwitchboardError | null;
}

export interface CallList<Call> extends Store<CallListState<Call>> {
  setLimit(limit: number): void;
}

export interface CallListStart<Call> {
  /** What is shown at first, the newest first. */
  items: readonly StreamItem<Call>[];
  /** Where the stream begins. Null: at the present. */
  after: string | null;
  limit: number;
}

/** `open` reads the stream from the place in `cursorStore`, which moves with it: reading again misses and repeats nothing. */
export function createCallList<Call>(
  open: (place: { cursorStore: CursorStore; signal: AbortSignal }) => AsyncIterable<StreamItem<Call>>,
  { items, after, limit: firstLimit }: CallListStart<Call>,
): CallList<Call> {
  let limit = firstLimit;
  let cursor = after;
  const cursorStore: CursorStore = { load: () => cursor, save: (next) => void (cursor = next) };

  async function read({ get, set }: Store<CallListState<Call>>, signal: AbortSignal): Promise<void> {
    const fresh: StreamItem<Call>[] = [];
    /** Shows everything that came meanwhile with one rendering. */
    function show(): void {
      if (fresh.length > 0)
        set({ items: [...fresh.splice(0).toReversed(), ...get().items].slice(0, limit), error: null });
    }
    if (get().error !== null) set({ ...get(), error: null });
    try {
      for await (const item of open({ cursorStore, signal })) {
        if (signal.aborted) break;
        cursor = item.cursor;
        if (fresh.push(item) === 1) setTimeout(show);
      }
    } catch (error) {
      show();
      if (!signal.aborted) set({ ...get(), error: error as SwitchboardError });
    }
  }
  const store = createStore<CallListState<Call>>({ items: items.slice(0, limit), error: null }, read);
  return { ...store, setLimit: (next) => void (limit = next) };
}
