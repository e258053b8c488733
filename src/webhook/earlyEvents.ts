// Adds events that came before the end of their call to it. Until the end comes they are kept aside, because nobody knows whether it
// will; then the call becomes the same as if they had come after its end.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import { charsetsOf } from "../format/bodyCharset.ts";
import { unstorableReasonOf } from "../store/unstorable.ts";
import type { QuarantineStore } from "../store/events/quarantineStore.ts";
import { chunksOf } from "../store/sqlHelpers.ts";
import type { ParseCallEnded } from "./parse.ts";

export interface EarlyEventsDeps {
  events: Pick<EventLog, "append" | "bySession">;
  quarantine: Pick<QuarantineStore, "notEndedOf" | "byId" | "removeMerged">;
  parse: ParseCallEnded;
  /** Whether the log keeps the body of each accepted delivery. */
  keepsBodies: boolean;
}

export interface EarlyEvents {
  /** For an event that was kept aside while the end of its call may have come. */
  addTo(sessionId: string): Promise<void>;
  /** The `handle` of a durable reader. Handling an event twice changes nothing. */
  handle(batch: readonly CallEndedEvent[], signal: AbortSignal): Promise<void>;
}

/** Both throw STORE_UNAVAILABLE. What adds nothing to its call stays aside. */
export function createEarlyEvents({ events, quarantine, parse, keepsBodies }: EarlyEventsDeps): EarlyEvents {
  async function addOne(id: number): Promise<void> {
    const kept = await quarantine.byId(id);
    if (!kept) return;
    const parsed = parse(kept.body, charsetsOf(kept.body, kept.charset));
    if ("unreadable" in parsed) return;
    try {
      const own = { body: keepsBodies ? parsed.utf8 : null, isEnd: false };
      // In the log first: a crash in between loses nothing.
      if ((await events.append(parsed.call, "WEBHOOK", own)) === "revised") await quarantine.removeMerged(id);
    } catch (error) {
      if (unstorableReasonOf(error) === null) throw error;
    }
  }
  return {
    async addTo(sessionId) {
      if ((await events.bySession(sessionId)) === null) return;
      for (const id of await quarantine.notEndedOf([sessionId])) await addOne(id);
    },
    async handle(batch, signal) {
      for (const part of chunksOf([...new Set(batch.map(({ sessionId }) => sessionId))])) {
        for (const id of await quarantine.notEndedOf(part)) {
          if (signal.aborted) return;
          await addOne(id);
        }
      }
    },
  };
}
