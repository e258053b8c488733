// Reads a subscription's events by itself, and executes each with a fresh context: what was loaded for one is stale for the
// next.
import { createSourceEventStream, type ExecutionResult, type ValidatedSubscriptionArgs } from "graphql";
import type { EventLog } from "../../events/eventLog.ts";
import type { TimeSlices } from "../../util/timeSlices.ts";
import { andThen } from "../../util/maybePromise.ts";
import type { ClientSignal } from "../clientSignal.ts";
import { resultStreamOf } from "./resultStream.ts";
import { failed, opened, resultOf, type Execution, type Running } from "../executor/executionResult.ts";
import type { Reading } from "./subscription.ts";

interface Source {
  /** What the events come from reads the log in its viewer's turn, and pays for none of it: `begin` pays for each event. */
  source: (leaving: ClientSignal) => Execution;
  /** A replay executes thousands of events without a pause of its own. */
  share: () => ReturnType<TimeSlices["waitForSlice"]>;
}

/** A result in place of results says why it cannot begin. */
export async function readEvents(
  running: Omit<Running, "leaving"> & Source,
  reading: Reading,
): Promise<ExecutionResult | AsyncIterableIterator<ExecutionResult>> {
  const { operation, source, share, open } = running;
  // Of this reading, and gone with it: a subscriber who is told by a group has none.
  const left = new AbortController();
  const leaving = () => left.signal;
  const told = (error: unknown) => failed(error, leaving, open);
  try {
    const context = source(leaving).context();
    const contextValue = { ...context, events: logFrom(context.events, reading) };
    const events = await createSourceEventStream({ ...operation, contextValue } as ValidatedSubscriptionArgs);
    if (!(Symbol.asyncIterator in events)) return opened(events, open);
    return resultStreamOf(events, {
      toResult: (rootValue) => andThen(share(), () => resultOf({ ...running, leaving }, rootValue)),
      toFailure: told,
      onLeave: () => left.abort(),
    });
  } catch (error) {
    return told(error);
  }
}

/** The log as a subscriber reads it: from its place, where it has one, and told of when it stands at the head. */
function logFrom(events: EventLog, { place, onHead }: Reading): EventLog {
  return {
    ...events,
    checkRetained: (cursor) => events.checkRetained(place ?? cursor),
    async follow(request) {
      const heard = onHead && ((head: string) => onHead(head, request));
      const items = await events.follow({ ...request, after: place ?? request.after }, heard ?? undefined);
      // Its checkpoint at the place where it begins, which was told.
      if (place !== null) await items.next();
      return items;
    },
  };
}
