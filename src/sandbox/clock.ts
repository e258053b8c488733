// The service's clock and its timers: simulated time runs `speed` times as fast as real time, from the same instant on.
import type { Log } from "../log.ts";

/** Takes a planned step back; harmless when it was already taken. */
export type Cancel = () => void;

export interface Clock {
  /** The service's time, epoch ms, whole. At a speed above 1 it runs ahead of the real time. */
  readonly now: () => number;
  /** Real time, epoch ms, whole. */
  readonly realNow: () => number;
}

export interface Scheduler extends Disposable {
  /**
   * At a simulated instant (epoch ms), or as soon after as can be; at once when it is past. Never before: Node's timers
   * may be early by a millisecond, which is seconds at a high speed. A clock that stands still keeps it waiting.
   */
  at(instant: number, step: () => void): Cancel;
  /** After real milliseconds. */
  afterReal(ms: number, step: () => void): Cancel;
}

/** The longest wait a Node timer knows; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createClock(options: { now: () => number; speed: number }): Clock {
  const origin = options.now();
  return {
    now: () => Math.floor(origin + (options.now() - origin) * options.speed),
    realNow: () => Math.floor(options.now()),
  };
}

/**
 * Every timer of the sandbox comes from here, so that disposing of it stops everything. Timers do not keep the process
 * alive: the listening server does.
 */
export function createScheduler(deps: { clock: Clock; speed: number; log: Log }): Scheduler {
  const timers = new Set<NodeJS.Timeout>();
  let stopped = false;

  const wait = (ms: number, step: () => void): Cancel => {
    if (stopped) return () => undefined;
    let timer: NodeJS.Timeout;
    const arm = (left: number) => {
      timer = setTimeout(
        () => {
          timers.delete(timer);
          if (left > MAX_TIMER_MS) arm(left - MAX_TIMER_MS);
          else run(step);
        },
        Math.min(left, MAX_TIMER_MS),
      );
      timer.unref();
      timers.add(timer);
    };
    arm(Math.max(0, ms));
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  };
  const run = (step: () => void) => {
    try {
      step();
    } catch (error) {
      deps.log.error({ err: error }, "A step of the sandbox failed.");
    }
  };

  const at = (instant: number, step: () => void): Cancel => {
    let cancel: Cancel;
    const arm = () => {
      cancel = wait((instant - deps.clock.now()) / deps.speed, () => (deps.clock.now() < instant ? arm() : step()));
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
