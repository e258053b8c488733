// A loader that asks for each key once, however often it is loaded. The service answers one question at a time, so there is
// nothing to gather: a slow or failed answer holds up no other.

export interface Loader<Key, Value> {
  /** Rejects with what the question for this very key met, each time it is loaded. */
  load(key: Key): Promise<Value>;
}

/** `textOf` tells keys apart: equal texts share one answer. */
export function onceByKey<Key, Value>(
  ask: (key: Key) => Promise<Value>,
  textOf: (key: Key) => string,
): Loader<Key, Value> {
  const answers = new Map<string, Promise<Value>>();
  return {
    load(key) {
      const text = textOf(key);
      const answer = answers.get(text) ?? ask(key);
      answers.set(text, answer);
      return answer;
    },
  };
}

/** Made when it is first asked: most requests need few of their loaders. */
export function lazyLoader<Key, Value>(make: () => Loader<Key, Value>): Loader<Key, Value> {
  let made: Loader<Key, Value> | undefined;
  return { load: (key) => (made ??= make()).load(key) };
}
