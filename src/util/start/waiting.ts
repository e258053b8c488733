// Waits at the start for what is not there yet: a database, a folder, an address. A running gateway survives that these go
// away, so a starting one survives that they are away.
import { FinalError } from "./finalError.ts";

export interface Waiting {
  /**
   * Tries until an attempt succeeds. Throws a FinalError, an error of the program itself, and the signal's reason. `meanwhile` runs
   * after each failed attempt, and once beside an attempt that takes long; what it throws is reported as a failed attempt is.
   */
  until<T>(attempt: () => Promise<T>, meanwhile?: () => Promise<void>): Promise<T>;
}

export interface WaitingOptions {
  /** Gets each reason at once, and then at most once a minute. */
  log: { warn(fields: Record<string, unknown>, message: string): void };
  /** Ends the waiting. An attempt that runs is not interrupted. */
  signal?: AbortSignal | undefined;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/** The shortest pause between two attempts. After an attempt that took longer, the pause is as long as it was. */
const PAUSE_MS = 1000;
const REPORT_EVERY_MS = 60_000;
const LONG_ATTEMPT_MS = 10_000;

export function createWaiting({ log, signal, now = () => performance.now() }: WaitingOptions): Waiting {
  /** Those of the last minute. */
  let reported = new Set<string>();
  let minuteEndsAt = -Infinity;

  function reportFailure(error: unknown): void {
    if (now() >= minuteEndsAt) {
      reported = new Set();
      minuteEndsAt = now() + REPORT_EVERY_MS;
    }
    const reason = error instanceof Error ? error.message : String(error);
    if (!reported.has(reason)) log.warn({ reason }, "the start waits, and tries again every second");
    reported.add(reason);
  }

  return {
    async until(attempt, meanwhile = async () => undefined) {
      const runBeside = () => meanwhile().catch(reportFailure);
      for (;;) {
        signal?.throwIfAborted();
        const startedAt = now();
        const isLong = setTimeout(() => void runBeside(), LONG_ATTEMPT_MS);
        try {
          return await attempt();
        } catch (error) {
          if (error instanceof FinalError || isOfProgram(error)) throw error;
          if (!signal?.aborted) reportFailure(error);
        } finally {
          clearTimeout(isLong);
        }
        await runBeside();
        await pause(Math.max(PAUSE_MS, now() - startedAt), signal);
      }
    },
  };
}

/** Ends early when the signal aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}

/** A mistake in the code, which another attempt would only repeat. */
function isOfProgram(error: unknown): boolean {
  const kinds = [TypeError, RangeError, ReferenceError, SyntaxError];
  const isOne = kinds.some((kind) => error instanceof kind);
  return isOne || (error instanceof Error && error.cause instanceof Error && isOfProgram(error.cause));
}
