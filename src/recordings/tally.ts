// Counts what may happen a thousand times a second, and tells it once a second.

export interface Tally {
  add(word: string): void;
  /** Tells what has not been told, at once. */
  tell(): void;
}

const EVERY_MS = 1000;

/** `tell` is given how often each word was added since it was called last. */
export function createTally(tell: (counts: Record<string, number>) => void): Tally {
  let counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size > 0) tell(Object.fromEntries(counts));
    counts = new Map();
  }
  return {
    add(word) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      timer ??= setTimeout(flush, EVERY_MS).unref();
    },
    tell: flush,
  };
}
