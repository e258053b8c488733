// Places in the log: the event at one, and where a new destination begins.
import { CodedError } from "../errors.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import type { EventCursors } from "../events/logEntry.ts";
import type { Destination } from "./destinationFile.ts";

/** The event at a position. Null: it was erased or purged. Throws STORE_UNAVAILABLE, also for a damaged entry. */
export type EventAt = (seq: number) => Promise<CallEndedEvent | null>;

export function createEventFinder(events: Pick<EventLog, "page">, cursors: Pick<EventCursors, "at">): EventAt {
  return async (seq) => {
    const page = { after: cursors.at(seq - 1), filter: {}, revisions: true, order: "oldestFirst", first: 1 } as const;
    try {
      const [event] = (await events.page(page)).events;
      return event?.cursor === cursors.at(seq) ? event : null;
    } catch (error) {
      if (error instanceof CodedError && error.code === "CURSOR_EXPIRED") return null;
      throw error;
    }
  };
}

/** Throws CURSOR_INVALID where the definition names a cursor of another log. */
export function firstCursor(
  { from }: Pick<Destination, "from">,
  events: Pick<EventLog, "markHead" | "oldestCursor">,
  cursors: Pick<EventCursors, "at" | "parse">,
): string {
  if (from === "now") return events.markHead()();
  return from === "oldest" ? events.oldestCursor() : cursors.at(cursors.parse(from));
}
