// Combines reads that are requested at the same time into one query: ten thousand subscribers that wake together cost one.
// Nothing is cached, so an answer is never older than its request.

/** A read without a key: all callers that wait get the answer of one read. */
export function shareRead<Value>(read: () => Promise<Value>): () => Promise<Value> {
  const readBatch = createBatchedRead(async () => new Map([["only", await read()]]));
  return async () => (await readBatch(["only"])).get("only") as Value;
}

/**
 * Runs `read` for one batch at a time. Keys requested while a batch runs form the next batch. The answer may hold keys of
 * other callers. Where `read` rejects, every caller of the batch gets the error.
 */
export function createBatchedRead<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>> {
  let running: Promise<unknown> = Promise.resolve();
  let next: { keys: Set<Key>; answer: Promise<ReadonlyMap<Key, Value>> } | null = null;

  function openBatch() {
    const keys = new Set<Key>();
    const answer = running.then(() => {
      next = null;
      return read([...keys]);
    });
    running = answer.catch(() => undefined);
    return { keys, answer };
  }

  return (keys) => {
    next ??= openBatch();
    for (const key of keys) next.keys.add(key);
    return next.answer;
  };
}
