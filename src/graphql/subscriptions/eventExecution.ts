// Reads the events of one subscriber and executes the operation for each with a fresh context: what was loaded for one event is
// stale for the next.
import { createSourceEventStream, type ExecutionResult, type ValidatedSubscriptionArgs } from "graphql";
import type { Context, SubscriptionSource } from "../../resolvers/context.ts";
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";
import type { TimeSlices } from "../../util/timeSlices.ts";
import type { ClientSignal } from "../clientSignal.ts";
import { notTraced, type StartDelivery } from "./delivery.ts";
import type { ExecuteWithId } from "./eventId.ts";
import { executeFor, failedResult, withPublicErrors, type OperationRun } from "../executor/executionResult.ts";
import { DONE, iterate } from "../../util/iterators.ts";

export interface EventExecution extends Omit<OperationRun, "clientSignal"> {
  /** The context of the resolver that opens the stream. It reads the log in the viewer's turn; each event is charged apart. */
  sourceContext: (clientSignal: ClientSignal, source: SubscriptionSource) => Context;
  /** Null: the results have no event ID, or need none. */
  executeWithId: ExecuteWithId | null;
  /** Waits for a share of the event loop: a replay executes thousands of events without a pause of its own. */
  waitForShare: () => ReturnType<TimeSlices["waitForSlice"]>;
  startDelivery: StartDelivery;
}

/** Resolves with one result in place of a stream if the stream cannot be opened. Never rejects. */
export async function executeEvents(
  run: EventExecution,
  source: SubscriptionSource,
): Promise<ExecutionResult | AsyncIterableIterator<ExecutionResult>> {
  const { operation, sourceContext, waitForShare, startDelivery, publish, executeWithId } = run;
  // One controller for each reader: a subscriber in a shared group holds none.
  const controller = new AbortController();
  const clientSignal = () => controller.signal;
  const executeNext = (rootValue: unknown) =>
    andThen(waitForShare(), () => executeFor({ ...run, clientSignal }, rootValue));
  const toFailure = (error: unknown) => failedResult(error, clientSignal, publish);
  try {
    const contextValue = sourceContext(clientSignal, source);
    const events = await createSourceEventStream({ ...operation, contextValue } as ValidatedSubscriptionArgs);
    if (!(Symbol.asyncIterator in events)) return withPublicErrors(events, publish);
    return mapEvents(events, {
      toResult: (rootValue) => (executeWithId ? executeWithId(rootValue, executeNext) : executeNext(rootValue)),
      toFailure,
      startDelivery,
      onReturn: () => controller.abort(),
    });
  } catch (error) {
    return toFailure(error);
  }
}

interface EventMapping {
  toResult: (event: unknown) => MaybePromise<ExecutionResult>;
  /** The last result, if the events fail. */
  toFailure: (error: unknown) => ExecutionResult;
  startDelivery: StartDelivery;
  /** Called at once by `return()`. */
  onReturn: () => void;
}

/** `return()` ends the events at once. An async generator would hold it back until the next event. */
export function mapEvents(
  source: AsyncIterable<unknown>,
  { toResult, toFailure, startDelivery, onReturn }: EventMapping,
): AsyncIterableIterator<ExecutionResult> {
  const events = source[Symbol.asyncIterator]();
  let isOver = false;
  let delivery = notTraced;

  async function next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    // The caller asks for the next result when it has written the one before.
    delivery.end();
    if (isOver) return DONE;
    try {
      const event = await events.next();
      if (event.done) return DONE;
      delivery = startDelivery(event.value);
      return { done: false, value: await delivery.run(() => toResult(event.value)) };
    } catch (error) {
      isOver = true;
      // The caller will not call next() again: the listener on the log must be removed here.
      await Promise.resolve(events.return?.()).catch(() => undefined);
      return { done: false, value: toFailure(error) };
    }
  }

  return iterate(next, () => {
    isOver = true;
    delivery.end();
    onReturn();
    return events.return?.();
  });
}
