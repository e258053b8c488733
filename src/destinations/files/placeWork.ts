// Work at a place that gets files, within a bounded time. A folder on a disk that hangs, such as a network share that is away, never answers, and
// knows no signal.
import { rejectedBy, startDeadline } from "../../util/deadline.ts";
import { TargetError } from "./fileTarget.ts";

export interface PlaceWork {
  /** Throws a TargetError while earlier work hangs, so that no more is begun and held in memory. */
  checkFree(): void;
  /** One at a time. Rejects as the work does, with a TargetError when the time is over, and with the signal's reason when that aborts. */
  run<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
}

const LATE = "The files could not be written in time.";
const HANGS = "The place of the files has not answered to what was begun before.";

export function createPlaceWork(maxMs: number): PlaceWork {
  let isBusy = false;
  const free = () => void (isBusy = false);

  function checkFree(): void {
    if (isBusy) throw new TargetError(HANGS);
  }
  return {
    checkFree,
    async run(work, signal) {
      checkFree();
      using deadline = startDeadline(maxMs, signal);
      isBusy = true;
      const done = work(deadline.signal);
      done.then(free, free);
      try {
        return await Promise.race([done, rejectedBy(deadline.signal, done)]);
      } catch (error) {
        signal.throwIfAborted();
        throw deadline.signal.aborted ? new TargetError(LATE) : error;
      }
    },
  };
}
