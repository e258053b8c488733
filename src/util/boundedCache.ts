// A cache that is bounded by the number of its entries and by their size together. Full, it is emptied: what is asked for is
// soon in it again, and no order of entries has to be kept.

export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  has(key: string): boolean;
  set(key: string, value: Value, size: number): void;
  clear(): void;
}

export function createBoundedCache<Value>({ most, mostSize }: { most: number; mostSize: number }): BoundedCache<Value> {
  const entries = new Map<string, Value>();
  let total = 0;

  function clear(): void {
    entries.clear();
    total = 0;
  }
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value, size) {
      if (entries.size >= most || total + size > mostSize) clear();
      entries.set(key, value);
      total += size;
    },
    clear,
  };
}
