// Runs long work in slices of 10 ms. Between two slices the event loop serves everything else, and owners of work take turns.
import { createLoopTurns, type LoopTurns } from "./loopTurns.ts";

/** Work that yields after each small step of at most about a millisecond. */
export type Steps<T> = Generator<void, T, void>;

/** `owner`: the viewer's name. A viewer with a thousand tasks delays another viewer by one slice. */
export interface TimeSlices {
  /**
   * Runs the steps to their end. Short work does not wait, because the first slice shares the current turn of the event loop. A turn
   * holds at most one further slice, for any number of tasks. Rejects with what a step throws.
   */
  run<T>(owner: string, steps: Steps<T>): Promise<T>;
  /**
   * Call it before each of many short tasks, such as an event of a replay. Undefined: the task may start, because such tasks took
   * less than a slice in this turn of the event loop. Otherwise resolves in a later turn.
   */
  waitForSlice(owner: string): Promise<void> | undefined;
}

const SLICE_MS = 10;

/** A gateway has one instance: two would put two slices into one turn of the event loop. */
export function createTimeSlices(turns: LoopTurns = createLoopTurns()): TimeSlices {
  const nextTurn = createFairTurns(turns);
  /** When the slice of short tasks in this turn ends. Null: none has started. */
  let sharedUntil: number | null = null;
  function beginShared(): void {
    sharedUntil = performance.now() + SLICE_MS;
    turns.next(() => (sharedUntil = null));
  }
  function share(owner: string): Promise<void> | undefined {
    if (sharedUntil === null) beginShared();
    else if (performance.now() >= sharedUntil) return nextTurn(owner);
    return undefined;
  }
  return {
    async run(owner, steps) {
      // No await without a pause: other tasks of this turn must see the time that the first slice took.
      const pause = share(owner);
      if (pause) await pause;
      for (;;) {
        const end = performance.now() + SLICE_MS;
        do {
          const step = steps.next();
          if (step.done) return step.value;
        } while (performance.now() < end);
        await nextTurn(owner);
      }
    },
    waitForSlice: share,
  };
}

/** Gives each turn of the event loop to one waiting task: owners in rotation, and the tasks of an owner in order. */
function createFairTurns({ next }: LoopTurns): (owner: string) => Promise<void> {
  const waiting = new Map<string, (() => void)[]>();
  let isRunning = false;
  function startNext(): void {
    const [first] = waiting;
    isRunning = first !== undefined;
    if (!first) return;
    const [owner, works] = first;
    const begin = works.shift();
    // Move the owner behind the others.
    waiting.delete(owner);
    if (works.length > 0) waiting.set(owner, works);
    begin?.();
    next(startNext);
  }
  return (owner) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const works = waiting.get(owner);
    if (works) works.push(resolve);
    else waiting.set(owner, [resolve]);
    if (!isRunning) next(startNext);
    isRunning = true;
    return promise;
  };
}

/** Runs all steps at once, for work that is known to be short. */
export function runSync<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
