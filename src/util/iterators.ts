// Async iterators whose `return()` takes effect at once. An async generator would hold it back until its next item.
import type { MaybePromise } from "./maybePromise.ts";

export const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** `end`: called by `return()`. Afterwards `next` must resolve with DONE. */
export function iterate<T>(
  next: () => Promise<IteratorResult<T, undefined>>,
  end: () => unknown,
): AsyncIterableIterator<T, undefined> {
  return {
    next,
    async return() {
      await end();
      return DONE;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The items as `map` returns them; undefined: the item is left out. */
export function mapItems<Item, Mapped>(
  items: AsyncIterableIterator<Item>,
  map: (item: Item) => MaybePromise<Mapped | undefined>,
): AsyncIterableIterator<Mapped, undefined> {
  async function next(): Promise<IteratorResult<Mapped, undefined>> {
    for (;;) {
      const { done, value } = await items.next();
      if (done) return DONE;
      const mapped = map(value);
      const shown = mapped instanceof Promise ? await mapped : mapped;
      if (shown !== undefined) return { done: false, value: shown };
    }
  }
  return iterate(next, () => items.return?.());
}
