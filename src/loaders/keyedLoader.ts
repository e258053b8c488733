// Loaders by key: each key is loaded once, however often it is requested. A loader lives as long as one request or event.
import DataLoader from "dataloader";
import type { MaybePromise } from "../util/maybePromise.ts";

export interface Loader<Key, Value> {
  /** Rejects with the error for this very key, each time it is loaded. */
  load(key: Key): Promise<Value>;
}

/**
 * Loads each key on its own, at once: the service answers one query at a time, so there is nothing to batch. `textOf`
 * identifies a key: keys with equal texts share one result. `beforeReuse` is called before each further use of a result.
 */
export function onceByKey<Key, Value>(
  fetch: (key: Key) => Promise<Value>,
  textOf: (key: Key) => string,
  beforeReuse?: (value: Value) => MaybePromise<void>,
): Loader<Key, Value> {
  const results = new Map<string, Promise<Value>>();
  return {
    load(key) {
      const text = textOf(key);
      const known = results.get(text);
      // Without it, the same promise: a list of a hundred calls asks for the task of each.
      if (known) return beforeReuse ? reuse(known, beforeReuse) : known;
      const result = fetch(key);
      results.set(text, result);
      return result;
    },
  };
}

async function reuse<Value>(result: Promise<Value>, before: (value: Value) => MaybePromise<void>): Promise<Value> {
  const value = await result;
  const turn = before(value);
  if (turn) await turn;
  return value;
}

/**
 * Loads the keys of one event loop turn in a single batch. `fetch` returns its results by the key's text (`textOf`): a missing
 * key is null, and a key with an Error rejects alone.
 */
export function batchByKey<Key, Value>(
  fetch: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Value | Error>>,
  textOf: (key: Key) => string,
): Loader<Key, Value | null> {
  return new DataLoader<Key, Value | null, string>(
    async (keys) => {
      const results = await fetch(keys);
      return keys.map((key) => results.get(textOf(key)) ?? null);
    },
    { cacheKeyFn: textOf },
  );
}

/** Like batchByKey, but `fetch` returns its results in the order of the keys. */
export function batchInOrder<Value>(
  fetch: (keys: readonly string[]) => Promise<readonly (Value | Error | null)[]>,
): Loader<string, Value | null> {
  return new DataLoader<string, Value | null>(fetch);
}

/** Creates the loader on first use, because most requests need few of their loaders. */
export function lazyLoader<Key, Value>(create: () => Loader<Key, Value>): Loader<Key, Value> {
  let loader: Loader<Key, Value> | undefined;
  return { load: (key) => (loader ??= create()).load(key) };
}

export interface TrackedLoader<Key, Value> extends Loader<Key, Value> {
  /**
   * Resolves when no load is in flight. Loads that start as a reaction to the end of another one are waited for too.
   */
  settled(): Promise<void>;
}

/** Adds `settled` to a loader, for callers that want to combine what other loads lead to. */
export function trackSettled<Key, Value>(loader: Loader<Key, Value>): TrackedLoader<Key, Value> {
  const inFlight = new Set<Promise<unknown>>();
  return {
    load(key) {
      const load = loader.load(key);
      // The loader returns the same promise for a key that was loaded before.
      if (inFlight.has(load)) return load;
      const remove = () => void inFlight.delete(load);
      inFlight.add(load);
      void load.then(remove, remove);
      return load;
    },
    async settled() {
      do {
        await Promise.allSettled(inFlight);
        // nextTick runs after all microtasks, and so after the reactions to the last load.
        await new Promise<void>((resolve) => process.nextTick(resolve));
      } while (inFlight.size > 0);
    },
  };
}
