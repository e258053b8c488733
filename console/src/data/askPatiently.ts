/** What a SwitchboardError tells of another try. */
interface Waitable {
  retryable?: boolean;
  /** Seconds. */
  retryAfter?: number | undefined;
}

const TRIES = 5;
const LONGEST_WAIT_MS = 60_000;

/**
 * Asks again after an error that may pass. Throws the error where that does not help or would take too long, or the signal's reason.
 * `onWait`: told the time of the next try, in epoch milliseconds.
 */
export async function askPatiently<Answer>(
  ask: () => Promise<Answer>,
  signal: AbortSignal,
  onWait: (until: number) => void,
): Promise<Answer> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await ask();
    } catch (error) {
      const wait = waitMs(error as Waitable, failures);
      if (wait === null) throw error;
      onWait(Date.now() + wait);
      await pause(wait, signal);
    }
  }
}

/** Null: trying again does not help, or would take too long. */
function waitMs({ retryable, retryAfter }: Waitable, failures: number): number | null {
  if (!retryable && retryAfter === undefined) return null;
  const ms = Math.max((retryAfter ?? 0) * 1000, 1000 * 2 ** failures);
  return failures + 1 < TRIES && ms <= LONGEST_WAIT_MS ? ms : null;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
