// Limits how many large bodies are parsed and executed at a time, because a parsed body takes ten times its size of memory.
// Others wait unparsed. Each caller has at most one active body, and callers take turns.
import type { ServerResponse } from "node:http";
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
