// Long work in slices. Between two slices the event loop serves everything else.
import { setImmediate } from "node:timers/promises";

/** Yields after each small step: at most about a millisecond of work. */
export type Steps<T> = Generator<void, T, void>;

export interface Slices {
  /**
   * Runs the steps to their end. The first slice has its share of the turn, so short work does not wait. However many works
   * run at a time, one turn of the event loop holds one slice beside those. Rejects with what a step throws.
   */
  run<T>(steps: Steps<T>): Promise<T>;
  /** Resolves in a turn of the event loop that is not held by another slice. */
  turn(): Promise<void>;
  /**
   * To be asked before each short work of many, such as an event of a replay. Undefined: the work may begin, because such
   * works took less than a slice in this turn of the event loop. Else resolves in a later turn.
   */
  share(): Promise<void> | undefined;
}

const SLICE_MS = 10;

/** A gateway has one: two of them would put two slices into one turn of the event loop. */
export function createSlices(): Slices {
  let lastTurn: Promise<void> = Promise.resolve();
  const nextTurn = () => (lastTurn = lastTurn.then(() => setImmediate()));
  /** When the time of short works in this turn is over; null: none has begun. */
  let sharedUntil: number | null = null;
  function beginShared(): void {
    sharedUntil = performance.now() + SLICE_MS;
    void setImmediate().then(() => (sharedUntil = null));
  }
  function share(): Promise<void> | undefined {
    if (sharedUntil === null) beginShared();
    else if (performance.now() >= sharedUntil) return nextTurn();
    return undefined;
  }
  return {
    async run(steps) {
      // Without a pause where there is none: others who begin in this turn are to see what the first slice took.
      const pause = share();
      if (pause) await pause;
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
    share,
  };
}

/** The same without a pause, for work that is known to be short. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
