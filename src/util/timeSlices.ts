// Long work in slices. Between two slices the event loop serves everything else, and owners of work take turns.
import { createLoopTurns, type LoopTurns } from "./loopTurns.ts";

/** Yields after each small step: at most about a millisecond of work. */
export type Steps<T> = Generator<void, T, void>;

/** `owner`: the name of the viewer for whom it is done. One with a thousand works delays another by one slice. */
export interface TimeSlices {
  /**
   * Runs the steps to their end. The first slice has its share of the turn, so short work does not wait. However many works
   * run at a time, one turn of the event loop holds one slice beside those. Rejects with what a step throws.
   */
  run<T>(owner: string, steps: Steps<T>): Promise<T>;
  /**
   * To be asked before each short work of many, such as an event of a replay. Undefined: the work may begin, because such
   * works took less than a slice in this turn of the event loop. Else resolves in a later turn.
   */
  waitForSlice(owner: string): Promise<void> | undefined;
}

const SLICE_MS = 10;

/** A gateway has one: two of them would put two slices into one turn of the event loop. */
export function createTimeSlices(turns: LoopTurns = createLoopTurns()): TimeSlices {
  const nextTurn = createFairTurns(turns);
  /** When the time of short works in this turn is over; null: none has begun. */
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
      // Without a pause where there is none: others who begin in this turn are to see what the first slice took.
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

/** Gives each turn of the event loop to one who waits: to the owners in rotation, and to the works of one in their order. */
function createFairTurns({ next }: LoopTurns): (owner: string) => Promise<void> {
  const waiting = new Map<string, (() => void)[]>();
  let isGiving = false;
  function give(): void {
    const [first] = waiting;
    isGiving = first !== undefined;
    if (!first) return;
    const [owner, works] = first;
    const begin = works.shift();
    // Behind the other owners.
    waiting.delete(owner);
    if (works.length > 0) waiting.set(owner, works);
    begin?.();
    next(give);
  }
  return (owner) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const works = waiting.get(owner);
    if (works) works.push(resolve);
    else waiting.set(owner, [resolve]);
    if (!isGiving) next(give);
    isGiving = true;
    return promise;
  };
}

/** The same without a pause, for work that is known to be short. */
export function runSync<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
