// Wakes everyone who waits for news. Listen first, then read, then wait: a listener remembers a notification in between, so
// none is lost. A notification may be spurious, but never missing.

export interface Signal {
  /** Wakes all listeners, a hundred in one turn of the event loop. */
  notify(): void;
  listen(): Listener;
}

/** One reader's. Only one `wait` may run at a time. */
export interface Listener {
  /** Forgets earlier notifications. Call it before reading. */
  reset(): void;
  /**
   * Resolves with true at the next notification: at once if one came since the reset, or if the listener is closed.
   * Resolves with false after `timeoutMs` without one.
   */
  wait(timeoutMs: number): Promise<boolean>;
  /** Removes the listener and ends its wait. */
  close(): void;
}

/** Listeners woken in one turn of the event loop. Thousands at once would block it while each prepares its answer. */
const WAKE_BATCH = 100;

function wakeBatch(listeners: readonly (() => void)[], from: number): void {
  for (const wake of listeners.slice(from, from + WAKE_BATCH)) wake();
  if (from + WAKE_BATCH < listeners.length) setImmediate(wakeBatch, listeners, from + WAKE_BATCH);
}

export function createSignal(): Signal {
  const listeners = new Set<() => void>();
  return {
    notify() {
      wakeBatch([...listeners], 0);
    },
    listen() {
      let isNotified = false;
      let endWait: ((notified: boolean) => void) | undefined;
      const wake = () => {
        isNotified = true;
        endWait?.(true);
      };
      listeners.add(wake);
      return {
        reset() {
          // A closed listener stays notified, so that it never waits again.
          isNotified = !listeners.has(wake);
        },
        wait: (timeoutMs) =>
          new Promise((resolve) => {
            if (isNotified) return resolve(true);
            const timer = setTimeout(resolve, timeoutMs, false);
            endWait = (notified) => {
              clearTimeout(timer);
              resolve(notified);
            };
          }),
        close() {
          listeners.delete(wake);
          wake();
        },
      };
    },
  };
}
