// Wakes the readers of the log. A reader listens first, reads then, and waits last: a ring in between is not lost, for
// the ear remembers it. A ring may be spurious, never missing.

export interface Signal {
  notify(): void;
  listen(): Listener;
}

/** One reader's. Not to be waited on twice at once. */
export interface Listener {
  /** Forgets what was heard: call it before reading. */
  reset(): void;
  /**
   * True at the next ring, at once if one was heard since the reset, and at once when the ear is closed; false after so
   * many milliseconds without one.
   */
  wait(withinMs: number): Promise<boolean>;
  /** Ends a wait, and takes the ear off the bell. */
  close(): void;
}

/** Woken in one turn of the event loop: thousands of readers at once would hold it while each makes its answer. */
const WOKEN_TOGETHER = 100;

function wakeSome(ears: readonly (() => void)[], from: number): void {
  for (const hear of ears.slice(from, from + WOKEN_TOGETHER)) hear();
  if (from + WOKEN_TOGETHER < ears.length) setImmediate(wakeSome, ears, from + WOKEN_TOGETHER);
}

export function createSignal(): Signal {
  const ears = new Set<() => void>();
  return {
    notify() {
      wakeSome([...ears], 0);
    },
    listen() {
      let heard = false;
      let wake: ((rung: boolean) => void) | undefined;
      const hear = () => {
        heard = true;
        wake?.(true);
      };
      ears.add(hear);
      return {
        reset() {
          heard = !ears.has(hear);
        },
        wait: (withinMs) =>
          new Promise((resolve) => {
            if (heard) return resolve(true);
            const timer = setTimeout(resolve, withinMs, false);
            wake = (rung) => {
              clearTimeout(timer);
              resolve(rung);
            };
          }),
        close() {
          ears.delete(hear);
          hear();
        },
      };
    },
  };
}
