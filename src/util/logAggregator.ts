// Counts what may happen a thousand times a second, and tells it now and then.

/** Disposing tells what has not been told. */
export interface LogAggregator extends Disposable {
  add(word: string): void;
}

export interface LogAggregatorTimes {
  /** So long at least lies between one telling and the next. */
  intervalMs: number;
  /** Whether the first after a silence is told by itself and at once, or with what comes in the time behind it. */
  reportsFirstAtOnce: boolean;
}

/** `tell` is given how often each word was added since it was called last. */
export function createLogAggregator(
  tell: (counts: Record<string, number>) => void,
  times: LogAggregatorTimes,
): LogAggregator {
  let counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0) return;
    const told = Object.fromEntries(counts);
    counts = new Map();
    tell(told);
  }
  function wait(): void {
    timer = setTimeout(() => {
      const wasQuiet = counts.size === 0;
      flush();
      if (!wasQuiet) wait();
    }, times.intervalMs).unref();
  }
  return {
    add(word) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      if (timer) return;
      if (times.reportsFirstAtOnce) flush();
      wait();
    },
    [Symbol.dispose]: flush,
  };
}
