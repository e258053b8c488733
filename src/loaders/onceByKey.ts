// A loader that asks for each key once, however often it is loaded. The service answers one question at a time, so a batch
// is one key: a slow or failed answer holds up no other.
import DataLoader from "dataloader";

export interface Loader<Key, Value> {
  /** Rejects with what the question for this very key met, each time it is loaded. */
  load(key: Key): Promise<Value>;
}

/** `textOf` tells keys apart: equal texts share one answer. */
export function onceByKey<Key, Value>(
  ask: (key: Key) => Promise<Value>,
  textOf: (key: Key) => string,
): Loader<Key, Value> {
  const answerOf = (key: Key): Promise<Value | Error> => ask(key).catch(asError);
  return new DataLoader<Key, Value, string>((keys) => Promise.all(keys.map(answerOf)), {
    batch: false,
    cacheKeyFn: textOf,
  });
}

/** Answered, not thrown: DataLoader would forget a key that threw, and ask a failing service once more. */
function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The question was given up.", { cause: reason });
}
