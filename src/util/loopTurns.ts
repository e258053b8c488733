// Schedules work into turns of the event loop. Node accepts one connection per turn, so work of milliseconds in every turn would
// make the last of a thousand connections wait for seconds. The work waits until no connection is accepted.
import { createGroupedRoundRobin } from "./roundRobin.ts";

export interface Sender {
  address: string;
  /** Nobody has checked them: who sends others with each request delays only its own address. */
  credentials: string;
}

export interface LoopTurns {
  /**
   * Calls back in the next turn of the event loop, or in the first turn without an accepted connection, after 10 ms at most.
   */
  next(begin: () => void): void;
  /**
   * For short work, such as a request. Calls back at once if no connection was accepted in this turn or the one before, or else
   * in the first turn without one, after 50 ms at most. At most 100 pieces begin at once in a turn; more wait for the next one.
   * Of the work that waited, a turn has about 2 ms: the requests of a thousand new connections would fill it for long. Addresses
   * take turns, and the senders of an address do; the work of a sender keeps its order.
   */
  afterAccepting(begin: () => void, senderOf: () => Sender): void;
  /** Call it for each accepted connection. */
  accepted(): void;
}

const LONG_WORK_WAITS_MS = 10;
/** A turn with nothing but an accepted connection takes less than 0.1 ms, so this is enough for hundreds of connections. */
const SHORT_WORK_WAITS_MS = 50;
/** Short work that begins at once in one turn: thousands of open connections may send in the same moment. */
const AT_ONCE = 100;
/** The short work that begins in one turn of the event loop, if it has waited. The last piece may exceed it. */
const SHORT_WORK_MS = 2;

export function createLoopTurns(now = () => performance.now()): LoopTurns {
  /** Connections that were accepted in this turn or the previous one. */
  let recent = 0;
  const held = createGroupedRoundRobin<() => void>();
  /** Short work waits, or what has waited is begun. */
  let isHolding = false;
  let begunInTurn = 0;
  const forget = () => (recent -= 1);
  const forgetNextTurn = () => void setImmediate(forget);
  const endTurn = () => (begunInTurn = 0);
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
    const end = now() + SHORT_WORK_MS;
    const beginNext = () => {
      const begin = held.take();
      if (begin === undefined) {
        isHolding = false;
        return;
      }
      begin();
      afterMicrotasks(() => (now() < end ? beginNext() : next(release)));
    };
    beginNext();
  }
  return {
    next,
    afterAccepting(begin, senderOf) {
      if (recent === 0 && !isHolding && begunInTurn < AT_ONCE) {
        begunInTurn += 1;
        if (begunInTurn === 1) setImmediate(endTurn);
        return begin();
      }
      const { address, credentials } = senderOf();
      held.add({ group: address, name: credentials }, begin);
      if (isHolding) return;
      isHolding = true;
      if (recent > 0) waitInTurns(SHORT_WORK_WAITS_MS, release);
      else next(release);
    },
    accepted() {
      recent += 1;
      setImmediate(forgetNextTurn);
    },
  };
}

/** Calls back after all that the work did at once: a tick that a microtask schedules comes after all microtasks. */
export function afterMicrotasks(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}
