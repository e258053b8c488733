// A cache with a limit on its entries and on their total size. A new entry beyond a limit evicts those that were least
// recently used.

export interface BoundedCache<Key, Value> {
  /** Marks the entry as used. */
  get(key: Key): Value | undefined;
  /** Leaves the order of use as it is. */
  has(key: Key): boolean;
  /** Replaces the entry of the key. An entry larger than the whole cache is not kept. */
  set(key: Key, value: Value, size?: number): void;
  delete(key: Key): void;
  clear(): void;
}

export interface BoundedCacheLimits {
  maxEntries: number;
  /** The sum of the sizes given to `set`, in whatever unit the caller measures. */
  maxSize?: number;
}

export function createBoundedCache<Key, Value>({
  maxEntries,
  maxSize = Infinity,
}: BoundedCacheLimits): BoundedCache<Key, Value> {
  // A Map iterates in the order of insertion: the first entry is the least recently used.
  const entries = new Map<Key, { value: Value; size: number }>();
  let totalSize = 0;
  /** The key that was used last. Reading it again needs no new order, which keeps a cache with one hot key fast. */
  let lastUsed: Key | undefined;

  function remove(key: Key): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    if (key === lastUsed) lastUsed = undefined;
    totalSize -= entry.size;
  }
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (key !== lastUsed) {
        entries.delete(key);
        entries.set(key, entry);
        lastUsed = key;
      }
      return entry.value;
    },
    has: (key) => entries.has(key),
    set(key, value, size = 1) {
      remove(key);
      if (size > maxSize) return;
      entries.set(key, { value, size });
      lastUsed = key;
      totalSize += size;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && totalSize <= maxSize) return;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      entries.clear();
      // A key may hold a phone number: nothing may keep it.
      lastUsed = undefined;
      totalSize = 0;
    },
  };
}
