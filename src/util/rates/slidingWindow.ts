// Counts events of the last ten seconds by name.

const SECONDS = 10;

export interface SlidingWindow<Name extends string> {
  add(name: Name): void;
  count(name: Name): number;
  clear(): void;
}

/** `now`: milliseconds of a monotonic clock. */
export function createSlidingWindow<Name extends string>(now: () => number): SlidingWindow<Name> {
  let seconds = new Map<number, Map<Name, number>>();

  function current(): number {
    const second = Math.floor(now() / 1000);
    for (const old of seconds.keys()) if (old <= second - SECONDS) seconds.delete(old);
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
