// Runs background work again and again, with a pause after each round.
import { setTimeout as pause } from "node:timers/promises";

/** A round never rejects. It resolves with the milliseconds until the next one. `signal` aborts when the work is stopped. */
export type Round = (signal: AbortSignal) => Promise<number>;

/** The first round begins at once. Disposing it aborts the signal and waits for a running round. The pauses keep no process alive. */
export function startRepeating(round: Round): AsyncDisposable {
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  function schedule(ms: number): void {
    if (stopped.signal.aborted) return;
    timer = setTimeout(() => {
      running = round(stopped.signal).then(schedule);
    }, ms);
    timer.unref();
  }

  schedule(0);
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/** setTimeout ends at once where it is asked for more. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A pause within a round: so many milliseconds, 25 days at most. Ends early when the signal aborts. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(Math.min(ms, MAX_TIMER_MS), undefined, { signal }).catch(() => undefined);
}
