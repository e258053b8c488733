// Long work in slices. Between two slices the event loop serves everything else.
import { setImmediate } from "node:timers/promises";

/** Yields after each small step: at most about a millisecond of work. */
export type Steps<T> = Generator<void, T, void>;

export interface Slices {
  /**
   * Runs the steps to their end. The first slice runs at once, so short work does not wait. However many works run at
   * a time, one turn of the event loop holds one slice. Rejects with what a step throws.
   */
  run<T>(steps: Steps<T>): Promise<T>;
  /** Resolves in a turn of the event loop that is not held by another slice. */
  turn(): Promise<void>;
}

const SLICE_MS = 10;

/** A gateway has one: two of them would put two slices into one turn of the event loop. */
export function createSlices(): Slices {
  let lastTurn: Promise<void> = Promise.resolve();
  const nextTurn = () => (lastTurn = lastTurn.then(() => setImmediate()));
  return {
    async run(steps) {
      for (;;) {
        const end = performance.now() + SLICE_MS;
        do {
          const step = steps.next();
          if (step.done) return step.value;
        } while (performance.now() < end);
        await nextTurn();
      }
    },
    turn: nextTurn,
  };
}

/** The same without a pause, for work that is known to be short. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
