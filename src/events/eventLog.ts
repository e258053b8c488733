// The durable, ordered log of ended calls. README.md in this folder explains how its parts work together.
import { CodedError } from "../errors.ts";
import { instantOf } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import type { EventStore } from "../store/events/eventStore.ts";
import { unstorableReasonOf } from "../store/unstorable.ts";
import { createGroupCommit } from "../util/groupCommit.ts";
import type { Signer } from "../util/hmac.ts";
import { createBatchedRead, shareRead } from "./batchedRead.ts";
import { isEnd, isSessionId, type CallEndedData, type CallEndedEvent, type EventSource } from "./callEndedEvent.ts";
import type { AppendOutcome } from "./eventObserver.ts";
import { followBatches, followLog } from "./followLog.ts";
import type { EventBatch, EventPageRequest, FollowRequest, StreamItem } from "./followLog.ts";
import { createLatestEventCache, type LatestEventCache } from "./latestEventCache.ts";
import { createDamagedEntries, createEventCursors, createRowParser, damagedEntryError } from "./logEntry.ts";
import { openLostEvents } from "./lostEvents.ts";
import { startLogCheck } from "./logCheck.ts";
import { readEventPage } from "./eventReader.ts";
import { openReplayCache, type ReplayEntry } from "./replayCache.ts";
import { addToCall } from "./rereadCall.ts";
import { deliveryOf, type Delivery, type DeliveryOptions, type Reading } from "./reviseCall.ts";

export type { EventFilter } from "../store/events/eventStore.ts";
export type { EventBatch, EventPageRequest, FollowRequest, StreamItem } from "./followLog.ts";

export interface EventLog extends AsyncDisposable {
  /**
   * Resolves when the event is on disk: "appended" as the call's first, "revised" as a further revision. "known": it added
   * nothing, so nothing was written and no follower receives it. Throws STORE_UNAVAILABLE; then it may be written or not, because
   * the answer to a commit can be lost. A repeated call then resolves with "known", or writes it. It also throws where this event
   * cannot be stored, however often it comes (unstorable.ts). `body`: what came, to be kept with the entry in the same commit.
   * `isEnd` false: it adds to a call of which the log has an end, and else nothing: "known".
   */
  append(call: CallEndedData, source: EventSource, own?: DeliveryOptions): Promise<AppendOutcome>;
  /**
   * Appends a revision if new readings of a call's kept deliveries, at least one and in order, change the call. Resolves when it is on
   * disk.
   */
  reread(sessionId: string, readings: readonly Reading[]): Promise<AppendOutcome>;
  /**
   * A checkpoint, then every event after the cursor in order, then each new event, without a gap or a repeat. `after: null`
   * begins at the head. Ends only by `return()`, at once. Throws CURSOR_INVALID before it reads. `onHead` is called with the
   * follower's cursor when it has received everything and is about to wait.
   */
  follow(options: FollowRequest, onHead?: (cursor: string) => void): Promise<AsyncIterableIterator<StreamItem>>;
  /**
   * Every entry after the cursor in batches and in order: revisions and entries without an end included, damaged entries left out. The first batch
   * holds only the position. Ends only by `return()`, at once. Throws CURSOR_INVALID before it reads.
   */
  followBatches(after: string): Promise<AsyncIterableIterator<EventBatch>>;
  /** The cursor before the first event ever. A follower from there receives a gap first, if events were purged. */
  oldestCursor(): string;
  /**
   * Remembers the newest place that this gateway has read. Call the result to get its signed cursor. An event up to there was passed
   * to `onEvent`, so no answer of the service that was cached before the event is used any more.
   */
  markHead(): () => string;
  /**
   * At most `first` events, and whether more follow. The page ends before a damaged entry. If that would be its first entry,
   * it throws STORE_UNAVAILABLE with a cursor after which to go on. Also throws CURSOR_INVALID and CURSOR_EXPIRED.
   */
  page(options: EventPageRequest): Promise<{ events: CallEndedEvent[]; hasMore: boolean; headCursor: string }>;
  /** The newest revision; null if the call's end is not in the log. Throws for a damaged entry. */
  bySession(sessionId: string): Promise<CallEndedEvent | null>;
  /**
   * The newest revisions of many calls, from a cache or combined with other reads into one query. Another gateway's appends are
   * known after `refresh`.
   */
  newestOf: LatestEventCache["get"];
  /** One revision of a call; null if it is not in the log, was purged, or does not show the call's end. */
  byRevision(sessionId: string, revision: number): Promise<CallEndedEvent | null>;
  /** Throws CURSOR_EXPIRED if events after the cursor were purged, and CURSOR_INVALID if it is no cursor of this log. */
  checkRetained(cursor: string): Promise<void>;
  /** Call it when another process may have appended entries up to `through`; null: appended or erased any. */
  refresh(through?: number | null): Promise<void>;
  /** True if a damaged entry is known. */
  isDamaged(): boolean;
  /** The part of the log, from 0 to 1, that the check in the background has read. Null: no check is running. */
  checkProgress(): number | null;
  /** At least so many events were lost by a failover of the database, as noticed within the last day. */
  lostEvents(): number;
}

