// The log of ended calls: the spine of the gateway. What was appended is on disk; what was read is never taken back; a
// reader that has seen a cursor never later finds an event before it.
import { instantOf } from "../format/instant.ts";
import { CodedError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Signer } from "../util/hmac.ts";
import type { EventFilter, EventPage, EventStore } from "../store/log/eventStore.ts";
import type { QueryOwner } from "../store/scheduling/queryOwner.ts";
import { isSessionId, type CallEndedData, type CallEndedEvent, type EventSource } from "./callEndedEvent.ts";
import { followBatches } from "./followBatches.ts";
import { createEventCursors } from "./eventCursor.ts";
import { createDamagedEntries, damagedEntry, eventsExpired } from "./damagedEntries.ts";
import { followLog } from "./followLog.ts";
import { createGroupCommit } from "../util/groupCommit.ts";
import { createBatchedRead, shareRead } from "./batchedRead.ts";
import { mapAsync } from "../util/mapAsync.ts";
import { createLatestEventCache, type LatestEventCache } from "./latestEventCache.ts";
import { readEventPage } from "./readEventPage.ts";
import { createEventReader } from "./parseLogRow.ts";
import { openReplayCache } from "./replayCache.ts";
import { deliveryOf, reviseCall } from "./reviseCall.ts";

export type { EventFilter } from "../store/log/eventStore.ts";

export interface EventLog extends AsyncDisposable {
  /**
   * Resolves when the event is on disk: as the call's first, as a further revision, or "known" where it told nothing new,
   * and then nothing was written and nobody is told. Throws STORE_UNAVAILABLE, and then nothing was kept.
   */
  append(call: CallEndedData, source: EventSource): Promise<"appended" | "revised" | "known">;
  /**
   * A checkpoint, then every event behind `after`, in order, then each as it is appended, without a gap or a repeat;
   * null: from now on. Ends only by `return()`, at once. Throws CURSOR_INVALID before anything is read. `onHead` is called
   * with the reader's place when it was given everything and is about to wait.
   */
  follow(options: FollowRequest, onHead?: (cursor: string) => void): Promise<AsyncIterableIterator<StreamItem>>;
  /**
   * Every entry behind `after`, many at a time, revisions too, in order; damaged ones are left out. The place alone first.
   * Ends only by `return()`, at once. Throws CURSOR_INVALID before anything is read.
   */
  followBatches(after: string | null): Promise<AsyncIterableIterator<Batch>>;
  /** Before the first event that ever was: a reader from there is told of a gap first, where some were purged. */
  oldestCursor(): string;
  /**
   * `first` events at most, and whether there are more behind them. It ends before a damaged entry; where that would be its
   * first, throws STORE_UNAVAILABLE with the cursor behind it. Throws CURSOR_INVALID and CURSOR_EXPIRED.
   */
  page(options: EventPageRequest): Promise<{ events: CallEndedEvent[]; hasMore: boolean; headCursor: string }>;
  /** The newest revision; null where the call is not in the log. */
  bySession(sessionId: string): Promise<CallEndedEvent | null>;
  /**
   * The newest revisions of many calls; a call that is not in the log is not in the answer, and an entry that cannot be read
   * is its error. What is asked for at the same time is one query, and what was asked for lately is none: what another
   * gateway appended is then known as soon as it has been read here.
   */
  newestOf: LatestEventCache["of"];
  /** That entry; null where it is not in the log, or no longer. */
  byRevision(sessionId: string, revision: number): Promise<CallEndedEvent | null>;
  /** Throws CURSOR_EXPIRED where events behind the cursor are no longer kept, CURSOR_INVALID where it is none. */
  checkKept(cursor: string): Promise<void>;
  /** To be called when another process may have appended, up to this place; null: or erased. */
  look(through?: number | null): Promise<void>;
  /** Whether an entry is known that is not what was written. */
  isDamaged(): boolean;
}

export interface FollowRequest {
  after: string | null;
  filter: EventFilter;
  revisions: boolean;
  /** In whose turn the store is asked; without one, at once. */
  reader?: QueryOwner | undefined;
}

export type StreamItem =
  | { kind: "event"; event: CallEndedEvent }
  | { kind: "checkpoint"; cursor: string }
  | { kind: "gap"; cursor: string; after: string };

export interface Batch {
  /** In order; none where the place alone has moved. */
  events: CallEndedEvent[];
  /** Everything up to here is in it, or in an earlier one. */
  cursor: string;
  /** Events up to here are no longer kept: nobody will ever be told of them. */
  hasGap: boolean;
}

export interface EventPageRequest extends FollowRequest {
  first: number;
  order: EventPage["order"];
}

export interface EventLogDeps {
  store: EventStore;
  seal: Signer;
  clock: () => number;
  checkpointMs: number;
  /** Places of entries that are known to be damaged. */
  damaged?: readonly number[];
  /**
   * Told of every event that is appended by this gateway or another: here before append resolves, and anywhere before a
   * reader is told of it. It may be told twice of one.
   */
  onEvent?: (call: Pick<CallEndedData, "taskId">) => void;
  /** Told when somebody's number was erased, on this gateway or another: here before `look` resolves. */
  onErased?: () => void;
  log: Log;
}

