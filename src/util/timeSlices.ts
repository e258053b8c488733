// Shares the event loop among viewers. The work of all viewers together gets about 5 ms of each turn of the loop, and viewers
// take turns by name. Between two slices the event loop serves everything else, such as webhooks.
import { afterMicrotasks, createLoopTurns, type LoopTurns } from "./loopTurns.ts";

/** Work that yields after each small step of at most about a millisecond. */
export type Steps<T> = Generator<void, T, void>;

/** A viewer whose work takes longer than its share delays each other viewer by one share, however much of it waits. */
export interface TimeSlices {
  /**
   * Call it before each piece of short work, such as a request. Undefined: start at once, because no work runs or waits and the
   * slice of this turn is not over. Otherwise resolves in the viewer's turn: then start at once, unless the client has left. The
   * work of one viewer starts in the order of the calls. Work goes on until no microtask is left.
   */
  waitForSlice(viewer: string): Promise<void> | undefined;
  /** Runs the steps to their end, in as many slices as they need. Rejects with what a step throws. */
  run<T>(viewer: string, steps: Steps<T>): Promise<T>;
}

/** The work of all viewers in one turn of the event loop. The last piece of work may exceed it. */
const SLICE_MS = 5;
/** The work of one viewer before another one's, if both wait. */
const SHARE_MS = 2;

/** Work that waits for the viewer's turn. A list of links: taking the first of a hundred thousand takes no longer. */
interface Waiting {
  start: () => void;
  next: Waiting | null;
}

interface Queue {
  first: Waiting | null;
  last: Waiting | null;
}

/** A gateway has one instance: two would put two slices into one turn of the event loop. */
export function createTimeSlices(
  turns: Pick<LoopTurns, "next"> = createLoopTurns(),
  now = () => performance.now(),
): TimeSlices {
  /** The viewers whose work waits or has just started, in the order of their turns. */
  const queues = new Map<string, Queue>();
  /** When the slice of this turn ends. Null: no work has started in this turn, and none waits. */
  let sliceEnd: number | null = null;
  /** How much of its share the first viewer has used. */
  let usedMs = 0;

  function hasTime(): boolean {
    if (sliceEnd !== null) return now() < sliceEnd;
    sliceEnd = now() + SLICE_MS;
    turns.next(beginTurn);
    return true;
  }

  function beginTurn(): void {
    sliceEnd = null;
    startNext();
  }

  function startNext(): void {
    const [turn] = queues;
    if (!turn || !hasTime()) return;
    const [viewer, queue] = turn;
    measure(viewer, queue);
    queue.first?.start();
    queue.first = queue.first?.next ?? null;
  }

  /** Takes the time of the work that starts now, and starts the next one after it. */
  function measure(viewer: string, queue: Queue): void {
    const startedAt = now();
    afterMicrotasks(() => {
      usedMs += now() - startedAt;
      if (!queue.first || usedMs >= SHARE_MS) {
        usedMs = 0;
        queues.delete(viewer);
        if (queue.first) queues.set(viewer, queue);
      }
      startNext();
    });
  }

  function waitForSlice(viewer: string): Promise<void> | undefined {
    const isFree = queues.size === 0 && hasTime();
    const queue = queues.getOrInsertComputed(viewer, () => ({ first: null, last: null }));
    if (isFree) {
      measure(viewer, queue);
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const work: Waiting = { start: resolve, next: null };
    if (queue.first && queue.last) queue.last.next = work;
    else queue.first = work;
    queue.last = work;
    return promise;
  }

  return {
    waitForSlice,
    async run(viewer, steps) {
      for (;;) {
        const wait = waitForSlice(viewer);
        if (wait) await wait;
        const end = now() + SHARE_MS;
        do {
          const step = steps.next();
          if (step.done) return step.value;
        } while (now() < end);
      }
    },
  };
}

/** Runs all steps at once, for work that is known to be short. */
export function runSync<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