export interface EventLogDeps {
  store: EventStore;
  /** Signs cursors. */
  signer: Signer;
  clock: () => number;
  checkpointMs: number;
  /** Sequence numbers of entries that are known to be damaged. */
  damaged?: readonly number[];
  /** True: checks all entries in the background. */
  isCheckDue?: boolean;
  /**
   * Called with every event that this gateway or another appends: here before `append` resolves, elsewhere before a
   * follower receives it. It may be called twice for one event.
   */
  onEvent?: (event: Pick<CallEndedEvent, "taskId" | "source">) => void;
  /** Called when a number was erased on this gateway or another: here before `refresh` resolves. */
  onErased?: () => void;
  log: Logger;
}

/** Two hundred of the longest lists of calls; an event takes some kilobytes. */
const MAX_CACHED_CALLS = 20_000;
/** A purge by another gateway is noticed after this time at the latest. */
const MAX_CACHE_AGE_MS = 60_000;
const NONE: readonly CallEndedEvent[] = [];
const MAX_COMMIT = 500;
const MAX_QUEUE = 20_000;
/** Characters of JSON, and bytes that came. */
const MAX_QUEUE_SIZE = 64 * 1024 * 1024;
/** The rows of a batch are read in one turn of the event loop: about 10 ms. */
const MAX_BATCH = 500;
/** Characters of JSON. */
const MAX_BATCH_SIZE = 16 * 1024 * 1024;

