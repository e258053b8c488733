// Counts events of the last seconds by name.

export interface SlidingWindow<Name extends string> {
  add(name: Name): void;
  count(name: Name): number;
  clear(): void;
}

/** `now`: milliseconds of a monotonic clock. `length`: in seconds. */
export function createSlidingWindow<Name extends string>(now: () => number, length = 10): SlidingWindow<Name> {
  let seconds = new Map<number, Map<Name, number>>();

  function current(): number {
    const second = Math.floor(now() / 1000);
    // The oldest second is the first key.
    for (const old of seconds.keys()) {
      if (old > second - length) break;
      seconds.delete(old);
    }
    return second;
  }
  return {
    add(name) {
      const second = current();
      const counts = seconds.get(second) ?? new Map<Name, number>();
      seconds.set(second, counts.set(name, (counts.get(name) ?? 0) + 1));
    },
    count(name) {
      current();
      return seconds.values().reduce((sum, counts) => sum + (counts.get(name) ?? 0), 0);
    },
    clear() {
      seconds = new Map();
    },
  };
}
