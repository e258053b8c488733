// A loader that asks for many keys at once, and for each once: what is loaded in one turn of a request is one question.
import DataLoader from "dataloader";
import type { Loader } from "./onceByKey.ts";

/**
 * `ask` answers by key; a key that is not in its answer is null, and one whose answer is an Error rejects alone. `textOf`
 * tells keys apart: equal texts share one answer, and are the keys of the answer.
 */
export function batchByKey<Key, Value>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Value | Error>>,
  textOf: (key: Key) => string,
): Loader<Key, Value | null> {
  return new DataLoader<Key, Value | null, string>(
    async (keys) => {
      const answers = await ask(keys);
      return keys.map((key) => answers.get(textOf(key)) ?? null);
    },
    { cacheKeyFn: textOf },
  );
}
