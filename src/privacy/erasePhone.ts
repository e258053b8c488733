// Erases everything the gateway keeps of a phone number's calls, and keeps them from coming back. The service is not told
// and keeps its own data.
import type { EventLog } from "../events/eventLog.ts";
import type { Log } from "../log.ts";
import type { Eraser } from "../store/log/eraser.ts";
import type { RecordingTraces } from "../store/recordings/purgeRecordings.ts";
import { callHoldsPhone } from "./callMatcher.ts";
import { createPhoneMatcher } from "./phoneMatcher.ts";

/** Counts of what was erased. */
export interface Forgotten {
  /** Entries of the log, revisions included. */
  events: number;
  quarantined: number;
  recordings: number;
}

/**
 * Resolves when nothing is left that this gateway can reach; null where the text is not a phone number. Throws where the
 * database or the storage fails: then some data may be left, and a repeated call continues.
 */
export type ForgetPhone = (number: string) => Promise<Forgotten | null>;

export interface ForgetPhoneDeps {
  eraser: Eraser;
  archive: { remove(traces: RecordingTraces): Promise<void> };
  /** Its check for news also drops erased events from memory. */
  events: Pick<EventLog, "refresh">;
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
    await eventLog.refresh();
    await removeRecordings(erased);
    await eraser.scrub();
    // A durable reader or a download in flight may have written a recording meanwhile.
    await removeRecordings(await eraser.eraseRecordings(erased.sessionIds));
    const { events, quarantined, recordings } = erased;
    log.info({ events, quarantined, recordings }, "a phone number was erased");
    return { events, quarantined, recordings };
  };
}

/** Decodes any bytes: invalid ones do not hide the digits among them. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
