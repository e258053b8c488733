// Forgets a person's number: whatever is kept of its calls is erased and does not come back. The service keeps its own.
import type { EventLog } from "../events/eventLog.ts";
import type { Log } from "../log.ts";
import type { Eraser } from "../store/log/eraser.ts";
import type { RecordingTraces } from "../store/recordings/purgeRecordings.ts";
import { callHoldsPhone } from "./callMatcher.ts";
import { createPhoneMatcher } from "./phoneMatcher.ts";

export interface Forgotten {
  /** Entries of the log, revisions too. */
  events: number;
  quarantined: number;
  recordings: number;
}

/**
 * Null: it is no number. Resolves when nothing of it is left that this gateway can reach. Throws where the database or
 * the storage fails; then some of it may be left, and the same again goes on.
 */
export type ForgetPhone = (number: string) => Promise<Forgotten | null>;

export interface ForgetPhoneDeps {
  eraser: Eraser;
  archive: { remove(traces: RecordingTraces): Promise<void> };
  /** Looking, the log lets go of what it has in memory. */
  events: Pick<EventLog, "look">;
  log: Log;
}

export function createForgetPhone({ eraser, archive, events: eventLog, log }: ForgetPhoneDeps): ForgetPhone {
  const removeRecordings = (traces: RecordingTraces) => archive.remove(traces);
  return async (number) => {
    const text = createPhoneMatcher(number);
    if (!text) return null;
    const delivery = (body: Uint8Array) => text(decoder.decode(body));
    const event = (data: string) => callHoldsPhone(data, text);
    const erased = await eraser.erase({ event, delivery, text }, removeRecordings);
    await eventLog.look();
    await removeRecordings(erased);
    await eraser.scrub();
    // A reader or a download that was at work may have written one anew meanwhile.
    await removeRecordings(await eraser.eraseRecordings(erased.sessionIds));
    const { events, quarantined, recordings } = erased;
    log.info({ events, quarantined, recordings }, "a phone number was forgotten");
    return { events, quarantined, recordings };
  };
}

/** Whatever the bytes are: digits are found among them. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
