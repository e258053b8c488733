// Places in the log: the event at one, and the one of an instant.
import { CodedError } from "../errors.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import type { EventCursors } from "../events/logEntry.ts";
import { epochMsOf } from "../format/instant.ts";
import { MINUTE_MS } from "../util/durations.ts";
import type { EventReference } from "./deliverer.ts";

/**
 * Why an event cannot be delivered any more.
 * - erased: somebody asked for it.
 * - expired: it is older than EVENT_RETENTION_DAYS, or what is sent of it is older than its own retention.
 * - damaged: its entry cannot be read.
 */
export const lossReasons = ["erased", "expired", "damaged"] as const;
export type LossReason = (typeof lossReasons)[number];

/** The event at a position, or why there is none. Throws STORE_UNAVAILABLE while the database does not answer. */
export type EventAt = (seq: number) => Promise<CallEndedEvent | LossReason>;

export function createEventFinder(events: Pick<EventLog, "page">, cursors: Pick<EventCursors, "at">): EventAt {
  return async (seq) => {
    const page = { after: cursors.at(seq - 1), filter: {}, revisions: true, order: "oldestFirst", first: 1 } as const;
    try {
      const [event] = (await events.page(page)).events;
      return event?.cursor === cursors.at(seq) ? event : "erased";
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      if (error.code === "CURSOR_EXPIRED") return "expired";
      if (error.code !== "STORE_UNAVAILABLE" || error.cursor === undefined) throw error;
      // It names the next damaged entry, which may be a later one.
      return error.cursor === cursors.at(seq) ? "damaged" : "erased";
    }
  };
}

export function referenceTo(event: CallEndedEvent, seq: number): EventReference {
  const { sessionId, revision, receivedAt, source, endAt } = event;
  return { sessionId, revision, receivedAt, seq, importedEnd: source === "IMPORTED" ? endAt : null };
}

/** Gateways' clocks may differ so much: no event from an instant on is before the place that is found. */
const MARGIN_MS = MINUTE_MS;

/**
 * The cursor after which a destination gets every event that was received from an instant on; up to a minute's earlier ones may be among them.
 * `oldestAfter`: when the first entry after a position was received. Throws STORE_UNAVAILABLE.
 */
export async function cursorAt(
  instant: string,
  head: number,
  { oldestAfter, at }: { oldestAfter(position: number): Promise<string | null>; at(position: number): string },
): Promise<string> {
  const from = epochMsOf(instant) - MARGIN_MS;
  // All entries up to `before` are earlier, and none after `through` is.
  let [before, through] = [0, head];
  while (before < through) {
    const middle = Math.floor((before + through) / 2);
    const received = await oldestAfter(middle);
    if (received !== null && epochMsOf(received) < from) before = middle + 1;
    else through = middle;
  }
  return at(before);
}
