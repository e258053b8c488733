// A queue that is fair to readers: they take turns by name, so that one who asks for a thousand things delays another by one
// of them. Equal work that waits is done once, and work that nobody waits for any more is not done.
import { CodedError } from "../../errors.ts";
import { createLoopTurns, type LoopTurns } from "../../util/loopTurns.ts";
import type { QueryOwner } from "./queryOwner.ts";

/** `left` is aborted when the last who waited for it has left. */
export type Work<T> = (left: AbortSignal) => Promise<T>;

export interface FairQueue {
  /**
   * Does the work in the reader's turn. Work of the same key that waits already is not done twice: its answer is no older than
   * the question. Rejects with RATE_LIMITED where as much as may waits under the reader's name, and as soon as the reader leaves.
   */
  run<T>(reader: QueryOwner, key: string, work: Work<T>): Promise<T>;
}

export interface FairQueueOptions {
  /** Work that is done at once. */
  concurrency: number;
  /** Work that may wait under one name. */
  maxWaiting: number;
}

interface Job {
  key: string;
  work: Work<unknown>;
  answer: PromiseWithResolvers<unknown>;
  left: AbortController;
  /** Who waits for it, under which names. */
  waiters: number;
  names: Set<string>;
  hasBegun: boolean;
}

const RETRY_AFTER_S = 1;

export function createFairQueue({ concurrency: width, maxWaiting: bound }: FairQueueOptions): FairQueue {
  /** What waits, by name, in the order of turns. Work for several names waits under each of them. */
  const turns = new Map<string, Job[]>();
  const waiting = new Map<string, Job>();
  let free = width;

  function begin(): void {
    while (free > 0) {
      const job = take();
      if (!job) return;
      free -= 1;
      void execute(job);
    }
  }

  /** The first of the name whose turn it is, which then stands behind the others. */
  function take(): Job | undefined {
    const [turn] = turns;
    if (!turn) return undefined;
    const [name, [job]] = turn as [string, [Job]];
    forget(job);
    const rest = turns.get(name);
    if (rest && turns.delete(name)) turns.set(name, rest);
    return job;
  }

  async function execute(job: Job): Promise<void> {
    job.hasBegun = true;
    try {
      job.answer.resolve(await job.work(job.left.signal));
    } catch (error) {
      job.answer.reject(error);
    } finally {
      free += 1;
      begin();
    }
  }

  /** It does not wait any more. */
  function forget(job: Job): void {
    waiting.delete(job.key);
    for (const name of job.names) {
      const rest = (turns.get(name) ?? []).filter((other) => other !== job);
      if (rest.length > 0) turns.set(name, rest);
      else turns.delete(name);
    }
  }

  function enter({ name }: QueryOwner, key: string, work: Work<unknown>): Job {
    const own = turns.get(name) ?? [];
    const known = waiting.get(key);
    if (known?.names.has(name)) return known;
    if (own.length >= bound) {
      throw new CodedError("RATE_LIMITED", `More than ${bound} reads of the log wait for this viewer.`, {
        retryAfter: RETRY_AFTER_S,
      });
    }
    const job = known ?? jobOf(key, work);
    job.names.add(name);
    waiting.set(key, job);
    turns.set(name, [...own, job]);
    return job;
  }

  return {
    async run<T>(reader: QueryOwner, key: string, work: Work<T>) {
      const { signal } = reader;
      signal.throwIfAborted();
      const job = enter(reader, key, work);
      const left = Promise.withResolvers<never>();
      const leave = () => {
        left.reject(signal.reason);
        job.waiters -= 1;
        if (job.waiters > 0) return;
        if (!job.hasBegun) forget(job);
        job.left.abort(signal.reason);
      };
      job.waiters += 1;
      signal.addEventListener("abort", leave, { once: true });
      begin();
      try {
        return (await Promise.race([job.answer.promise, left.promise])) as T;
      } finally {
        signal.removeEventListener("abort", leave);
      }
    },
  };
}

function jobOf(key: string, work: Work<unknown>): Job {
  const answer = Promise.withResolvers<unknown>();
  // Where all have left, nobody hears that it failed.
  answer.promise.catch(() => undefined);
  return { key, work, answer, left: new AbortController(), waiters: 0, names: new Set(), hasBegun: false };
}

/** Resolves with the answer in the reader's turn. Rejects as the answer does, and as soon as the reader leaves. */
export type PacedDelivery = <T>(reader: QueryOwner, answer: Promise<T>) => Promise<T>;

export function createPacedDelivery(turns: LoopTurns = createLoopTurns()): PacedDelivery {
  const queue = createFairQueue({ concurrency: 1, maxWaiting: Infinity });
  let count = 0;
  return async (reader, answer) => {
    const value = await answer;
    count += 1;
    await queue.run(reader, String(count), () => new Promise<void>((resolve) => turns.next(resolve)));
    return value;
  };
}
