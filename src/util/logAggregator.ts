// Counts events that may happen thousands of times a second, and reports the counts at intervals.

/** Disposing it reports the counts that are left. */
export interface LogAggregator extends Disposable {
  add(name: string): void;
}

export interface LogAggregatorTimes {
  /** The shortest time between two reports. */
  intervalMs: number;
  /** True: the first event after a silence is reported at once. False: it waits for the interval. */
  reportsFirstAtOnce: boolean;
}

/** `report` gets the number of events by name since the last report. */
export function createLogAggregator(
  report: (counts: Record<string, number>) => void,
  times: LogAggregatorTimes,
): LogAggregator {
  let counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0) return;
    const reported = Object.fromEntries(counts);
    counts = new Map();
    report(reported);
  }
  function wait(): void {
    timer = setTimeout(() => {
      const wasQuiet = counts.size === 0;
      flush();
      if (!wasQuiet) wait();
    }, times.intervalMs).unref();
  }
  return {
    add(name) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (timer) return;
      if (times.reportsFirstAtOnce) flush();
      wait();
    },
    [Symbol.dispose]: flush,
  };
}
