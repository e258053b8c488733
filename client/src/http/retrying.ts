// Repeats a request that may be repeated: a query, or createTask with its key.
import { pause, pauseMs } from "../pause.ts";
import { SwitchboardError } from "../switchboardError.ts";

export interface RetryOptions {
  signal: AbortSignal;
  random: () => number;
  mayRetry: (error: SwitchboardError) => boolean;
}

const TRIES = 5;
const MAX_PAUSE_MS = 10_000;
/** Seconds. A caller would rather have the error than wait longer. */
const MAX_RETRY_AFTER = 30;

/** Throws the error of the last try, or the reason of the signal. */
export async function retrying<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, random, mayRetry } = options;
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const isPassing = error instanceof SwitchboardError && mayRetry(error) && failures + 1 < TRIES;
      if (!isPassing || (error.retryAfter ?? 0) > MAX_RETRY_AFTER) throw error;
      await pause(pauseMs(failures, MAX_PAUSE_MS, random, error.retryAfter), signal);
    }
  }
}

/** The request, and its credentials, may not have reached the gateway. */
export function isUnsent({ code }: SwitchboardError): boolean {
  return code === "NETWORK" || code === "AUTHORIZATION_FAILED";
}

/** The gateway may be restarting, or a proxy did not reach it. */
export function isUnreached(error: SwitchboardError): boolean {
  return isUnsent(error) || [502, 503, 504].includes(error.status ?? 0);
}
