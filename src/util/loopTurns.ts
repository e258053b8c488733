// Turns of the event loop for work that is done piece by piece. Node accepts one connection in each turn: with a piece of
// milliseconds in every turn, the last of two hundred connections would wait for seconds. So work lets them in first.

export interface LoopTurns {
  /**
   * Calls back in a later turn of the event loop: the next one, or the first in which no connection is accepted. The latter
   * takes 10 ms at most.
   */
  next(begin: () => void): void;
  /** To be called for each connection that was accepted. */
  accepted(): void;
}

const ACCEPTING_MS = 10;

export function createLoopTurns(now = () => performance.now()): LoopTurns {
  /** Connections that were accepted in this turn or the last one. */
  let recent = 0;
  const forget = () => (recent -= 1);
  const forgetNextTurn = () => void setImmediate(forget);
  return {
    next(begin) {
      setImmediate(() => {
        const end = now() + ACCEPTING_MS;
        const look = () => {
          if (recent > 0 && now() < end) setImmediate(look);
          else begin();
        };
        look();
      });
    },
    accepted() {
      recent += 1;
      setImmediate(forgetNextTurn);
    },
  };
}
