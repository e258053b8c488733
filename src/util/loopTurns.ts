// Schedules sliced work into turns of the event loop. Node accepts one connection per turn, so work of milliseconds in every turn
// would make the last of two hundred connections wait for seconds. The work waits until no connection is accepted.

export interface LoopTurns {
  /**
   * Calls back in the next turn of the event loop, or in the first turn without an accepted connection, after 10 ms at most.
   */
  next(begin: () => void): void;
  /** Call it for each accepted connection. */
  accepted(): void;
}

const ACCEPTING_MS = 10;

export function createLoopTurns(now = () => performance.now()): LoopTurns {
  /** Connections that were accepted in this turn or the previous one. */
  let recent = 0;
  const forget = () => (recent -= 1);
  const forgetNextTurn = () => void setImmediate(forget);
  return {
    next(begin) {
      setImmediate(() => {
        const end = now() + ACCEPTING_MS;
        const check = () => {
          if (recent > 0 && now() < end) setImmediate(check);
          else begin();
        };
        check();
      });
    },
    accepted() {
      recent += 1;
      setImmediate(forgetNextTurn);
    },
  };
}
