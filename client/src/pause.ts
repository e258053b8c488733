// Pauses between tries.

/** An hour. A longer timer than 24 days would end at once. */
const MAX_RETRY_AFTER = 3600;

/** "Full jitter": from 0 to a limit that doubles with each failure. `retryAfter`, in seconds, is waited in any case. */
export function pauseMs(failures: number, maxMs: number, random: () => number, retryAfter = 0): number {
  return Math.min(retryAfter, MAX_RETRY_AFTER) * 1000 + random() * Math.min(maxMs, 1000 * 2 ** failures);
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
