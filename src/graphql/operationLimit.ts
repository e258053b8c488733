// Bounds the queries and mutations of one viewer that run at once. Each holds what it has loaded until its answer is written, so
// a thousand at once would fill the memory. More wait in the order in which they came.
import type { FloodLog } from "../auth/floodLog.ts";
import { CodedError } from "../errors.ts";
import { andThen, type MaybePromise } from "../util/maybePromise.ts";
import { abortedBy, createSemaphore, type Semaphore } from "../util/semaphore.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import type { ClientSignal } from "./clientSignal.ts";

export interface OperationLimit {
  /** Runs the operation, or lets it wait. An operation whose client leaves while it waits does not run. */
  run<T>(viewer: string, clientSignal: ClientSignal, operation: LimitedOperation<T>): MaybePromise<T>;
}

export interface LimitedOperation<T> {
  work(): MaybePromise<T>;
  /** Creates the result of an operation that does not run, because its client left or too many wait (RATE_LIMITED). */
  refuse(error: unknown): T;
}

export interface OperationLimitDeps {
  slices: Pick<TimeSlices, "waitForSlice">;
  floodLog: Pick<FloodLog, "refused">;
}

export const OPERATION_LIMITS = {
  /** Operations of one viewer that run at once. */
  running: 100,
  /** Operations of one viewer that wait. */
  waiting: 1000,
} as const;
const RETRY_AFTER_S = 1;

export function createOperationLimit({ slices, floodLog }: OperationLimitDeps): OperationLimit {
  const { running, waiting } = OPERATION_LIMITS;
  /** Only of viewers with running operations. */
  const semaphores = new Map<string, Semaphore>();

  /** Holds a permit until the work has ended. */
  function runNow<T>(viewer: string, semaphore: Semaphore, work: () => MaybePromise<T>): MaybePromise<T> {
    const free = () => {
      semaphore.release();
      if (semaphore.inUse() === 0) semaphores.delete(viewer);
    };
    try {
      const result = work();
      if (result instanceof Promise) result.then(free, free);
      else free();
      return result;
    } catch (error) {
      free();
      throw error;
    }
  }
  async function runLater<T>(
    viewer: string,
    semaphore: Semaphore,
    signal: AbortSignal,
    { work, refuse }: LimitedOperation<T>,
  ): Promise<T> {
    try {
      signal.throwIfAborted();
      await semaphore.acquire(abortedBy(signal));
    } catch (error) {
      return refuse(error);
    }
    const startWork = () => (signal.aborted ? refuse(signal.reason) : work());
    return runNow(viewer, semaphore, () => andThen(slices.waitForSlice(viewer), startWork));
  }

  return {
    run(viewer, clientSignal, operation) {
      const semaphore = semaphores.getOrInsertComputed(viewer, () => createSemaphore(running));
      if (semaphore.tryAcquire()) return runNow(viewer, semaphore, operation.work);
      if (semaphore.waiting() < waiting) return runLater(viewer, semaphore, clientSignal(), operation);
      floodLog.refused(viewer, "operationsAtOnce");
      const error = `More than ${waiting} operations of this viewer wait, while ${running} run: send fewer at once.`;
      return operation.refuse(new CodedError("RATE_LIMITED", error, { retryAfter: RETRY_AFTER_S }));
    },
  };
}
