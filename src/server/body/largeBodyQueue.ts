// Bounds how many large bodies are worked on at a time: parsed, each takes ten times its size of memory. Others wait as the
// bytes that came. Callers take turns, and each has one body at work, so that no caller keeps the others waiting.
import type { ServerResponse } from "node:http";
import type { OperationPipeline, OperationResult } from "../../graphql/pipeline.ts";

export interface LargeBodyQueue {
  /**
   * Resolves with what ends the turn, once the body has one; null: too many bodies of this caller wait already. A body whose
   * client leaves waits no more.
   */
  enter(caller: string, response: ServerResponse): Promise<() => void> | null;
}

export interface LargeBodyQueueOptions {
  /** At work, of all callers together. */
  maxActive: number;
  /** Waiting, of one caller. */
  maxWaitingPerCaller: number;
}

export function createLargeBodyQueue({
  maxActive: most,
  maxWaitingPerCaller: waiting,
}: LargeBodyQueueOptions): LargeBodyQueue {
  const atWork = new Set<string>();
  /** What begins each body that waits, by caller, in the order of turns. */
  const queues = new Map<string, (() => void)[]>();

  function begin(caller: string): () => void {
    atWork.add(caller);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      atWork.delete(caller);
      giveTurns();
    };
  }

  function giveTurns(): void {
    for (const [caller, queue] of queues) {
      if (atWork.size >= most) return;
      if (atWork.has(caller)) continue;
      const [next] = queue;
      if (!next) continue;
      remove(caller, next);
      const rest = queues.get(caller);
      // Behind the other callers.
      if (rest && queues.delete(caller)) queues.set(caller, rest);
      next();
    }
  }

  function remove(caller: string, waiter: () => void): void {
    const rest = (queues.get(caller) ?? []).filter((other) => other !== waiter);
    if (rest.length > 0) queues.set(caller, rest);
    else queues.delete(caller);
  }

  return {
    enter(caller, response) {
      if (response.destroyed) return Promise.resolve(() => undefined);
      const queue = queues.get(caller) ?? [];
      if (queue.length >= waiting) return null;
      const { promise, resolve } = Promise.withResolvers<() => void>();
      const leave = () => {
        remove(caller, waiter);
        resolve(() => undefined);
      };
      const waiter = () => {
        response.off("close", leave);
        resolve(begin(caller));
      };
      response.once("close", leave);
      queues.set(caller, [...queue, waiter]);
      giveTurns();
      return promise;
    },
  };
}

/**
 * Ends a large body's turn when its operation is prepared, for little is left of the body then. An operation with long lists
 * ends it when they are sent on (Context.inputUsed), or when it is over.
 */
export function releaseLargeBodies(pipeline: OperationPipeline): OperationPipeline {
  return {
    prepare(request, grant, largeBody = null) {
      const operation = pipeline.prepare(request, grant, largeBody);
      if (!largeBody) return operation;
      if ("errors" in operation || !operation.hasLongLists) {
        largeBody.release();
        return operation;
      }
      const run = async (...given: Parameters<typeof operation.run>): Promise<OperationResult> => {
        try {
          return await operation.run(...given);
        } finally {
          largeBody.release();
        }
      };
      return { ...operation, run };
    },
  };
}
