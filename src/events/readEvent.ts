// Makes events of the log's rows; a row that is not what was written is damage, and never an event.
import type { EventRow } from "../store/eventStore.ts";
import type { CallEndedData, CallEndedEvent, EventSource } from "./callEnded.ts";
import { damagedEntry, type Damage } from "./damage.ts";
import type { EventCursors } from "./eventCursor.ts";

export interface EventReader {
  /** For readers of the log, whom one damaged entry must not stop: null, and they are told a gap. */
  eventOrNull(row: EventRow): CallEndedEvent | null;
  /** Throws where it is damaged. */
  eventOf(row: EventRow): CallEndedEvent;
  /** For lists: the others are answered all the same. */
  eventOrError(row: EventRow): CallEndedEvent | Error;
}

/** Notes the damage that it finds. */
export function createEventReader(cursors: EventCursors, damage: Pick<Damage, "found">): EventReader {
  const read = (row: EventRow): CallEndedEvent | Error => {
    try {
      if (!row.isWhole) throw damagedEntry();
      return eventAt(row, JSON.parse(row.data) as CallEndedData, cursors);
    } catch (err) {
      damage.found(row.seq, err);
      return damagedEntry();
    }
  };
  return {
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

/** Of a call as it is at that place. */
export function eventAt(
  { seq, revision, source, receivedAt }: Pick<EventRow, "seq" | "revision" | "source" | "receivedAt">,
  call: CallEndedData,
  cursors: EventCursors,
): CallEndedEvent {
  let cursor: string | undefined;
  return {
    // Sealed when it is asked for: a list of calls reads many events, and tells no place of theirs.
    get cursor() {
      return (cursor ??= cursors.at(seq));
    },
    revision,
    source: source as EventSource,
    receivedAt,
    ...call,
  };
}
