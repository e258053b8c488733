// The results of a subscription, one for each event of its source. A bare async generator would hold back return() until
// the next event; here it goes to the source at once.
import type { ExecutionResult } from "graphql";
import type { MaybePromise } from "../../util/maybePromise.ts";

export interface ResultStreamOptions {
  toResult: (event: unknown) => MaybePromise<ExecutionResult>;
  /** A source that fails is told as one last result. */
  toFailure: (error: unknown) => ExecutionResult;
  /** Called at once when the results are left: whoever executes for nobody may end. */
  onLeave: () => void;
}

export function resultStreamOf(
  source: AsyncIterable<unknown>,
  { toResult, toFailure, onLeave }: ResultStreamOptions,
): AsyncIterableIterator<ExecutionResult> {
  const events = source[Symbol.asyncIterator]();
  let ended = false;

  async function next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    if (ended) return { done: true, value: undefined };
    try {
      const event = await events.next();
      if (event.done) ended = true;
      return event.done ? { done: true, value: undefined } : { done: false, value: await toResult(event.value) };
    } catch (error) {
      ended = true;
      // Nobody asks again, so nobody else would take the source's ear off the log.
      await Promise.resolve(events.return?.()).catch(() => undefined);
      return { done: false, value: toFailure(error) };
    }
  }

  return {
    next,
    async return() {
      ended = true;
      onLeave();
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
