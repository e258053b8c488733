// Reads the event log: pages of events, the newest event of a call, and live streams.
import { CodedError } from "../errors.ts";
import { columnText, type CallEndedEvent } from "../events/callEndedEvent.ts";
import type { CursorView } from "../events/cursorView.ts";
import type { EventFilter, StreamItem } from "../events/eventLog.ts";
import type { Instant } from "../format/instant.ts";
import { comparedWritings } from "../format/phoneWritings.ts";
import { mapItems } from "../util/iterators.ts";
import type { Context } from "./context.ts";
import { badInput, checkFirst, checkListLength, checkUpstreamIds, readPhoneFilter } from "./inputRules.ts";
import { pageInfo, type Edge, type PageInfo, type Paging } from "./pageInfo.ts";

export interface CallEndedFilter {
  taskIds?: string[] | null | undefined;
  assistantIds?: string[] | null | undefined;
  direction?: "inbound" | "outbound" | null | undefined;
  hangupSide?: "caller" | "callee" | null | undefined;
  hangupReasons?: (string | null | undefined)[] | null | undefined;
  answered?: boolean | null | undefined;
  phone?: string | null | undefined;
  since?: Instant | null | undefined;
  until?: Instant | null | undefined;
}

export interface CallEndedConnection {
  edges: Edge<CallEndedEvent>[];
  pageInfo: PageInfo;
  headCursor: string;
}

interface CallEndedEventsArgs extends Paging {
  filter?: CallEndedFilter | null | undefined;
  order: "oldestFirst" | "newestFirst";
  /** False: without entries of imports. By default a page has them, and a live stream does not. */
  imported?: boolean | undefined;
  revisions: boolean;
}

type FollowArgs = Pick<CallEndedEventsArgs, "after" | "filter" | "imported" | "revisions">;

export async function callEndedEvents(
  { first, after, filter, order, imported = true, revisions }: CallEndedEventsArgs,
  { events, queryOwner, cursors }: Context,
): Promise<CallEndedConnection> {
  checkFirst(first);
  const query = { first, after: after ?? null, filter: ofSources(eventFilter(filter), imported), order, revisions };
  const page = await queryOwner.once(["callEndedEvents", query], () => events.page({ ...query, queryOwner }));
  const edges = page.events.map((node) => ({ node, cursor: cursors.ofEvent(node.cursor) }));
  const info = pageInfo(edges, { hasNextPage: page.hasMore, hasPreviousPage: after != null });
  return { edges, pageInfo: info, headCursor: cursors.ofPlace(page.headCursor) };
}

export function callEndedOf(
  sessionId: string,
  { events, queryOwner, queuedRead }: Context,
): Promise<CallEndedEvent | null> {
  return queuedRead(queryOwner, ["newest event", sessionId], () => events.bySession(sessionId));
}

export async function followStream(
  { after, filter, imported = false, revisions }: FollowArgs,
  { events, queryOwner, source }: Context,
): Promise<AsyncIterableIterator<StreamItem>> {
  const { onHead } = source;
  const request = {
    after: source.after ?? source.eventStream?.lastEventId ?? after ?? null,
    filter: ofSources(eventFilter(filter), imported),
    revisions,
    queryOwner,
    checkpointMs: source.eventStream?.checkpointMs,
  };
  const items = await events.follow(request, onHead ? (cursor) => onHead(cursor, request) : undefined);
  // The first item is the checkpoint at the start, which the subscriber had before it resumed.
  if (source.after !== null) await items.next();
  return items;
}

/** Only the events. At a gap the stream ends with CURSOR_EXPIRED and the cursor after which the events go on. */
export async function followCallEnded(
  args: FollowArgs,
  context: Context,
): Promise<AsyncIterableIterator<CallEndedEvent>> {
  const { events, source } = context;
  const start = source.eventStream?.lastEventId ?? args.after;
  if (start != null) await events.checkRetained(source.after ?? start);
  const items = await followStream(args, context);
  return eventsOf(items, source.eventStream !== null, context.cursors);
}

function eventsOf(
  items: AsyncIterableIterator<StreamItem>,
  keepsCheckpoints: boolean,
  cursors: CursorView,
): AsyncIterableIterator<CallEndedEvent> {
  async function endAt(gap: string): Promise<never> {
    await items.return?.();
    const cursor = cursors.ofPlace(gap);
    throw new CodedError("CURSOR_EXPIRED", "Events after the cursor are no longer kept, or damaged.", { cursor });
  }
  return mapItems(items, (item) => {
    if (item.kind === "event") return item.event;
    if (item.kind === "gap") return endAt(item.cursor);
    // No operation is executed for it: see graphql/subscriptions/eventId.ts.
    return keepsCheckpoints ? (item as unknown as CallEndedEvent) : undefined;
  });
}

/**
 * On an outbound call the assistant is the caller, on an inbound call the callee. Null where the direction or the side is
 * unknown.
 */
export function hungUpBy({ direction, hangupSide }: CallEndedEvent): "ASSISTANT" | "CUSTOMER" | null {
  if (direction === null || hangupSide === null) return null;
  return (direction === "outbound") === (hangupSide === "caller") ? "ASSISTANT" : "CUSTOMER";
}

const ofSources = (filter: EventFilter, imported: boolean): EventFilter =>
  imported ? filter : { ...filter, imported: false };

/** Checks the arguments of a filter. Throws BAD_USER_INPUT, and QUERY_TOO_COMPLEX for a long list of ids. */
export function eventFilter(given: CallEndedFilter | null | undefined): EventFilter {
  const filter: EventFilter = {};
  const { phone, hangupReasons, ...others } = given ?? {};
  for (const [name, value] of Object.entries(others)) if (value != null) Object.assign(filter, { [name]: value });
  checkUpstreamIds("taskIds", filter.taskIds ?? []);
  checkUpstreamIds("assistantIds", filter.assistantIds ?? []);
  if (hangupReasons != null) {
    checkListLength("hangupReasons", hangupReasons);
    filter.hangupReasons = hangupReasons.map((reason) => columnText(reason ?? null));
  }
  if (phone != null) {
    const reading = readPhoneFilter(phone);
    filter.phones = reading.kind === "number" ? comparedWritings(reading) : [columnText(reading.sent)];
  }
  const { since, until } = filter;
  if (since !== undefined && until !== undefined && since > until) throw badInput("since must not be after until.");
  return filter;
}
