// Finds an entry of the log with the delivery that brought it.
import { instantOf } from "../format/instant.ts";
import type { AuditStore } from "../store/audit/auditStore.ts";
import type { RawDeliveryStore } from "../store/events/rawDeliveryStore.ts";
import type { QueryOwner } from "../store/scheduling/queryOwner.ts";
import type { CallEndedEvent, EventSource } from "./callEndedEvent.ts";
import type { EventLog } from "./eventLog.ts";
import type { EventCursors } from "./logEntry.ts";

/** Why there is no body. RECONCILED, IMPORTED: no webhook came. NOT_KEPT: it expired, was off or erased, or the entry came otherwise. */
export type MissingBody = Exclude<EventSource, "WEBHOOK"> | "NOT_KEPT";

export interface ShownDelivery {
  event: CallEndedEvent;
  /** Bytes as they came. */
  body: Uint8Array | null;
  /** Null if there is a body. */
  missing: MissingBody | null;
}

/**
 * Null: the entry was erased. The audit log has an entry before a body is shown. `actor`: the viewer's name. Throws CURSOR_INVALID, CURSOR_EXPIRED, and STORE_UNAVAILABLE also for a damaged
 * entry.
 */
export type ShowDelivery = (cursor: string, queryOwner: QueryOwner, actor: string) => Promise<ShownDelivery | null>;

export interface ShowDeliveryDeps {
  events: Pick<EventLog, "page">;
  rawDeliveries: Pick<RawDeliveryStore, "at">;
  audit: Pick<AuditStore, "addShown">;
  cursors: EventCursors;
  clock: () => number;
}

export function createShowDelivery({ events, rawDeliveries, audit, cursors, clock }: ShowDeliveryDeps): ShowDelivery {
  return async (cursor, queryOwner, actor) => {
    const seq = cursors.parse(cursor);
    const after = cursors.at(Math.max(0, seq - 1));
    const page = { after, filter: {}, revisions: true, order: "oldestFirst", first: 1, queryOwner } as const;
    const [event] = (await events.page(page)).events;
    if (event?.cursor !== cursors.at(seq)) return null;
    const body = await rawDeliveries.at(seq);
    if (body) {
      const isKept = await audit.addShown({ actor, at: instantOf(clock()), sessionId: event.sessionId });
      return isKept ? { event, body, missing: null } : null;
    }
    return { event, body, missing: event.source === "WEBHOOK" ? "NOT_KEPT" : event.source };
  };
}