/** As many as two hundred of the longest lists; an event takes some kilobytes. */
const CALLS_REMEMBERED = 20_000;
/** What only another gateway knows, its purge, is known here after so long. */
const REMEMBERED_MS = 60_000;
const COMMITTED_TOGETHER = 500;
const READ_TOGETHER = 2000;
/** Characters of JSON. */
const READ_SIZE = 16 * 1024 * 1024;
const QUEUE = 20_000;
/** Characters of JSON. */
const QUEUE_SIZE = 64 * 1024 * 1024;

export async function openEventLog(deps: EventLogDeps): Promise<EventLog> {
  const { store: own, seal, clock, checkpointMs, damaged = [], onEvent, onErased, log } = deps;
  // Each reader asks when it comes: thousands that come at once, or come and go, are not thousands of queries.
  const store = { ...own, head: shareRead(own.head), purgedThrough: shareRead(own.purgedThrough) };
  const cursors = createEventCursors(seal);
  const damage = createDamagedEntries(damaged, log);
  const { eventAt, eventOrNull, eventOf, eventOrError } = createEventReader(cursors, damage);
  const readNewest = createBatchedRead(async (sessionIds: readonly string[]) => {
    const rows = await store.newestOf(sessionIds.filter(isSessionId));
    return new Map(rows.map((row) => [row.sessionId, eventOrError(row)]));
  });
  const newest = createLatestEventCache({
    read: readNewest,
    most: CALLS_REMEMBERED,
    maxAgeMs: REMEMBERED_MS,
    now: () => performance.now(),
  });
  const { forget, forgetAll } = newest;
  const recent = await openReplayCache({
    store,
    eventOf: eventOrNull,
    onRead: forget,
    onErased: () => [forgetAll, onErased].forEach((forget) => forget?.()),
    onEvent,
    log,
  });
  const commit = createGroupCommit({
    commit: async (deliveries: readonly ReturnType<typeof deliveryOf>[]) => {
      const tell = recent.expect();
      const added = await store.append(deliveries, reviseCall);
      const appended = deliveries.flatMap(({ call, text }, at) => {
        const row = added[at];
        if (!row) return [];
        forget(row.sessionId);
        onEvent?.(call);
        // The first of its call is the call as it was told; what a revision was merged into is read.
        return { seq: row.seq, event: eventAt(row, call), size: text.length };
      });
      tell(appended);
      return added;
    },
    batch: COMMITTED_TOGETHER,
    queue: QUEUE,
    sizeOf: ({ text }) => text.length,
    queueSize: QUEUE_SIZE,
  });

  return {
    async append(call, source) {
      const added = await commit(deliveryOf(call, source, instantOf(clock())));
      if (!added) return "known";
      return added.revision === 1 ? "appended" : "revised";
    },
    async follow({ after, ...request }, onHead) {
      const place = after === null ? await store.head() : await placeOf(after);
      const items = followLog({
        store,
        recent,
        place,
        ...request,
        eventOf: eventOrNull,
        damagedBetween: damage.between,
        checkpointMs,
        onHead: onHead && ((seq) => onHead(cursors.at(seq))),
      });
      return mapAsync(items, (item): StreamItem => {
        if (item.kind === "event") return item;
        const cursor = cursors.at(item.seq);
        return item.kind === "checkpoint"
          ? { kind: "checkpoint", cursor }
          : { kind: "gap", cursor, after: cursors.at(item.after) };
      });
    },
    async followBatches(after) {
      const place = after === null ? await store.head() : await placeOf(after);
      const reader = {
        store,
        recent,
        place,
        eventOf: eventOrNull,
        damagedBetween: damage.between,
        most: READ_TOGETHER,
        mostSize: READ_SIZE,
      };
      return mapAsync(followBatches(reader), ({ events, seq, hasGap }) => ({
        events,
        cursor: cursors.at(seq),
        hasGap,
      }));
    },
    oldestCursor: () => cursors.at(0),
    async page({ after, ...request }) {
      const place = after === null ? null : await placeOf(after);
      const reader = { store, eventOf: eventOrNull, damage };
      const { events, hasMore, damagedFirst, purged, head } = await readEventPage(reader, { ...request, after: place });
      if (place !== null && request.order === "oldestFirst") refuseExpired(place, purged);
      if (damagedFirst !== null) throw damagedEntry(cursors.at(damagedFirst));
      return { events, hasMore, headCursor: cursors.at(head) };
    },
    async bySession(sessionId) {
      const event = (await readNewest([sessionId])).get(sessionId) ?? null;
      if (event instanceof Error) throw event;
      return event;
    },
    newestOf: newest.of,
    async byRevision(sessionId, revision) {
      const row = (await store.revisionsOf(sessionId)).find((each) => each.revision === revision);
      return row ? eventOf(row) : null;
    },
    checkKept: async (cursor) => refuseExpired(await placeOf(cursor), await store.purgedThrough()),
    async look(through = null) {
      if (through === null || through > recent.head()) await recent.look();
    },
    isDamaged: damage.isKnown,
    [Symbol.asyncDispose]: () => recent[Symbol.asyncDispose](),
  };

  /** A place behind the head is one of a log that was lost, or put back: whoever waited there would miss what comes. */
  async function placeOf(cursor: string): Promise<number> {
    const place = cursors.read(cursor);
    if (place <= (await store.head())) return place;
    throw new CodedError("CURSOR_INVALID", "The cursor is of a log that went further than this one.");
  }

  function refuseExpired(place: number, purged: number): void {
    if (place < purged) throw eventsExpired(cursors.at(purged));
  }
}
