// Reads a quarantined delivery again: what can be read now goes into the log first, and out of quarantine then, so that
// a crash in between loses nothing: the same delivery again adds nothing to the log.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import type { Log } from "../log.ts";
import type { QuarantineStore } from "../store/log/quarantineStore.ts";
import type { ParseCallEnded } from "./parse.ts";

export type Reprocessed = { event: CallEndedEvent; reason: null } | { event: null; reason: string };

/** `id` is a place in quarantine. Throws STORE_UNAVAILABLE, and then the delivery is in quarantine, in the log, or in both. */
export type Reprocess = (id: number) => Promise<Reprocessed>;

export interface ReprocessDeps {
  events: Pick<EventLog, "append" | "bySession">;
  quarantine: Pick<QuarantineStore, "byId" | "delete">;
  parse: ParseCallEnded;
  log: Log;
}

export function createReprocess({ events, quarantine, parse, log }: ReprocessDeps): Reprocess {
  return async (id) => {
    const delivery = await quarantine.byId(id);
    if (!delivery) return { event: null, reason: "There is no such delivery in quarantine." };
    const parsed = parse(delivery.body);
    if ("unreadable" in parsed) return { event: null, reason: parsed.unreadable };
    const outcome = await events.append(parsed.call, "WEBHOOK");
    await quarantine.delete(id);
    log.info({ outcome, quarantinedAt: delivery.receivedAt }, "a delivery was read again and left quarantine");
    const event = await events.bySession(parsed.call.sessionId);
    return event ? { event, reason: null } : { event: null, reason: "It was read, and is no longer kept." };
  };
}
