// Runs background work again and again, with a pause after each round.

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
