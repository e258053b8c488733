// Keeps the newest entries of the log in memory. It reads each entry once for all followers, so that ten thousand
// subscribers near the head do not read the database ten thousand times.
import type { Logger } from "../logger.ts";
import type { EventRow, EventStore } from "../store/events/eventStore.ts";
import { createSignal, type Signal } from "../util/signal.ts";
import type { CallEndedEvent } from "./callEndedEvent.ts";

export interface ReplayEntry {
  seq: number;
  /** Null for a damaged entry. */
  event: CallEndedEvent | null;
  /** Earlier revisions of the call: without `revisions`, a follower receives a call at its first revision that passes. */
  earlier: readonly CallEndedEvent[];
  /** Characters of JSON of the event and its earlier revisions. */
  size: number;
}

export interface ReplayCache extends AsyncDisposable {
  /** At most `max` entries after a sequence number, in order. Null if the cache does not reach back that far. */
  entriesAfter(seq: number, max: number): readonly ReplayEntry[] | null;
  /** The sequence number of the newest entry that this gateway has read. */
  head(): number;
  /** Changes with every erasure: entries that were read before it must not be delivered any more. */
  erasureCount(): number;
  /** Notified when entries were added. */
  updates: Signal;
  /**
   * Call it before an append, and the function that it returns with the appended entries, in order. They are added without
   * being read, in the same turn, if they follow directly on the head. Otherwise they are read from the store.
   */
  beginAppend(): (appended: readonly ReplayEntry[]) => void;
  /** Reads what was appended since the last refresh. Resolves when it is in the cache. Failures are logged and retried. */
  refresh(): Promise<void>;
}

export interface ReplayCacheOptions {
  store: Pick<EventStore, "read" | "head" | "revisionsOf" | "erasureCount">;
  /** Called before entries are added that do not follow directly on the head: the database may have been failed over. */
  onSkipped: () => Promise<void>;
  /** Null for a damaged row. */
  eventOrNull: (row: EventRow) => CallEndedEvent | null;
  /** Called with the session id of each entry that was read, damaged ones included. */
  onRead: (sessionId: string) => void;
  /** Called when entries in the middle of the log were erased: any cached entry may be one of them. */
  onErased: () => void;
  /** Called with each event that was read, in order, before any follower receives it. */
  onEvent?: ((event: CallEndedEvent) => void) | undefined;
  log: Logger;
}

const MAX_ENTRIES = 2000;
/** Characters of JSON: the sender decides how large an event is. */
const MAX_SIZE = 64 * 1024 * 1024;
const BATCH = 500;
const RETRY_MS = 1000;

export async function openReplayCache(options: ReplayCacheOptions): Promise<ReplayCache> {
  const { store, eventOrNull, onRead, onErased, onEvent, onSkipped, log } = options;
  const updates = createSignal();
  /** The cache holds every entry after this one. */
  let start = await store.head();
  let erasureCount = await store.erasureCount();
  let head = start;
  let entries: ReplayEntry[] = [];
  let size = 0;
  let refreshing: Promise<void> | null = null;
  let refreshAgain = false;
  let retryTimer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isFailing = false;

  async function toEntry(row: EventRow): Promise<ReplayEntry> {
    const event = eventOrNull(row);
    const revisions = row.revision === 1 ? [] : await store.revisionsOf(row.sessionId);
    const before = revisions.filter(({ revision }) => revision < row.revision);
    const earlier = before.map(eventOrNull).filter((known) => known !== null);
    const size = row.data.length + before.reduce((sum, { data }) => sum + data.length, 0);
    return { seq: row.seq, event, earlier, size };
  }

  /** Adds entries at the head and drops the oldest ones beyond the limits. */
  function add(added: readonly ReplayEntry[]): void {
    entries.push(...added);
    size += added.reduce((sum, entry) => sum + entry.size, 0);
    let dropped = 0;
    for (let left = entries.length; left > MAX_ENTRIES || (size > MAX_SIZE && left > 1); left -= 1) {
      const oldest = entries[dropped] as ReplayEntry;
      size -= oldest.size;
      start = oldest.seq;
      dropped += 1;
    }
    entries.splice(0, dropped);
    head = added.at(-1)?.seq ?? head;
    updates.notify();
  }

  /** Whether these entries follow directly on the head and need no earlier revisions. */
  function isContiguous(appended: readonly ReplayEntry[]): boolean {
    return appended.every(({ seq, event }, index) => event?.revision === 1 && seq === head + 1 + index);
  }

  async function readToHead(): Promise<void> {
    for (;;) {
      const page = {
        filter: {},
        revisions: true,
        after: head,
        through: null,
        order: "oldestFirst",
        limit: BATCH,
      } as const;
      const rows = await store.read(page);
      if (rows.length === 0) return;
      for (const { sessionId } of rows) onRead(sessionId);
      if (rows.some(({ seq }, index) => seq !== (rows[index - 1]?.seq ?? page.after) + 1)) await skip();
      const found = await Promise.all(rows.map(toEntry));
      // An append may have added some of them meanwhile.
      const added = found.filter(({ seq }) => seq > head);
      for (const { event } of added) if (event) onEvent?.(event);
      add(added);
    }
  }

  function empty(): void {
    entries = [];
    size = 0;
    start = head;
  }

  /** Empties the cache after an erasure, because any of its entries may have been erased. */
  async function dropErased(): Promise<void> {
    const count = await store.erasureCount();
    if (count === erasureCount) return;
    erasureCount = count;
    empty();
    onErased();
  }

  /** Empties the cache, because any of its entries may have been lost in a failover. */
  async function skip(): Promise<void> {
    await onSkipped();
    empty();
  }

  async function refreshUntilCurrent(): Promise<void> {
    try {
      do {
        refreshAgain = false;
        await dropErased();
        await readToHead();
        if (isFailing) log.info({}, "the event log can be read again");
        isFailing = false;
      } while (refreshAgain);
    } catch (err) {
      if (isClosed) return;
      // Logged once: the read is retried every second.
      if (!isFailing) log.warn({ err }, "the event log cannot be read; subscribers receive new events when it can");
      isFailing = true;
      retryTimer = setTimeout(() => void refresh(), RETRY_MS);
    } finally {
      // In the same turn as the last check of `refreshAgain`, so that a call in between is not lost.
      refreshing = null;
    }
  }

  function refresh(): Promise<void> {
    refreshAgain = true;
    clearTimeout(retryTimer);
    refreshing ??= refreshUntilCurrent();
    return refreshing;
  }

  return {
    updates,
    head: () => head,
    erasureCount: () => erasureCount,
    entriesAfter(seq, max) {
      if (seq < start) return null;
      // Most followers are close to the head, so the search begins there.
      let first = entries.length;
      while (first > 0 && (entries[first - 1] as ReplayEntry).seq > seq) first -= 1;
      return entries.slice(first, first + max);
    },
    beginAppend() {
      const erasuresBefore = erasureCount;
      return (appended) => {
        if (appended.length === 0) return;
        // After an erasure the store knows which of these entries are left.
        const isKnown = erasureCount === erasuresBefore && isContiguous(appended);
        if (isKnown) add(appended);
        else void refresh();
      };
    },
    refresh,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(retryTimer);
      await refreshing;
    },
  };
}
