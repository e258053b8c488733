// The log as the graph shows it: pages of events, one call's event, and the live stream.
import type { Context } from "../context.ts";
import type { Instant } from "../dialect/instant.ts";
import type { CallEndedEvent } from "../events/callEnded.ts";
import type { EventFilter } from "../events/eventLog.ts";
import { pageInfo, type Edge, type PageInfo } from "./pageInfo.ts";
import { badInput, checkFirst, checkPhone, checkUpstreamIds } from "./rules.ts";

export interface CallEndedFilter {
  taskIds?: string[] | null | undefined;
  assistantIds?: string[] | null | undefined;
  direction?: "inbound" | "outbound" | null | undefined;
  hangupSide?: "caller" | "callee" | null | undefined;
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

interface CallEndedEventsArgs {
  first: number;
  after?: string | null | undefined;
  filter?: CallEndedFilter | null | undefined;
  order: "oldestFirst" | "newestFirst";
}

export async function callEndedEvents(
  { first, after, filter, order }: CallEndedEventsArgs,
  { events }: Context,
): Promise<CallEndedConnection> {
  checkFirst(first);
  const page = await events.page({ first, after: after ?? null, filter: eventFilter(filter), order });
  const edges = page.events.map((node) => ({ node, cursor: node.cursor }));
  const info = pageInfo(edges, { hasNextPage: page.hasMore, hasPreviousPage: after != null });
  return { edges, pageInfo: info, headCursor: page.headCursor };
}

export function callEndedOf(sessionId: string, { events }: Context): Promise<CallEndedEvent | null> {
  return events.bySession(sessionId);
}

export async function followCallEnded(
  { after, filter }: Pick<CallEndedEventsArgs, "after" | "filter">,
  { events }: Context,
): Promise<AsyncIterableIterator<CallEndedEvent>> {
  return events.follow({ after: after ?? null, filter: eventFilter(filter) });
}

/** On an outbound call the assistant is the caller, on an inbound call the callee; null where either is not known. */
export function hungUpBy({ direction, hangupSide }: CallEndedEvent): "ASSISTANT" | "CUSTOMER" | null {
  if (direction === null || hangupSide === null) return null;
  return (direction === "outbound") === (hangupSide === "caller") ? "ASSISTANT" : "CUSTOMER";
}

function eventFilter(given: CallEndedFilter | null | undefined): EventFilter {
  const filter: EventFilter = {};
  for (const [name, value] of Object.entries(given ?? {})) if (value != null) Object.assign(filter, { [name]: value });
  checkUpstreamIds("taskIds", filter.taskIds ?? []);
  checkUpstreamIds("assistantIds", filter.assistantIds ?? []);
  if (filter.phone !== undefined) checkPhone(filter.phone);
  const { since, until } = filter;
  if (since !== undefined && until !== undefined && since > until) throw badInput("since is after until.");
  return filter;
}
