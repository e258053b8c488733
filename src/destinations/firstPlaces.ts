// Where a new destination begins: in the log of events, and among the notices of alerts. A gateway places those of its file before it
// listens, so that they get what arrives from then on.
import type { EventLog } from "../events/eventLog.ts";
import type { EventCursors } from "../events/logEntry.ts";
import type { DestinationState, DestinationStore } from "../store/destinations/destinationStore.ts";
import type { ReaderStore } from "../store/shared/readerStore.ts";
import type { Destination } from "./destinationFile.ts";
import type { PlacedState } from "./runControl.ts";

export interface EventPlaces {
  store: Pick<DestinationStore, "read" | "begin">;
  events: Pick<EventLog, "markHead" | "oldestCursor">;
  cursors: Pick<EventCursors, "at" | "parse">;
}

export interface NoticePlaces {
  readers: Pick<ReaderStore, "begin">;
  /** The place of the last notice. */
  head(): Promise<number>;
}

/** Throws CURSOR_INVALID where the definition names a cursor of another log. */
function firstCursor({ from }: Pick<Destination, "from">, { events, cursors }: Omit<EventPlaces, "store">): string {
  if (from === "now") return events.markHead()();
  return from === "oldest" ? events.oldestCursor() : cursors.at(cursors.parse(from));
}

/** Places a destination that has no place yet. Throws as `firstCursor` does, and STORE_UNAVAILABLE. */
export async function placeInLog(destination: Destination, { store, ...places }: EventPlaces): Promise<PlacedState> {
  const { name } = destination;
  const known = await store.read(name);
  if (isPlaced(known)) return known;
  await store.begin(name, firstCursor(destination, places));
  const begun = await store.read(name);
  if (!isPlaced(begun)) throw new Error("A destination that was added is not there.");
  return begun;
}

const isPlaced = (state: DestinationState | null): state is PlacedState => (state?.cursor ?? null) !== null;

const DIGITS = 15;

/** The name of a destination's place among readers. */
export const alertReaderOf = (destination: string): string => `alerts to ${destination}`;

/** As it is stored: places are compared as texts. */
export const placeText = (place: number) => String(place).padStart(DIGITS, "0");

/** Places a destination that has no place among notices yet. Returns the place after which it goes on. Throws STORE_UNAVAILABLE. */
export const placeAmongNotices = async (name: string, { readers, head }: NoticePlaces): Promise<number> =>
  Number(await readers.begin(alertReaderOf(name), async () => placeText(await head())));
