// Parses a quarantined delivery again, for example after an upgrade. It appends to the log before it removes the delivery
// from quarantine: a crash in between loses nothing, and a repeat adds nothing to the log. The audit entry is written with the
// removal, so an attempt that failed has none, and its delivery is still in quarantine.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import type { AppendOutcome } from "../events/eventObserver.ts";
import { unstorableReasonOf } from "../store/unstorable.ts";
import { charsetsOf } from "../format/bodyCharset.ts";
import { instantOf } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import type { QuarantineStore } from "../store/events/quarantineStore.ts";
import type { WhyNoEnd } from "./endRule.ts";
import type { ParseCallEnded } from "./parse.ts";

export type Reprocessed = { event: CallEndedEvent; reason: null } | { event: null; reason: string };

/**
 * `id` is a number in quarantine, `actor` the viewer's name, `charset` the body's charset (a name that knownCharset returns); null: the
 * declared one. Throws STORE_UNAVAILABLE; then the delivery is in quarantine, in the log, or in both.
 */
export type Reprocess = (id: number, actor: string, charset?: string | null) => Promise<Reprocessed>;

export interface ReprocessDeps {
  events: Pick<EventLog, "append" | "bySession">;
  quarantine: Pick<QuarantineStore, "byId" | "remove">;
  parse: ParseCallEnded;
  whyNoEnd: WhyNoEnd;
  /** Whether the log keeps the body of each accepted delivery. */
  keepsBodies: boolean;
  clock: () => number;
  log: Logger;
}

export function createReprocess(deps: ReprocessDeps): Reprocess {
  const { events, quarantine, parse, whyNoEnd, keepsBodies, clock, log } = deps;
  return async (id, actor, charset = null) => {
    const delivery = await quarantine.byId(id);
    if (!delivery) return { event: null, reason: "There is no such delivery in quarantine." };
    const parsed = parse(delivery.body, charset === null ? charsetsOf(delivery.body, delivery.charset) : [charset]);
    if ("unreadable" in parsed) return { event: null, reason: parsed.unreadable };
    const why = whyNoEnd(parsed.call);
    let outcome: AppendOutcome;
    try {
      outcome = await events.append(parsed.call, "WEBHOOK", {
        body: keepsBodies ? parsed.utf8 : null,
        isEnd: why === null,
      });
    } catch (error) {
      const reason = unstorableReasonOf(error);
      if (reason === null) throw error;
      return { event: null, reason };
    }
    if (why !== null && outcome === "known") return { event: null, reason: why };
    await quarantine.remove(id, { actor, at: instantOf(clock()), action: "DELIVERY_REPROCESSED" });
    log.info({ outcome, quarantinedAt: delivery.receivedAt }, "a quarantined delivery was parsed and moved to the log");
    const event = await events.bySession(parsed.call.sessionId);
    return event
      ? { event, reason: null }
      : { event: null, reason: "The delivery was parsed, but its call is no longer retained." };
  };
}
