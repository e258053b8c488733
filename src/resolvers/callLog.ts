// Calls from a row of a list, a session ID or an event. They differ in what is loaded already, not in what is shown (call.ts).
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { epochMsOf, type Instant } from "../format/instant.ts";
import type { CallLogRecord, TaskRecord } from "../upstream/upstream.ts";
import { rowContent } from "../loaders/readWindow.ts";
import { DAY_MS, MINUTE_MS } from "../util/durations.ts";
import { andThen, type MaybePromise } from "../util/maybePromise.ts";
import { isRow, type Call } from "./call.ts";
import type { Context } from "./context.ts";
import { badInput } from "./inputRules.ts";
import { nodeId } from "./nodeId.ts";
import { searchCall, type SearchRange } from "./searchCall.ts";

/** Searched without `around`. */
const DEFAULT_SEARCH_DAYS = 7;
/** The times of an event and of its row may differ by this. */
const MARGIN_MS = 5 * MINUTE_MS;
/** Ranges are widened to multiples of this, so that calls that ended close to each other share their requests. */
const GRID_MS = 10 * MINUTE_MS;

/** The most requests of a search for one call. */
export const SEARCH_REQUESTS = 10;
/** The same for the call of an event: its time is known, and a page may have a hundred of them. */
export const EVENT_SEARCH_REQUESTS = 3;

export function callOfRow(row: CallLogRecord, { known }: Context): Call {
  const { sessionId } = row;
  if (sessionId === null) return row;
  return { sessionId, row: () => row, event: () => known.newestEvent.load(sessionId) };
}

/**
 * The calls of a list's rows. `withEvents`: their events are loaded in one batch, before the fields need them. An event that
 * cannot be read fails only the fields that need it.
 */
export function callsOfRows(
  rows: readonly CallLogRecord[],
  withEvents: boolean,
  context: Context,
): MaybePromise<Call[]> {
  if (!withEvents) return rows.map((row) => callOfRow(row, context));
  const join = (events: readonly (CallEndedEvent | Error | null)[]) =>
    rows.map((row, at): Call => {
      const event = events[at] ?? null;
      if (event === null) return row;
      return { sessionId: row.sessionId, row: () => row, event: () => eventOrThrow(event) };
    });
  const events = context.known.newestEvents(rows.map(({ sessionId }) => sessionId));
  if (!(events instanceof Promise)) return join(events);
  return events.then(join, (error: Error) => join(rows.map(({ sessionId }) => (sessionId === null ? null : error))));
}

function eventOrThrow(event: CallEndedEvent | Error): CallEndedEvent {
  if (event instanceof Error) throw event;
  return event;
}

/** While the service does not list the call, it is built from the event alone. */
export function callOfEvent(event: CallEndedEvent, context: Context): Call {
  const { sessionId } = event;
  // A call always shows its newest revision. `event` itself is shown where the log was purged in the meantime.
  const newest = () => andThen(context.known.newestEvent.load(sessionId), (found) => found ?? event);
  return callWithEvent(sessionId, newest, EVENT_SEARCH_REQUESTS, context);
}

/** Null where the call is neither in the log nor in the service's list. Throws UPSTREAM_*, QUERY_TOO_COMPLEX. */
export async function callLog(
  { sessionId, around }: { sessionId: string; around?: Instant | null | undefined },
  context: Context,
): Promise<Call | null> {
  if (sessionId === "") throw badInput("sessionId must not be empty.");
  const event = await context.known.newestEvent.load(sessionId);
  if (event) return callWithEvent(sessionId, () => event, SEARCH_REQUESTS, context);
  const row = await searchCall(sessionId, rangeAround(around ?? null, context), SEARCH_REQUESTS, context);
  return row && callOfRow(row, context);
}

/**
 * The id of a call without a session ID is a keyed digest of its row. It stays the same while the row does, apart from the
 * signature of its recording's address.
 */
export function callLogId(call: Call, { signer }: Pick<Context, "signer">): MaybePromise<string> {
  if (call.sessionId !== null) return nodeId("CallLog", call.sessionId);
  return andThen(isRow(call) ? call : call.row(), (record) =>
    nodeId("CallLog", "", signer.digest("call log row", record ? rowContent(record) : "")),
  );
}

export function taskOf({ taskId }: { taskId: string | null }, { loaders }: Context): MaybePromise<TaskRecord | null> {
  return taskId === null ? null : loaders.task.load(taskId);
}

/** Its row is searched for once, and only where a field needs it. */
function callWithEvent(
  sessionId: string,
  event: () => MaybePromise<CallEndedEvent>,
  maxRequests: number,
  context: Context,
): Call {
  const search = (found: CallEndedEvent) => searchCall(sessionId, rangeOfEvent(found), maxRequests, context);
  let row: Promise<CallLogRecord | null> | undefined;
  return { sessionId, event, row: () => (row ??= Promise.resolve(event()).then(search)) };
}

function rangeAround(around: Instant | null, { clock }: Pick<Context, "clock">): SearchRange {
  if (around !== null) {
    const near = epochMsOf(around);
    return { from: near - DAY_MS, to: near + DAY_MS, near };
  }
  // Whole days, so that the searches for several calls share their requests.
  const near = clock();
  const today = Math.floor(near / DAY_MS) * DAY_MS;
  return { from: today - DEFAULT_SEARCH_DAYS * DAY_MS, to: today + 2 * DAY_MS, near };
}

function rangeOfEvent({ startAt, endAt, receivedAt }: CallEndedEvent): SearchRange {
  const end = epochMsOf(endAt ?? receivedAt);
  const start = startAt === null ? end - DAY_MS : epochMsOf(startAt);
  const from = Math.floor((Math.min(start, end) - MARGIN_MS) / GRID_MS) * GRID_MS;
  const to = Math.ceil((Math.max(start, end) + MARGIN_MS) / GRID_MS) * GRID_MS;
  return { from, to, near: start };
}
