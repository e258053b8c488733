// Limits how many large bodies are parsed and executed at a time, because a parsed body takes ten times its size of memory.
// Others wait unparsed. Each caller has at most one active body, and callers take turns.
import type { ServerResponse } from "node:http";
import type { OperationPipeline, OperationResult } from "../../graphql/operation.ts";
import { createRoundRobin } from "../../util/roundRobin.ts";

export interface LargeBodyQueue {
  /**
   * Resolves when the body may be parsed, with a function that releases its turn. Null: too many bodies of this caller are
   * waiting. Resolves at once, without a turn, when the client disconnects.
   */
  enter(caller: string, response: ServerResponse): Promise<() => void> | null;
}

export interface LargeBodyQueueOptions {
  /** The bodies of all callers together. */
  maxActive: number;
  maxWaitingPerCaller: number;
}

export function createLargeBodyQueue({ maxActive, maxWaitingPerCaller }: LargeBodyQueueOptions): LargeBodyQueue {
  /** Callers with an active body. */
  const active = new Set<string>();
  /** The functions that start the waiting bodies, by caller. */
  const waiting = createRoundRobin<() => void>();

  function begin(caller: string): () => void {
    active.add(caller);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      active.delete(caller);
      startWaiting();
    };
  }

  function startWaiting(): void {
    while (active.size < maxActive) {
      const start = waiting.take((caller) => !active.has(caller));
      if (!start) return;
      start();
    }
  }

  return {
    enter(caller, response) {
      if (response.destroyed) return Promise.resolve(() => undefined);
      if (waiting.countOf(caller) >= maxWaitingPerCaller) return null;
      const { promise, resolve } = Promise.withResolvers<() => void>();
      const onClose = () => {
        waiting.remove(caller, start);
        resolve(() => undefined);
      };
      const start = () => {
        response.off("close", onClose);
        resolve(begin(caller));
      };
      response.once("close", onClose);
      waiting.add(caller, start);
      startWaiting();
      return promise;
    },
  };
}

/**
 * A pipeline that releases the turn of a large body once its operation is prepared, because little of the body is still
 * needed then. An operation with long lists keeps it until they are sent to the service (Context.releaseInput), or until it ends.
 */
export function releaseLargeBodies(pipeline: OperationPipeline): OperationPipeline {
  return {
    prepare(request, grant, largeBody = null) {
      const operation = pipeline.prepare(request, grant, largeBody);
      if (!largeBody) return operation;
      if ("errors" in operation || !operation.keepsLargeBody) {
        largeBody.release();
        return operation;
      }
      const run = async (...args: Parameters<typeof operation.run>): Promise<OperationResult> => {
        try {
          return await operation.run(...args);
        } finally {
          largeBody.release();
        }
      };
      return { ...operation, run };
    },
  };
}
