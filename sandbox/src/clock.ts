// The sandbox's clock and timers. Simulated time starts at the real time and runs `speed` times as fast.
import type { Logger } from "./logger.ts";

export const DAY_MS = 86_400_000;

/** Cancels a scheduled callback; does nothing if it has run. */
export type Cancel = () => void;

export interface Clock {
  /** Simulated time, whole epoch ms. At a speed above 1 it runs ahead of the real time. */
  readonly now: () => number;
  /** Real time, whole epoch ms. */
  readonly realNow: () => number;
}

export interface Scheduler extends Disposable {
  /**
   * Runs `callback` at a simulated instant (epoch ms), or soon if that is past. Never earlier: Node's timers may fire a
   * millisecond early, which is seconds at a high speed. While the clock stands still, it waits.
   */
  at(instant: number, callback: () => void): Cancel;
  /** Runs `callback` after real milliseconds, but after 24 days at the latest. */
  afterReal(ms: number, callback: () => void): Cancel;
}

/** The longest delay of a Node timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createClock(options: { now: () => number; speed: number }): Clock {
  const origin = options.now();
  return {
    now: () => Math.floor(origin + (options.now() - origin) * options.speed),
    realNow: () => Math.floor(options.now()),
  };
}

/** Owns every timer of the sandbox: disposing of it stops them all. Timers do not keep the process alive; the server does. */
export function createScheduler(deps: { clock: Clock; speed: number; log: Logger }): Scheduler {
  const timers = new Set<NodeJS.Timeout>();
  let stopped = false;

  const wait = (ms: number, callback: () => void): Cancel => {
    if (stopped) return () => undefined;
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        run(callback);
      },
      Math.min(Math.max(0, ms), MAX_TIMER_MS),
    ).unref();
    timers.add(timer);
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  };
  const run = (callback: () => void) => {
    try {
      callback();
    } catch (error) {
      deps.log.error({ err: error }, "A timer of the sandbox failed.");
    }
  };

  const at = (instant: number, callback: () => void): Cancel => {
    let cancel: Cancel;
    const arm = () => {
      cancel = wait((instant - deps.clock.now()) / deps.speed, () => (deps.clock.now() < instant ? arm() : callback()));
    };
    arm();
    return () => cancel();
  };

  return {
    at,
    afterReal: wait,
    [Symbol.dispose]: () => {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