export async function openEventLog(deps: EventLogDeps): Promise<EventLog> {
  const { signer, clock, checkpointMs, damaged = [], onEvent, onErased, log } = deps;
  // Thousands of subscribers may start at once: their reads are combined.
  const store = { ...deps.store, head: shareRead(deps.store.head), purgedThrough: shareRead(deps.store.purgedThrough) };
  const cursors = createEventCursors(signer);
  const damage = createDamagedEntries(damaged, log);
  const { eventAt, eventOrNull, eventOrThrow, eventOrError } = createRowParser(cursors, damage);
  const readNewest = createBatchedRead(async (sessionIds: readonly string[]) => {
    const rows = await store.newestRevisions(sessionIds.filter(isSessionId));
    const newest = rows.map((row) => [row.sessionId, eventOrError(row)] as const);
    return new Map(newest.filter(([, event]) => event instanceof Error || isEnd(event)));
  });
  const lost = await openLostEvents({ store, cursors, clock, log });
  const latestEvents = createLatestEventCache({
    read: readNewest,
    mayBeInLog: store.mayContain,
    maxEntries: MAX_CACHED_CALLS,
    maxAgeMs: MAX_CACHE_AGE_MS,
    now: () => performance.now(),
  });
  const replayCache = await openReplayCache({
    store,
    eventOrNull,
    onRead: latestEvents.invalidate,
    onErased() {
      latestEvents.invalidateAll();
      onErased?.();
    },
    onEvent,
    async onSkipped() {
      await lost.refresh();
      latestEvents.invalidateAll();
    },
    log,
  });
  const commit = createGroupCommit({
    commit: async (deliveries: readonly Delivery[]) => {
      const addToCache = replayCache.beginAppend();
      const rows = await store.append(deliveries, addToCall);
      const appended: ReplayEntry[] = [];
      const outcomes = rows.map((row, index) => {
        if (!row) return "known";
        const { call, text } = deliveries[index] as Delivery;
        latestEvents.invalidate(row.sessionId);
        onEvent?.({ taskId: call.taskId, source: row.source as EventSource });
        // Right for a first revision only; the cache reads further ones from the store, where they are merged.
        appended.push({ seq: row.seq, event: eventAt(row, call), earlier: NONE, size: text.length });
        return row.revision === 1 ? "appended" : "revised";
      });
      addToCache(appended);
      return outcomes;
    },
    isRefusal: (error) => unstorableReasonOf(error) !== null,
    maxBatch: MAX_COMMIT,
    maxQueued: MAX_QUEUE,
    sizeOf: ({ text, body }) => text.length + (body?.byteLength ?? 0),
    maxQueuedSize: MAX_QUEUE_SIZE,
  });
  const check = deps.isCheckDue ? startLogCheck({ store, checkRow: eventOrNull, log }) : null;
  const reading = { store, replayCache, eventOrNull, damagedBetween: damage.between, cursorAt: cursors.at };

  return {
    append: (call, source, own) => commit(deliveryOf(call, source, instantOf(clock()), own)),
    async reread(sessionId, readings) {
      const { call } = readings.at(-1) as Reading;
      const delivery = { ...deliveryOf(call, "WEBHOOK", instantOf(clock())), sessionId, readings };
      // Most readings change nothing, and then the log needs no transaction.
      return addToCall(await store.revisionsOf(sessionId), delivery) ? commit(delivery) : "known";
    },
    async follow({ after, filter, ...request }, onHead) {
      const seq = await seqOrHead(after, lost.checkFollowed);
      const own = { filter: { ...filter, ended: true }, after: seq, lostAfter: lost.gapAfter } as const;
      const pace = { isPaced: request.checkpointMs !== undefined, checkpointMs: request.checkpointMs ?? checkpointMs };
      return followLog({ ...reading, ...request, ...own, ...pace, onHead });
    },
    async followBatches(after) {
      const limits = { maxEntries: MAX_BATCH, maxSize: MAX_BATCH_SIZE };
      return followBatches({ ...reading, ...limits, after: await seqOf(after, lost.checkFollowed) });
    },
    oldestCursor: () => cursors.at(0),
    markHead() {
      const seq = replayCache.head();
      return () => cursors.at(seq);
    },
    async page({ after, ...request }) {
      const seq = after === null ? null : await seqOf(after);
      const asked = { ...request, filter: { ...request.filter, ended: true }, after: seq } as const;
      const { events, hasMore, damagedFirst, purgedThrough, head } = await readEventPage(reading, asked);
      if (seq !== null && request.order === "oldestFirst") throwIfPurged(seq, purgedThrough);
      if (damagedFirst !== null) throw damagedEntryError(cursors.at(damagedFirst));
      return { events, hasMore, headCursor: cursors.at(head) };
    },
    async bySession(sessionId) {
      const event = (await readNewest([sessionId])).get(sessionId) ?? null;
      if (event instanceof Error) throw event;
      return event;
    },
    newestOf: latestEvents.get,
    async byRevision(sessionId, revision) {
      const row = (await store.revisionsOf(sessionId)).find((each) => each.revision === revision);
      const event = row ? eventOrThrow(row) : null;
      return event && isEnd(event) ? event : null;
    },
    checkRetained: async (cursor) => throwIfPurged(await seqOf(cursor), await store.purgedThrough()),
    async refresh(through = null) {
      if (through === null || through > replayCache.head()) await replayCache.refresh();
    },
    isDamaged: damage.any,
    checkProgress: () => check?.progress() ?? null,
    lostEvents: lost.count,
    async [Symbol.asyncDispose]() {
      await check?.[Symbol.asyncDispose]();
      await replayCache[Symbol.asyncDispose]();
    },
  };

  async function seqOrHead(cursor: string | null, check = lost.check): Promise<number> {
    return cursor === null ? store.head() : seqOf(cursor, check);
  }

  /** Refuses a cursor of a lost event: its reader would miss the events up to it. */
  async function seqOf(cursor: string, check = lost.check): Promise<number> {
    const seq = cursors.parse(cursor);
    check(seq, await store.head());
    return seq;
  }

  function throwIfPurged(seq: number, purgedThrough: number): void {
    if (seq >= purgedThrough) return;
    const cursor = cursors.at(purgedThrough);
    throw new CodedError("CURSOR_EXPIRED", "Events after the cursor are no longer kept.", { cursor });
  }
}
