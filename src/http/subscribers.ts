// How many subscriptions run in this process, whatever transport they came by.

export interface Subscribers {
  /** The same results, counted from now until they end or their reader leaves. */
  counted<T>(results: AsyncIterableIterator<T>): AsyncIterableIterator<T>;
  running(): number;
}

export function createSubscribers(): Subscribers {
  // A set, so that a reader who leaves twice is taken off once.
  const present = new Set<symbol>();
  return {
    running: () => present.size,
    counted(results) {
      const reader = Symbol("reader");
      present.add(reader);
      return {
        async next() {
          const result = await results.next();
          if (result.done) present.delete(reader);
          return result;
        },
        async return() {
          present.delete(reader);
          await results.return?.();
          return { done: true, value: undefined };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}
