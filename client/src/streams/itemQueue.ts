// Items between a connection and a consumer that takes them at its own pace.

export interface ItemQueue<Item> {
  push(item: Item): void;
  size(): number;
  /** One call at a time. The next item; undefined when the queue has ended and is empty. Rejects with the error of its end. */
  pull(): Promise<Item | undefined>;
  /** The consumer gets the items that are left, and then the error, if there is one. Only the first end counts. */
  end(error?: Error): void;
  /** Drops the items that are left. */
  clear(): void;
  /** Resolves when at most `size` items are left, or the queue has ended. */
  drained(size: number): Promise<void>;
}

export function createItemQueue<Item>(): ItemQueue<Item> {
  let items: Item[] = [];
  let isEnded = false;
  let failure: Error | undefined;
  let wakeConsumer = () => {};
  let drain = { size: -1, resolve: () => {} };

  const checkDrained = () => {
    if (isEnded || items.length <= drain.size) drain.resolve();
  };
  return {
    push(item) {
      if (isEnded) return;
      items.push(item);
      wakeConsumer();
    },
    size: () => items.length,
    async pull() {
      if (items.length === 0 && !isEnded) await new Promise<void>((resolve) => (wakeConsumer = resolve));
      const item = items.shift();
      checkDrained();
      if (item === undefined && failure) {
        const error = failure;
        failure = undefined;
        throw error;
      }
      return item;
    },
    end(error) {
      if (!isEnded) failure = error;
      isEnded = true;
      wakeConsumer();
      checkDrained();
    },
    clear() {
      items = [];
    },
    drained: (size) =>
      new Promise((resolve) => {
        drain = { size, resolve };
        checkDrained();
      }),
  };
}
