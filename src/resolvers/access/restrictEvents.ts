// The event log and its statistics, with a viewer's own events only.
import { CodedError } from "../../errors.ts";
import { matchesFilter, type CallEndedEvent } from "../../events/callEndedEvent.ts";
import type { CursorView } from "../../events/cursorView.ts";
import type { FollowRequest, StreamItem } from "../../events/eventLog.ts";
import { andThen } from "../../util/maybePromise.ts";
import type { Context, Services, SubscriptionSource } from "../context.ts";
import { visibleItems } from "./visibleItems.ts";
import type { OwnSessions } from "./ownSessions.ts";
import { notByLookUp, refuse } from "./accessRefusals.ts";
import type { RowAccess } from "./rowAccess.ts";

/**
 * A shared group of subscribers follows the log as the source is told. Only the store knows who submitted a task, so that a
 * subscriber who sees its own tasks shares nothing.
 */
export function restrictSource(source: SubscriptionSource, access: RowAccess): SubscriptionSource {
  const { onHead } = source;
  if (!onHead) return source;
  if (access.submitter !== null) return { ...source, onHead: null };
  return {
    ...source,
    onHead: (cursor, request) => onHead(cursor, { ...request, filter: access.ofEvents(request.filter) }),
  };
}

type Restricted = Pick<Context, "events" | "submittedTasks" | "hiddenCursors">;

/** An error may say with which cursor to go on. */
async function withHiddenCursor<T>(cursors: CursorView, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CodedError) || error.cursor === undefined) throw error;
    const { code, message, retryable } = error;
    const cursor = cursors.ofPlace(error.cursor);
    throw new CodedError(code, message, { cursor, cause: error, ...(retryable === undefined ? {} : { retryable }) });
  }
}

export function restrictEvents(context: Restricted, access: RowAccess, sessions: OwnSessions): Services["events"] {
  const { events, hiddenCursors } = context;
  const own = (event: CallEndedEvent | null) => andThen(access.seesCall(event), (isOwn) => (isOwn ? event : null));
  const lookUp = async (find: () => Promise<CallEndedEvent | null>) => {
    if (!access.findsCalls) throw notByLookUp();
    return own(await find());
  };
  return {
    async page(request) {
      await access.checkFilter(request.filter);
      const page = await withHiddenCursor(hiddenCursors, () =>
        events.page({ ...request, filter: access.ofEvents(request.filter) }),
      );
      for (const { sessionId } of page.events) sessions.add(sessionId);
      return page;
    },
    async follow(request, onHead) {
      await access.checkFilter(request.filter);
      return withHiddenCursor(hiddenCursors, () =>
        access.submitter === null
          ? events.follow({ ...request, filter: access.ofEvents(request.filter) }, onHead)
          : followSubmitted(context, access, access.submitter, request),
      );
    },
    bySession: (sessionId) => lookUp(() => events.bySession(sessionId)),
    byRevision: (sessionId, revision) => lookUp(() => events.byRevision(sessionId, revision)),
    checkRetained: (cursor) => withHiddenCursor(hiddenCursors, () => events.checkRetained(cursor)),
  };
}

/**
 * Follows every event that the filter matches, and asks of each whether the viewer submitted its task. So an event counts from the
 * moment at which its submission is resolved.
 */
async function followSubmitted(
  { events, submittedTasks }: Restricted,
  access: RowAccess,
  viewer: string,
  request: FollowRequest,
): Promise<AsyncIterableIterator<StreamItem>> {
  const { access: conditions, ...filter } = access.ofEvents(request.filter);
  const known = { ...filter, access: { ...conditions, submittedBy: undefined } };
  const isOwn = async (event: CallEndedEvent) =>
    matchesFilter(event, known) && (await submittedTasks.isEventOf(viewer, event));
  /** Without `revisions` a call is told once, by its first revision that is the viewer's. */
  async function isTold({ sessionId, revision }: CallEndedEvent): Promise<boolean> {
    for (let before = revision - 1; before >= 1; before -= 1) {
      const event = await events.byRevision(sessionId, before);
      if (event && (await isOwn(event))) return true;
    }
    return false;
  }
  const items = await events.follow({ ...request, filter: known, revisions: true });
  return visibleItems(items, async (item) => {
    if (item.kind !== "event") return true;
    if (!(await isOwn(item.event))) return false;
    return request.revisions || !(await isTold(item.event));
  });
}

export function restrictStats(stats: Services["stats"], access: RowAccess): Services["stats"] {
  type Filter = Parameters<RowAccess["ofEvents"]>[0];
  const own = async (filter: Filter): Promise<Filter> => {
    await access.checkFilter(filter);
    return access.ofEvents(filter);
  };
  return {
    totals: async (owner, filter) => stats.totals(owner, await own(filter)),
    numbers: async (owner, filter) => stats.numbers(owner, await own(filter)),
    byHangupReason: async (owner, filter, first) => stats.byHangupReason(owner, await own(filter), first),
    byHangupSide: async (owner, filter) => stats.byHangupSide(owner, await own(filter)),
    byTask: async (owner, filter, first) => stats.byTask(owner, await own(filter), first),
    byAssistant: async (owner, filter, first) => stats.byAssistant(owner, await own(filter), first),
    byTime: async (owner, filter, slot, limit) => stats.byTime(owner, await own(filter), slot, limit),
    arrivals: refuse,
    unreadable: refuse,
    entries: refuse,
  };
}
