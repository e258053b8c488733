// Makes events of the log's rows; a row that is not what was written is damage, and never an event.
import type { EventRow } from "../store/log/eventStore.ts";
import type { CallEndedData, CallEndedEvent, EventSource } from "./callEndedEvent.ts";
import { damagedEntry, type DamagedEntries } from "./damagedEntries.ts";
import type { EventCursors } from "./eventCursor.ts";

export interface EventReader {
  /** Of a call as it is at that place. */
  eventAt(place: Pick<EventRow, "seq" | "revision" | "source" | "receivedAt">, call: CallEndedData): CallEndedEvent;
  /** For readers of the log, whom one damaged entry must not stop: null, and they are told a gap. */
  eventOrNull(row: EventRow): CallEndedEvent | null;
  /** Throws where it is damaged. */
  eventOf(row: EventRow): CallEndedEvent;
  /** For lists: the others are answered all the same. */
  eventOrError(row: EventRow): CallEndedEvent | Error;
}

/** Notes the damage that it finds. */
export function createEventReader(cursors: EventCursors, damage: Pick<DamagedEntries, "found">): EventReader {
  const eventAt = createEventAt(cursors);
  const read = (row: EventRow): CallEndedEvent | Error => {
    try {
      if (!row.isWhole) throw damagedEntry();
      return eventAt(row, JSON.parse(row.data) as CallEndedData);
    } catch (err) {
      damage.found(row.seq, err);
      return damagedEntry();
    }
  };
  return {
    eventAt,
    eventOrError: read,
    eventOrNull(row) {
      const event = read(row);
      return event instanceof Error ? null : event;
    },
    eventOf(row) {
      const event = read(row);
      if (event instanceof Error) throw event;
      return event;
    },
  };
}

const SEQ = Symbol("place");
const SEALED = Symbol("cursor");

interface Placed {
  [SEQ]: number;
  [SEALED]: string | null;
}

/**
 * All events of a log have one shape and one prototype: thousands are kept, and a getter of its own would cost each of them
 * more than all that it tells. The cursor is sealed when it is asked for, for a list of calls tells none.
 */
function createEventAt(cursors: EventCursors): EventReader["eventAt"] {
  const withCursor = {
    get cursor(): string {
      const placed = this as unknown as Placed;
      return (placed[SEALED] ??= cursors.at(placed[SEQ]));
    },
  };
  return ({ seq, revision, source, receivedAt }, call) => {
    const event = {
      __proto__: withCursor,
      [SEQ]: seq,
      [SEALED]: null,
      revision,
      source: source as EventSource,
      receivedAt,
      ...call,
    };
    return event as unknown as CallEndedEvent;
  };
}
