// Reads in one go what is asked for at the same time, by whomever: ten thousand readers of one event are one query. Nothing
// is remembered, so that an answer is never older than its question.

/** One answer for all who ask while none is being read. */
export function shareRead<Value>(read: () => Promise<Value>): () => Promise<Value> {
  const together = createBatchedRead(async () => new Map([["it", await read()]]));
  return async () => (await together(["it"])).get("it") as Value;
}

/**
 * `read` answers every key by key, and is called once at a time: what is asked for meanwhile waits, and is read together. An
 * answer may hold keys that others asked for. Rejects as `read` does, for all who were read together.
 */
export function createBatchedRead<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>> {
  let idle: Promise<unknown> = Promise.resolve();
  let next: { keys: Set<Key>; answer: Promise<ReadonlyMap<Key, Value>> } | null = null;

  function begin() {
    const keys = new Set<Key>();
    const answer = idle.then(() => {
      next = null;
      return read([...keys]);
    });
    idle = answer.catch(() => undefined);
    return { keys, answer };
  }

  return (keys) => {
    next ??= begin();
    for (const key of keys) next.keys.add(key);
    return next.answer;
  };
}
