// Schedules work into turns of the event loop. Node accepts one connection per turn, so work of milliseconds in every turn would
// make the last of a thousand connections wait for seconds. The work waits until no connection is accepted.

export interface LoopTurns {
  /**
   * Calls back in the next turn of the event loop, or in the first turn without an accepted connection, after 10 ms at most.
   */
  next(begin: () => void): void;
  /**
   * For short work, such as a request. Calls back at once if no connection was accepted in this turn or the one before, or else
   * in the first turn without one, after 50 ms at most. Turns without such work are short. Keeps the order.
   */
  afterAccepting(begin: () => void): void;
  /** Call it for each accepted connection. */
  accepted(): void;
}

const LONG_WORK_WAITS_MS = 10;
/** A turn with nothing but an accepted connection takes less than 0.1 ms, so this is enough for hundreds of connections. */
const SHORT_WORK_WAITS_MS = 50;

export function createLoopTurns(now = () => performance.now()): LoopTurns {
  /** Connections that were accepted in this turn or the previous one. */
  let recent = 0;
  let held: (() => void)[] = [];
  const forget = () => (recent -= 1);
  const forgetNextTurn = () => void setImmediate(forget);
  /** Begins in the first turn without an accepted connection, or when it may not wait any more. */
  function waitInTurns(longestMs: number, begin: () => void): void {
    const end = now() + longestMs;
    const check = () => {
      if (recent > 0 && now() < end) setImmediate(check);
      else begin();
    };
    check();
  }
  function next(begin: () => void): void {
    setImmediate(() => waitInTurns(LONG_WORK_WAITS_MS, begin));
  }
  function release(): void {
    const begins = held;
    held = [];
    for (const begin of begins) begin();
  }
  return {
    next,
    afterAccepting(begin) {
      if (recent === 0 && held.length === 0) return begin();
      if (held.push(begin) === 1) waitInTurns(SHORT_WORK_WAITS_MS, release);
    },
    accepted() {
      recent += 1;
      setImmediate(forgetNextTurn);
    },
  };
}
