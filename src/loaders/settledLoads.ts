// A loader that tells when nothing is being loaded: whoever would ask together waits for that.
import type { Loader } from "./onceByKey.ts";

export interface SettledLoader<Key, Value> extends Loader<Key, Value> {
  /** Resolves when every load has ended, well or not, and what waited for them has had its turn: it may have begun others. */
  settled(): Promise<void>;
}

export function trackSettled<Key, Value>(loader: Loader<Key, Value>): SettledLoader<Key, Value> {
  const loading = new Set<Promise<unknown>>();
  return {
    load(key) {
      const load = loader.load(key);
      // Loaded before: it is the same promise.
      if (loading.has(load)) return load;
      const end = () => void loading.delete(load);
      loading.add(load);
      void load.then(end, end);
      return load;
    },
    async settled() {
      do {
        await Promise.allSettled(loading);
        // After all microtasks: those of whoever waited for the last load are among them.
        await new Promise<void>((resolve) => process.nextTick(resolve));
      } while (loading.size > 0);
    },
  };
}
