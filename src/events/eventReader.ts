// Reads ranges of the log: the next entries for a follower, from memory near the head and else from the store, and pages
// for queries.
import type { EventFilter, EventPage, EventRow, EventStore } from "../store/events/eventStore.ts";
import type { QueryOwner } from "../store/scheduling/queryOwner.ts";
import { matchesFilter, type CallEndedEvent } from "./callEndedEvent.ts";
import type { DamagedEntries } from "./logEntry.ts";
import type { ReplayCache } from "./replayCache.ts";

export interface EventReaderOptions {
  store: Pick<EventStore, "readPage" | "positionAfter">;
  replayCache: ReplayCache;
  filter: EventFilter;
  /** True: every revision that passes the filter. False: each call once, at its first revision that passes. */
  revisions: boolean;
  /** The viewer in whose turn the store is read. Without one the store is read at once. */
  queryOwner?: QueryOwner | undefined;
  /** Null for a damaged entry. Followers report it as a gap, because nobody knows whether it would pass the filter. */
  eventOrNull: (row: EventRow) => CallEndedEvent | null;
  /** Finds damaged entries that a filter in SQL leaves out, because their columns may be damaged too. */
  damagedBetween: DamagedEntries["between"];
  /** Limits of one range: entries, and characters of their JSON. A single larger entry is read nevertheless. */
  maxEntries: number;
  maxSize: number;
}

export interface LogRange {
  entries: readonly { seq: number; event: CallEndedEvent | null }[];
  /** Every entry up to here was checked against the filter. */
  upTo: number;
  /** There was nothing more to read. */
  isAtHead: boolean;
  /** Entries up to here were purged; 0 where the range came from memory. */
  purgedThrough: number;
}

/** Entries that one query checks. It bounds the time of a query whose filter passes nothing. */
const SCANNED_ENTRIES = 5000;
const FIRST_LIMIT = 10;

/** Reads the entries after a sequence number; synchronously where they are in memory. Rejects as the store does. */
export function createEventReader(options: EventReaderOptions): (after: number) => LogRange | Promise<LogRange> {
  const { store, replayCache, filter, revisions, queryOwner, eventOrNull, damagedBetween, maxEntries, maxSize } =
    options;
  /** Rows of the next query. It starts low, doubles, and shrinks to what fitted when rows are large. */
  let limit = Math.min(maxEntries, FIRST_LIMIT);

  function fromMemory(after: number): LogRange | null {
    const found = replayCache.entriesAfter(after, maxEntries);
    if (!found) return null;
    const entries = prefixWithin(found, ({ size }) => size, maxSize);
    const passing = entries.filter(
      ({ event, earlier }) =>
        !event ||
        (matchesFilter(event, filter) && (revisions || !earlier.some((before) => matchesFilter(before, filter)))),
    );
    return {
      entries: passing,
      upTo: entries.at(-1)?.seq ?? after,
      isAtHead: found.length < maxEntries && entries.length === found.length,
      purgedThrough: 0,
    };
  }

  /** A function of its own, so that rows beyond `maxSize` are not held while `fromStore` waits. */
  async function readRows(after: number, through: number) {
    const asked = limit;
    const page = { filter, revisions, after, through, order: "oldestFirst", limit: asked, queryOwner } as const;
    const { rows: all, purgedThrough } = await store.readPage(page);
    const rows = prefixWithin(all, ({ data }) => data.length, maxSize);
    limit = rows.length < all.length ? rows.length : Math.min(maxEntries, 2 * asked);
    return { rows, purgedThrough, isCut: rows.length < all.length || all.length === asked };
  }

  async function fromStore(after: number): Promise<LogRange> {
    const head = replayCache.head();
    const through = after + SCANNED_ENTRIES;
    const { rows, purgedThrough, isCut } = await readRows(after, through);
    // In the turn in which the rows were delivered.
    const found = rows.map((row) => ({ seq: row.seq, event: eventOrNull(row) }));
    // The cache calls `onEvent` for entries beyond its head; followers must not receive them before that.
    if ((rows.at(-1)?.seq ?? 0) > head) await replayCache.refresh();
    const last = rows.at(-1)?.seq ?? after;
    const upTo = isCut ? last : Math.min(await endOfRange(through, head), Math.max(head, last));
    const seqs = new Set(found.map(({ seq }) => seq));
    const gaps = damagedBetween(after, upTo).flatMap((seq) => (seqs.has(seq) ? [] : { seq, event: null }));
    const entries = [...found, ...gaps].sort((one, other) => one.seq - other.seq);
    // Newer entries are in memory, so this is never the head.
    return { entries, upTo, isAtHead: false, purgedThrough };
  }

  /** A restore or a failover skips positions by the trillion: a range without rows ends where the next row begins. */
  async function endOfRange(through: number, head: number): Promise<number> {
    if (through >= head) return through;
    const next = await store.positionAfter(through);
    return next === null ? head : next - 1;
  }

  return (after) => fromMemory(after) ?? fromStore(after);
}

