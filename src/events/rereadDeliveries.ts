// Reads accepted deliveries again with the current parser, and appends revisions of the calls that change. Only deliveries that are
// kept (RAW_DELIVERY_DAYS) can be read. A second run appends nothing.
import { setImmediate as nextTurn } from "node:timers/promises";
import { instantOf } from "../format/instant.ts";
import type { AuditStore } from "../store/audit/auditStore.ts";
import type { RawCall, RawDeliveryStore } from "../store/events/rawDeliveryStore.ts";
import { showsEnd, type CallEndedData } from "./callEndedEvent.ts";
import type { EventLog } from "./eventLog.ts";
import type { EventCursors } from "./logEntry.ts";
import type { Reading } from "./reviseCall.ts";

export interface Reread {
  /** Deliveries that were read. */
  read: number;
  /** Revisions that were appended. */
  changed: number;
  /** Deliveries that the parser cannot read, and groups of deliveries that the disk has damaged. Their calls stay as they are. */
  unreadable: number;
  /** Where to go on. */
  cursor: string;
  hasMore: boolean;
}

/**
 * Reads some deliveries after a cursor; null: from the oldest that is kept. The audit log has one entry per viewer and hour, with the
 * number of revisions. `actor`: the viewer's name. Throws CURSOR_INVALID, and STORE_UNAVAILABLE; a repeat then goes on.
 */
export type RereadDeliveries = (after: string | null, actor: string) => Promise<Reread>;

export interface RereadDeps {
  events: Pick<EventLog, "append" | "reread">;
  rawDeliveries: Pick<RawDeliveryStore, "page">;
  audit: Pick<AuditStore, "addReread">;
  cursors: EventCursors;
  /** The current parser of deliveries. Never throws. */
  parse: (body: Uint8Array) => { call: CallEndedData } | { unreadable: string };
  clock: () => number;
}

export function createReread({ events, rawDeliveries, audit, cursors, parse, clock }: RereadDeps): RereadDeliveries {
  async function rereadCall({ sessionId, deliveries }: RawCall) {
    const readings: Reading[] = [];
    const result = { changed: 0, unreadable: 0 };
    for (const { revision, body } of deliveries) {
      const parsed = parse(body);
      if ("unreadable" in parsed) result.unreadable += 1;
      else if (parsed.call.sessionId === sessionId) readings.push({ revision, call: parsed.call, source: "WEBHOOK" });
      // The former parser took another text for the session ID: it is another call.
      else {
        const isEnd = showsEnd(parsed.call);
        result.changed += Number((await events.append(parsed.call, "WEBHOOK", { isEnd })) !== "known");
      }
    }
    if (readings.length > 0) result.changed += Number((await events.reread(sessionId, readings)) !== "known");
    return result;
  }

  return async (after, actor) => {
    const by = { actor, at: instantOf(clock()) };
    const page = await rawDeliveries.page(after === null ? 0 : cursors.parse(after));
    // Before the first revision, so that there is none without an entry.
    await audit.addReread({ ...by, changed: 0 });
    const total = { read: page.read, changed: 0, unreadable: page.damaged };
    for (const call of page.calls) {
      const { changed, unreadable } = await rereadCall(call);
      total.changed += changed;
      total.unreadable += unreadable;
      await nextTurn();
    }
    if (total.changed > 0) await audit.addReread({ ...by, changed: total.changed });
    return { ...total, cursor: cursors.at(page.through), hasMore: page.hasMore };
  };
}
