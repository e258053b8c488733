// Calls by the ways that lead to them: a row of a list, a session id, an event. They differ in what is at hand, and in
// nothing that is shown (call.ts).
import type { Context } from "./context.ts";
import type { Instant } from "../format/instant.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { CallLogRecord, TaskRecord } from "../upstream/upstream.ts";
import type { Call } from "./call.ts";
import { nodeId } from "./nodeId.ts";
import { badInput } from "./inputRules.ts";
import { searchCall, type Stretch } from "./searchCall.ts";
import { andThen, type MaybePromise } from "../util/maybePromise.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Without `around`. */
const LAST_DAYS = 7;
/** An event's times are the list's, give or take so much. */
const MARGIN = 5 * MINUTE;
/** Searches for calls that ended close to each other are one. */
const GRID = 10 * MINUTE;

/** Requests that a search may need at worst. */
export const SEARCH_REQUESTS = 10;
/** Of the call of an event: its time is known, and there may be a hundred on a page. */
export const EVENT_SEARCH_REQUESTS = 3;

export function callOfRow(row: CallLogRecord, { known }: Context): Call {
  const { sessionId } = row;
  if (sessionId === null) return aloneCall(row);
  return { sessionId, alone: null, row: () => row, event: () => known.newestEvent.load(sessionId) };
}

/**
 * The calls of a list's rows, with their events where `withEvents`: read together, before the first field waits for its
 * own. An event that cannot be read costs the fields that need it.
 */
export function callsOfRows(
  rows: readonly CallLogRecord[],
  withEvents: boolean,
  context: Context,
): MaybePromise<Call[]> {
  if (!withEvents) return rows.map((row) => callOfRow(row, context));
  const named = rows.flatMap(({ sessionId }) => sessionId ?? []);
  const joined = (events: ReadonlyMap<string, CallEndedEvent | Error>) =>
    rows.map((row): Call => {
      const found = row.sessionId === null ? undefined : events.get(row.sessionId);
      if (!found) return aloneCall(row);
      return { sessionId: row.sessionId, alone: null, row: () => row, event: () => orThrow(found) };
    });
  const events = context.known.newestEvents(named);
  if (!(events instanceof Promise)) return joined(events);
  return events.then(joined, (error: Error) => joined(new Map(named.map((sessionId) => [sessionId, error]))));
}

function aloneCall(row: CallLogRecord): Call {
  return { sessionId: row.sessionId, alone: row, row: () => row, event: none };
}

const none = () => null;

function orThrow(found: CallEndedEvent | Error): CallEndedEvent {
  if (found instanceof Error) throw found;
  return found;
}

/** Built from the event where the service does not list the call yet. */
export function callOfEvent(event: CallEndedEvent, context: Context): Call {
  const { sessionId } = event;
  // The newest revision, for the call is the same wherever it is met; its event may be purged while this one is told.
  const newest = () => andThen(context.known.newestEvent.load(sessionId), (found) => found ?? event);
  return eventCall(sessionId, newest, EVENT_SEARCH_REQUESTS, context);
}

/** Null where it is neither in the log nor in the list. Throws UPSTREAM_*, QUERY_TOO_COMPLEX. */
export async function callLog(
  { sessionId, around }: { sessionId: string; around?: Instant | null | undefined },
  context: Context,
): Promise<Call | null> {
  if (sessionId === "") throw badInput("sessionId is empty.");
  const event = await context.known.newestEvent.load(sessionId);
  if (event) return eventCall(sessionId, () => event, SEARCH_REQUESTS, context);
  const row = await searchCall(sessionId, stretchAround(around ?? null, context), SEARCH_REQUESTS, context);
  return row && callOfRow(row, context);
}

/** A call without a session id is named by a keyed digest of its row: stable while the row is. */
export function callLogId({ sessionId, row }: Call, { seal }: Pick<Context, "seal">): MaybePromise<string> {
  if (sessionId !== null) return nodeId("CallLog", sessionId);
  return andThen(row(), (told) => nodeId("CallLog", "", seal.digest("call log row", JSON.stringify(told))));
}

export function taskOf({ taskId }: { taskId: string | null }, { loaders }: Context): MaybePromise<TaskRecord | null> {
  return taskId === null ? null : loaders.task.load(taskId);
}

/** Its row is searched for once, and only where a field needs it. */
function eventCall(
  sessionId: string,
  event: () => MaybePromise<CallEndedEvent>,
  mostRequests: number,
  context: Context,
): Call {
  const search = (found: CallEndedEvent) => searchCall(sessionId, stretchOf(found), mostRequests, context);
  let row: Promise<CallLogRecord | null> | undefined;
  return { sessionId, alone: null, event, row: () => (row ??= Promise.resolve(event()).then(search)) };
}

function stretchAround(around: Instant | null, { clock }: Pick<Context, "clock">): Stretch {
  if (around !== null) {
    const near = Date.parse(around);
    return { from: near - DAY, to: near + DAY, near };
  }
  // Whole days, so that many calls asked for at once are searched for once.
  const near = clock();
  const today = Math.floor(near / DAY) * DAY;
  return { from: today - LAST_DAYS * DAY, to: today + 2 * DAY, near };
}

function stretchOf({ startAt, endAt, receivedAt }: CallEndedEvent): Stretch {
  const end = Date.parse(endAt ?? receivedAt);
  const start = startAt === null ? end - DAY : Date.parse(startAt);
  const from = Math.floor((Math.min(start, end) - MARGIN) / GRID) * GRID;
  const to = Math.ceil((Math.max(start, end) + MARGIN) / GRID) * GRID;
  return { from, to, near: start };
}
