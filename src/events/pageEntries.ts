// Cuts a page of the log before the first damaged entry: nobody knows whether the page's filter would let it through.
import type { EventPage } from "../store/eventStore.ts";
import type { CallEndedEvent } from "./callEnded.ts";
import type { Damage } from "./damage.ts";

export interface PageEntries {
  /** In the page's order; null: damaged. */
  found: readonly { seq: number; event: CallEndedEvent | null }[];
  /** Behind which the page begins; null: at the first place of its order. */
  place: number | null;
  head: number;
  /** Places up to here are no longer kept. */
  purged: number;
  order: EventPage["order"];
  /** Entries that pass follow on the last one found. */
  hasMore: boolean;
}

export interface WholeEntries {
  events: CallEndedEvent[];
  hasMore: boolean;
  /** The place of a damaged entry that stands before all others; null: the page can be told. */
  damagedFirst: number | null;
}

export function withoutDamage(page: PageEntries, damage: Pick<Damage, "between">): WholeEntries {
  const places = damagedPlaces(page, damage);
  const isOldestFirst = page.order === "oldestFirst";
  const cut = isOldestFirst ? Math.min(...places) : Math.max(...places);
  const isBefore = (seq: number) => (isOldestFirst ? seq < cut : seq > cut);
  const events = page.found.flatMap(({ seq, event }) => (event && isBefore(seq) ? [event] : []));
  const damagedFirst = places.length > 0 && events.length === 0 ? cut : null;
  return { events, hasMore: page.hasMore || places.length > 0, damagedFirst };
}

/** Of the stretch of the log that was looked at. */
function damagedPlaces(page: PageEntries, damage: Pick<Damage, "between">): number[] {
  const { found, place, head, purged, order, hasMore } = page;
  const last = hasMore ? found.at(-1)?.seq : undefined;
  if (order === "oldestFirst")
    return damage.between(Math.max(place ?? 0, purged), last ?? Math.max(head, found.at(-1)?.seq ?? 0));
  return damage.between(last === undefined ? purged : last - 1, place === null ? Infinity : place - 1);
}
