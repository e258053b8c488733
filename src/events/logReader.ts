// Reads the next entries behind a place: from memory near the head, else from the store.
import type { EventFilter, EventRow, EventStore } from "../store/log/eventStore.ts";
import type { QueryOwner } from "../store/scheduling/queryOwner.ts";
import type { CallEndedEvent } from "./callEndedEvent.ts";
import type { DamagedEntries } from "./damagedEntries.ts";
import { matchesFilter } from "./matchesFilter.ts";
import type { ReplayCache } from "./replayCache.ts";

export interface LogReaderOptions {
  store: Pick<EventStore, "read" | "purgedThrough">;
  recent: ReplayCache;
  filter: EventFilter;
  /** Each revision that passes; else each call once, at the first that does. */
  revisions: boolean;
  /** In whose turn the store is asked; without one, at once. */
  reader?: QueryOwner | undefined;
  /** Null: damaged, and told as a gap whatever the filter, which nobody can hold against it. */
  eventOf: (row: EventRow) => CallEndedEvent | null;
  /** Places of damaged entries behind the first and up to the second: what a filter in SQL sees of them is not to be trusted. */
  damagedBetween: DamagedEntries["between"];
  /** Entries of one stretch, and characters of their JSON together, where it is more than one: a reader holds it while it waits. */
  most: number;
  mostSize: number;
}

export interface LogRange {
  entries: readonly { seq: number; event: CallEndedEvent | null }[];
  /** Up to where the filter has looked. */
  upTo: number;
  /** There was nothing more to read then. */
  isLast: boolean;
  purged: number;
}

/** Places that one read looks at: a filter that nothing passes must not hold the store, and whoever appends, for long. */
const STRETCH = 5000;
const FEW = 10;

/** At once where it is in memory. Rejects as the store does. */
export function createLogReader(options: LogReaderOptions): (place: number) => LogRange | Promise<LogRange> {
  const { store, recent, filter, revisions, reader, eventOf, damagedBetween, most, mostSize } = options;
  /** Rows that are asked for next: a few at first, and of large ones no more than fitted the last time. */
  let limit = Math.min(most, FEW);

  function fromMemory(place: number): LogRange | null {
    const found = recent.behind(place, most);
    if (!found) return null;
    const entries = fitting(found, ({ size }) => size, mostSize);
    const passing = entries.filter(
      ({ event, earlier }) =>
        !event ||
        (matchesFilter(event, filter) && (revisions || !earlier.some((before) => matchesFilter(before, filter)))),
    );
    return {
      entries: passing,
      upTo: entries.at(-1)?.seq ?? place,
      isLast: found.length < most && entries.length === found.length,
      purged: 0,
    };
  }

  /** By itself: what does not fit is not held while the rest of the stretch is waited for. */
  async function readRows(place: number, through: number): Promise<{ rows: readonly EventRow[]; isCut: boolean }> {
    const asked = limit;
    const page = { filter, revisions, after: place, through, order: "oldestFirst", limit: asked, reader } as const;
    const all = await store.read(page);
    const rows = fitting(all, ({ data }) => data.length, mostSize);
    limit = rows.length < all.length ? rows.length : Math.min(most, 2 * asked);
    return { rows, isCut: rows.length < all.length || all.length === asked };
  }

  async function fromStore(place: number): Promise<LogRange> {
    const head = recent.head();
    const through = place + STRETCH;
    const { rows, isCut } = await readRows(place, through);
    // Whoever must know of an event before its readers is told now (see EventLogDeps.onEvent).
    if ((rows.at(-1)?.seq ?? 0) > head) await recent.look();
    // Looked at after the rows: had anything behind this place been purged before they were read, it is known now.
    const purged = await store.purgedThrough();
    const last = rows.at(-1)?.seq ?? place;
    const upTo = isCut ? last : Math.min(through, Math.max(head, last));
    const found = rows.map((row) => ({ seq: row.seq, event: eventOf(row) }));
    const places = new Set(found.map(({ seq }) => seq));
    const unseen = damagedBetween(place, upTo).filter((seq) => !places.has(seq));
    const gaps = unseen.map((seq) => ({ seq, event: null }));
    const entries = [...found, ...gaps].sort((one, other) => one.seq - other.seq);
    // Behind the head that was known is the stretch in memory: never the end of what there is to read.
    return { entries, upTo, isLast: false, purged };
  }

  return (place) => fromMemory(place) ?? fromStore(place);
}

/** The first that measure no more than `most` together; one, where it is larger by itself. */
function fitting<T>(items: readonly T[], sizeOf: (item: T) => number, most: number): readonly T[] {
  let size = 0;
  const end = items.findIndex((item, at) => (size += sizeOf(item)) > most && at > 0);
  return end === -1 ? items : items.slice(0, end);
}
