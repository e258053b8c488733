// A source of a subscription that a test feeds: `push` delivers to every open subscription.
import type { SubscriptionFields } from "../generated/testingGraph.ts";

export interface EventFeed<T> {
  /** Delivers an item to every subscription that is open now. */
  push(item: T): void;
  /** Completes every subscription that is open now. */
  end(): void;
  /** Number of open subscriptions. */
  readonly subscribers: number;
  /** Opens a subscription, which begins with `first`. */
  subscribe(...first: T[]): AsyncIterableIterator<T>;
}

type Result<T> = IteratorResult<T, undefined>;
interface Subscriber<T> {
  deliver(item: T): void;
  end(): void;
}

type CallStreamItem = SubscriptionFields["callEndedStream"]["result"];

/** Without a type of its own it feeds callEndedStream. */
export function createEventFeed<T = CallStreamItem>(): EventFeed<T> {
  const subscribers = new Set<Subscriber<T>>();

  function subscribe(...items: T[]): AsyncIterableIterator<T> {
    const waiting: ((result: Result<T>) => void)[] = [];
    let ended = false;
    const subscriber: Subscriber<T> = {
      deliver(item) {
        const next = waiting.shift();
        if (next) next({ value: item, done: false });
        else items.push(item);
      },
      end() {
        ended = true;
        subscribers.delete(subscriber);
        for (const next of waiting.splice(0)) next({ value: undefined, done: true });
      },
    };
    subscribers.add(subscriber);
    return {
      next() {
        if (items.length > 0) return Promise.resolve({ value: items.shift() as T, done: false });
        if (ended) return Promise.resolve({ value: undefined, done: true });
        return new Promise((resolve) => waiting.push(resolve));
      },
      return() {
        items.length = 0;
        subscriber.end();
        return Promise.resolve({ value: undefined, done: true });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  return {
    subscribe,
    push: (item) => [...subscribers].forEach((subscriber) => subscriber.deliver(item)),
    end: () => [...subscribers].forEach((subscriber) => subscriber.end()),
    get subscribers() {
      return subscribers.size;
    },
  };
}
