/** The same reader, told in other words; `return()` still ends it at once. */
export function mapAsync<T, U>(items: AsyncIterableIterator<T>, told: (item: T) => U): AsyncIterableIterator<U> {
  return {
    async next() {
      const { done, value } = await items.next();
      return done ? { done: true, value: undefined } : { done: false, value: told(value) };
    },
    async return() {
      await items.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
