// Lets a reader of the log be left at once, even while it waits for the bell or for a store that may never answer.
import type { Listener } from "../util/signal.ts";

interface Items<T> {
  next(): Promise<IteratorResult<T, void>>;
  return(): Promise<unknown>;
}

export interface AbortableIterator {
  isLeft(): boolean;
  /** Null as soon as the reader is left. Rejects as the answer does. */
  unlessLeft<T>(answer: Promise<T>): Promise<T | null>;
  /** The reader's items; whether they end, fail, or `return()` is called, the ear is off the bell then. */
  iterate<T>(items: Items<T>): AsyncIterableIterator<T>;
}

export function createAbortableIterator(ear: Listener): AbortableIterator {
  const left = new AbortController();
  const { signal } = left;
  const leave = () => {
    left.abort();
    ear.close();
  };
  return {
    isLeft: () => signal.aborted,
    unlessLeft: (answer) =>
      new Promise((resolve, reject) => {
        const end = () => resolve(null);
        if (signal.aborted) end();
        signal.addEventListener("abort", end, { once: true });
        answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
      }),
    iterate: (items) => ({
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
    }),
  };
}
