// The iterator that a consumer of a stream has. The stream starts with the first `next()`.
import type { ItemQueue } from "./itemQueue.ts";
import type { Scope } from "../scope.ts";
import type { CursorStore } from "../types.ts";

/** An item for the consumer, or only a new place in the log. */
export interface Entry<Item> {
  item?: Item;
  cursor?: string;
}

export interface StreamIteratorDeps<Item> {
  queue: ItemQueue<Entry<Item>>;
  /** Its abort ends the stream. */
  scope: Scope;
  /** Fills the queue until the stream ends. Rejects with the error that ends it. */
  run: () => Promise<void>;
  /** Called once. */
  onEnd: (error?: Error) => void;
  cursorStore?: CursorStore | undefined;
}

/** Concurrent calls of `next()` get the items in the order of the calls. */
export function createStreamIterator<Item>(deps: StreamIteratorDeps<Item>): AsyncIterableIterator<Item> {
  const { queue, scope, run, onEnd, cursorStore } = deps;
  /** The cursor of the item that the consumer has, until it asks for the next one. */
  let taken: string | undefined;
  let previous: Promise<unknown> | null = null;
  let isEnded = false;
  const { signal } = scope;

  function end(error?: Error): void {
    if (isEnded) return;
    isEnded = true;
    queue.end(error);
    onEnd(error);
  }
  function start(): Promise<void> {
    signal.addEventListener("abort", () => {
      queue.clear();
      end();
    });
    if (signal.aborted) end();
    else
      run().then(
        () => end(),
        (error: Error) => end(signal.aborted ? undefined : error),
      );
    return Promise.resolve();
  }
  async function step(): Promise<IteratorResult<Item, undefined>> {
    for (;;) {
      if (taken !== undefined) await cursorStore?.save(taken);
      taken = undefined;
      const entry = await queue.pull();
      if (!entry) {
        scope.release();
        return { done: true, value: undefined };
      }
      taken = entry.cursor;
      if (entry.item !== undefined) return { done: false, value: entry.item };
    }
  }
  async function stepOrEnd(): Promise<IteratorResult<Item, undefined>> {
    try {
      return await step();
    } catch (error) {
      taken = undefined;
      queue.end();
      end(error as Error);
      scope.abort();
      throw error;
    }
  }
  return {
    next() {
      const result = (previous ?? start()).then(stepOrEnd, stepOrEnd);
      previous = result;
      return result;
    },
    async return() {
      if (!previous) end();
      previous ??= Promise.resolve();
      scope.abort();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
