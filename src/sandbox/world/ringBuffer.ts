// A list that keeps only the newest entries, by number and by weight.
export interface Ring<T> {
  add(entry: T, weight?: number): void;
  /** Oldest first. */
  list(): T[];
  clear(): void;
}

export function createRing<T>(limits: { entries: number; weight?: number }): Ring<T> {
  let kept: { entry: T; weight: number }[] = [];
  let weight = 0;
  let first = 0;
  const { entries: most, weight: heaviest = Number.POSITIVE_INFINITY } = limits;
  return {
    add: (entry, own = 0) => {
      kept.push({ entry, weight: own });
      weight += own;
      while (kept.length - first > most || (weight > heaviest && kept.length - first > 1)) {
        weight -= kept[first]?.weight ?? 0;
        first += 1;
      }
      // What was given up is let go of now and then, not one by one.
      if (first <= Math.min(most, 1000)) return;
      kept = kept.slice(first);
      first = 0;
    },
    list: () => kept.slice(first).map(({ entry }) => entry),
    clear: () => {
      kept = [];
      weight = 0;
      first = 0;
    },
  };
}
