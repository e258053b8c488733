// Erases everything the gateway keeps of a phone number's calls, and keeps them from coming back. The service is not told
// and keeps its own data.
import type { StoredCall } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import { instantOf } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import type { Eraser } from "../store/events/eraser.ts";
import type { ErasedCounts } from "../store/events/erasurePreview.ts";
import type { RecordingTraces } from "../store/recordings/purgeRecordings.ts";
import { createPhoneMatcher } from "./phoneMatcher.ts";

export interface ForgetRequest {
  number: string;
  /** The viewer's name. */
  actor: string;
  /** Nothing is changed: it counts what would be erased now. */
  dryRun: boolean;
}

/**
 * Resolves when nothing is left that this gateway can reach; null where the text is not a phone number. Throws where the
 * database or the storage fails: then some data may be left, and a repeated call continues.
 */
export type ForgetPhone = (request: ForgetRequest) => Promise<ErasedCounts | null>;

export interface ForgetPhoneDeps {
  eraser: Eraser;
  archive: { remove(traces: RecordingTraces): Promise<void> };
  /** Its check for news also drops erased events from memory. */
  events: Pick<EventLog, "refresh">;
  clock: () => number;
  log: Logger;
}

export function createForgetPhone(deps: ForgetPhoneDeps): ForgetPhone {
  const { eraser, archive, events: eventLog, clock, log } = deps;
  const removeRecordings = (traces: RecordingTraces) => archive.remove(traces);
  return async ({ number, actor, dryRun }) => {
    const text = createPhoneMatcher(number);
    if (!text) return null;
    const delivery = (body: Uint8Array) => textsOfBody(body).some(text);
    const event = (data: string) => callHoldsPhone(data, text);
    const inputLine = (line: string) => textsOfJson(line).some(text);
    const match = { number, event, delivery, text, inputLine };
    if (dryRun) return eraser.preview(match);
    const erased = await eraser.erase(match, removeRecordings, { actor, at: instantOf(clock()) });
    await eventLog.refresh();
    await removeRecordings(erased);
    await eraser.scrub();
    // A durable reader or a download in flight may have written a recording meanwhile.
    await removeRecordings(await eraser.eraseRecordings(erased.sessionIds));
    const { calls, events, rawDeliveries, quarantined, recordings, submissions, proposals } = erased;
    const counts = { calls, events, rawDeliveries, quarantined, recordings, submissions, proposals };
    log.info(counts, "a phone number was erased");
    return counts;
  };
}

/** Decode any bytes: invalid ones do not hide the digits among them. */
const decoders = ["utf-8", "gb18030"].map((charset) => new TextDecoder(charset, { ignoreBOM: true }));

/** A body in each charset that writes digits in its own way: UTF-16 has a zero byte beside each. */
export function textsOfBody(body: Uint8Array): string[] {
  const texts = decoders.map((decoder) => decoder.decode(body));
  return body.includes(0) ? [...texts, Buffer.from(body.filter((byte) => byte !== 0)).toString("latin1")] : texts;
}

type Texts = Pick<
  StoredCall,
  "sessionId" | "eventName" | "caller" | "callee" | "hangupReason" | "recordUrl" | "extra" | "unread" | "origins"
>;

/**
 * Whether an entry of the event log, as JSON, holds a phone number: in its caller, its callee, its variables, or any text the
 * sender may have put it into. Ids, times and durations are not searched: a number in them is a coincidence. An entry that
 * cannot be parsed is searched as one text.
 */
export function callHoldsPhone(data: string, matches: (text: string) => boolean): boolean {
  const texts = textsOf(data);
  return texts === null ? matches(data) : texts.some(matches);
}

/** Null where `data` is not an entry of the log. */
function textsOf(data: string): string[] | null {
  try {
    const { origins, ...call } = JSON.parse(data) as Texts;
    const { sessionId, eventName, caller, callee, hangupReason, recordUrl, extra, unread } = call;
    const link = origins?.link;
    return [sessionId, eventName, caller, callee, hangupReason, recordUrl, link, extra, unread].flatMap(textsIn);
  } catch {
    return null;
  }
}

/** A text that is no JSON is one text. */
function textsOfJson(text: string): string[] {
  try {
    return textsIn(JSON.parse(text));
  } catch {
    return [text];
  }
}

/** Values at any depth, and the keys of objects. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}