/** The longest prefix whose sizes add up to at most `maxSize`, and at least one item. */
function prefixWithin<T>(items: readonly T[], sizeOf: (item: T) => number, maxSize: number): readonly T[] {
  let size = 0;
  const end = items.findIndex((item, index) => (size += sizeOf(item)) > maxSize && index > 0);
  return end === -1 ? items : items.slice(0, end);
}

export interface PageReaderDeps {
  store: Pick<EventStore, "readPage" | "head">;
  eventOrNull: (row: EventRow) => CallEndedEvent | null;
  damagedBetween: DamagedEntries["between"];
}

export interface PageReadResult {
  events: CallEndedEvent[];
  hasMore: boolean;
  /** The number of a damaged entry that comes before every readable one; null: none. */
  damagedFirst: number | null;
  /** Entries up to here were purged when the rows had been read. */
  purgedThrough: number;
  /** The newest entry when the rows were read: a subscription after it misses no event and repeats none of the page. */
  head: number;
}

type PageRequest = Omit<EventPage, "through" | "limit"> & { first: number };

/** Reads a page for a query. It ends before a damaged entry, because nobody knows whether that would pass the filter. */
export async function readEventPage(deps: PageReaderDeps, request: PageRequest): Promise<PageReadResult> {
  const { store, eventOrNull, damagedBetween } = deps;
  const { first, ...page } = request;
  const headBefore = await store.head();
  const { rows, purgedThrough } = await store.readPage({ ...page, through: null, limit: first + 1 });
  // Entries may have been written between the two reads.
  const head = Math.max(headBefore, rows.at(0)?.seq ?? 0, rows.at(-1)?.seq ?? 0);
  const isOldestFirst = page.order === "oldestFirst";
  const events = rows.map((row) => ({ seq: row.seq, event: eventOrNull(row) }));
  const { after, through } = rangeOfPage();
  const damaged = damagedBetween(after, through);
  const end = isOldestFirst ? Math.min(...damaged) : Math.max(...damaged);
  const isWhole = damaged.length === 0;
  const isBeforeEnd = (seq: number) => isWhole || (isOldestFirst ? seq < end : seq > end);
  const readable = events.flatMap(({ seq, event }) => (event && isBeforeEnd(seq) ? [event] : []));
  return {
    events: readable.slice(0, first),
    hasMore: rows.length > first || !isWhole,
    damagedFirst: !isWhole && readable.length === 0 ? end : null,
    purgedThrough,
    head,
  };

  /** The part of the log that the query has read: where rows were cut off, it ends at the last row. */
  function rangeOfPage(): { after: number; through: number } {
    const last = rows.at(-1)?.seq ?? null;
    const cutAt = rows.length > first ? last : null;
    if (isOldestFirst) return { after: Math.max(page.after ?? 0, purgedThrough), through: cutAt ?? head };
    return { after: cutAt === null ? purgedThrough : cutAt - 1, through: (page.after ?? Infinity) - 1 };
  }
}
