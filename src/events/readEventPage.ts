// Reads a page of the log, cut before the first damaged entry: nobody knows whether the page's filter would let it through.
import type { EventPage, EventRow, EventStore } from "../store/log/eventStore.ts";
import type { CallEndedEvent } from "./callEndedEvent.ts";
import type { DamagedEntries } from "./damagedEntries.ts";

export interface PageDeps {
  store: Pick<EventStore, "read" | "head" | "purgedThrough">;
  /** Null: damaged. */
  eventOf: (row: EventRow) => CallEndedEvent | null;
  damage: Pick<DamagedEntries, "between">;
}

export interface WholeEntries {
  events: CallEndedEvent[];
  hasMore: boolean;
  /** The place of a damaged entry that stands before all others; null: the page can be told. */
  damagedFirst: number | null;
  /** Places up to here were no longer kept when the rows had been read. */
  purged: number;
  /** Read before the rows: a subscription behind it may repeat a row of the page, but cannot miss one. */
  head: number;
}

type PageRequest = Omit<EventPage, "through" | "limit"> & { first: number };

export async function readEventPage({ store, eventOf, damage }: PageDeps, request: PageRequest): Promise<WholeEntries> {
  const { first, ...page } = request;
  const head = await store.head();
  const rows = await store.read({ ...page, through: null, limit: first + 1 });
  const purged = await store.purgedThrough();
  const found = rows.map((row) => ({ seq: row.seq, event: eventOf(row) }));
  const places = damagedPlaces({ rows, page, head, purged, isCut: rows.length > first }, damage);
  const isOldestFirst = page.order === "oldestFirst";
  const cut = isOldestFirst ? Math.min(...places) : Math.max(...places);
  const isBefore = (seq: number) => (isOldestFirst ? seq < cut : seq > cut);
  const isWhole = places.length === 0;
  const events = found.flatMap(({ seq, event }) => (event && (isWhole || isBefore(seq)) ? [event] : []));
  return {
    events: events.slice(0, first),
    hasMore: rows.length > first || !isWhole,
    damagedFirst: !isWhole && events.length === 0 ? cut : null,
    purged,
    head,
  };
}

interface Looked {
  rows: readonly EventRow[];
  page: Pick<EventPage, "after" | "order">;
  head: number;
  purged: number;
  /** More rows may follow on the last one. */
  isCut: boolean;
}

/** Of the stretch of the log that was looked at. */
function damagedPlaces({ rows, page, head, purged, isCut }: Looked, damage: Pick<DamagedEntries, "between">): number[] {
  const { after, order } = page;
  const last = rows.at(-1)?.seq ?? null;
  if (order === "newestFirst") {
    return damage.between(isCut && last !== null ? last - 1 : purged, after === null ? Infinity : after - 1);
  }
  return damage.between(Math.max(after ?? 0, purged), isCut && last !== null ? last : Math.max(head, last ?? 0));
}
