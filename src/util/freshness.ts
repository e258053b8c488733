// Tells the holder of something that was read whether it may still be used. The reader hands out a freshness with the value, and
// ends it when the value changes. A holder keeps the freshness without the value.

export interface Freshness {
  /** Milliseconds of performance.now(). Moved into the past when a change ends it. */
  endsAt: number;
}

/** For what was never fresh. */
export const notFresh: Readonly<Freshness> = Object.freeze({ endsAt: -Infinity });

export function endFreshness(freshness: Freshness): void {
  freshness.endsAt = -Infinity;
}

/** When the first of them ends. Infinity for none. */
export function earliestEnd(all: readonly Readonly<Freshness>[]): number {
  return all.reduce((earliest, { endsAt }) => Math.min(earliest, endsAt), Infinity);
}

/** For something that is fresh until it changes. */
export interface ChangingSource {
  /** Take it before you read. */
  freshness(): Readonly<Freshness>;
  /** To be called with each change. */
  changed(): void;
}

export function createChangingSource(): ChangingSource {
  let current: Freshness = { endsAt: Infinity };
  return {
    freshness: () => current,
    changed() {
      endFreshness(current);
      current = { endsAt: Infinity };
    },
  };
}
