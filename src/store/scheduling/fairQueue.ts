// A queue that is fair to viewers: they take turns by name, so that a viewer with a thousand tasks delays another one by one
// task. Equal tasks that wait run once, and a task that nobody waits for any more does not run.
import { CodedError } from "../../errors.ts";
import { createRoundRobin } from "../../util/roundRobin.ts";
import type { QueryOwner } from "./queryOwner.ts";

/** `signal` aborts when the last waiting owner has left. */
export type Work<T> = (signal: AbortSignal) => Promise<T>;

export interface FairQueue {
  /**
   * Runs the work in the owner's turn. If work with the same key is already waiting, the owner shares its result. Work that has
   * started is not shared, because its result may be older than the question. Rejects as soon as the owner leaves, and with
   * RATE_LIMITED if too much work waits under the owner's name.
   */
  run<T>(queryOwner: QueryOwner, key: string, work: Work<T>): Promise<T>;
}

export interface FairQueueOptions {
  /** Tasks that run at the same time. */
  concurrency: number;
  /** Tasks that may wait under one name. */
  maxWaiting: number;
}

interface Job {
  key: string;
  work: Work<unknown>;
  result: PromiseWithResolvers<unknown>;
  abandoned: AbortController;
  /** The number of owners that wait for the result. */
  waiters: number;
  /** The names of those owners. */
  names: Set<string>;
  hasStarted: boolean;
}

const RETRY_AFTER_S = 1;

export function createFairQueue({ concurrency, maxWaiting }: FairQueueOptions): FairQueue {
  /** The waiting jobs. A job of several names waits under each of them. */
  const turns = createRoundRobin<Job>();
  const waiting = new Map<string, Job>();
  let free = concurrency;

  function startJobs(): void {
    while (free > 0) {
      const job = turns.take();
      if (!job) return;
      removeWaiting(job);
      free -= 1;
      void execute(job);
    }
  }

  async function execute(job: Job): Promise<void> {
    job.hasStarted = true;
    try {
      job.result.resolve(await job.work(job.abandoned.signal));
    } catch (error) {
      job.result.reject(error);
    } finally {
      free += 1;
      startJobs();
    }
  }

  function removeWaiting(job: Job): void {
    waiting.delete(job.key);
    for (const name of job.names) turns.remove(name, job);
  }

  function enqueue({ name }: QueryOwner, key: string, work: Work<unknown>): Job {
    const known = waiting.get(key);
    if (known?.names.has(name)) return known;
    if (turns.countOf(name) >= maxWaiting) {
      throw new CodedError("RATE_LIMITED", `More than ${maxWaiting} reads of the log are waiting for this viewer.`, {
        retryAfter: RETRY_AFTER_S,
      });
    }
    const job = known ?? createJob(key, work);
    job.names.add(name);
    waiting.set(key, job);
    turns.add(name, job);
    return job;
  }

  return {
    async run<T>(queryOwner: QueryOwner, key: string, work: Work<T>) {
      const { signal } = queryOwner;
      signal.throwIfAborted();
      const job = enqueue(queryOwner, key, work);
      const left = Promise.withResolvers<never>();
      const leave = () => {
        left.reject(signal.reason);
        job.waiters -= 1;
        if (job.waiters > 0) return;
        if (!job.hasStarted) removeWaiting(job);
        job.abandoned.abort(signal.reason);
      };
      job.waiters += 1;
      signal.addEventListener("abort", leave, { once: true });
      startJobs();
      try {
        return (await Promise.race([job.result.promise, left.promise])) as T;
      } finally {
        signal.removeEventListener("abort", leave);
      }
    },
  };
}

function createJob(key: string, work: Work<unknown>): Job {
  const result = Promise.withResolvers<unknown>();
  // If all owners have left, nobody handles the rejection.
  result.promise.catch(() => undefined);
  return { key, work, result, abandoned: new AbortController(), waiters: 0, names: new Set(), hasStarted: false };
}
