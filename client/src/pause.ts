// Pauses between tries, and scopes that end when one of several signals does.

/** "Full jitter": from 0 to a limit that doubles with each failure. `retryAfter`, in seconds, is waited in any case. */
export function pauseMs(failures: number, maxMs: number, random: () => number, retryAfter = 0): number {
  return retryAfter * 1000 + random() * Math.min(maxMs, 1000 * 2 ** failures);
}

/** Resolves after the pause, or as soon as the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

export interface Scope {
  signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Lets go of the signals without an abort. */
  release(): void;
}

/** Aborted with the reason of the first of the signals. AbortSignal.any is missing in Node 20.0 and older browsers. */
export function createScope(...signals: (AbortSignal | undefined)[]): Scope {
  const controller = new AbortController();
  const release = () => signals.forEach((signal) => signal?.removeEventListener("abort", onAbort));
  const abort = (reason?: unknown) => {
    release();
    controller.abort(reason);
  };
  function onAbort(this: AbortSignal): void {
    abort(this.reason);
  }
  for (const signal of signals) {
    if (signal?.aborted) abort(signal.reason);
    else signal?.addEventListener("abort", onAbort);
  }
  return { signal: controller.signal, abort, release };
}
