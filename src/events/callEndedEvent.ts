// An ended call as the log stores it (service.md, section 2.2), and the rules that its fields follow.
import type { Instant } from "../format/instant.ts";
import type { UnreadField } from "../format/fieldReader.ts";
import { saysHangUp } from "../format/hangUpWords.ts";
import { comparedPhone } from "../format/phoneWritings.ts";
import type { EventFilter } from "../store/events/eventStore.ts";

/** Null: the service left the field out, or sent it empty, 0 or unreadable. Unreadable fields are listed in `unread`. */
export interface CallEndedData {
  sessionId: string;
  eventName: string | null;
  direction: "inbound" | "outbound" | null;
  caller: string | null;
  callee: string | null;
  startAt: Instant | null;
  answerAt: Instant | null;
  endAt: Instant | null;
  /** Durations are in the service's unit, which its document does not name. */
  duration: number | null;
  billsec: number | null;
  ringTime: number | null;
  hangupSide: "caller" | "callee" | null;
  hangupReason: string | null;
  recordUrl: string | null;
  /** Null for inbound calls: the service sends 0 for them. */
  taskId: string | null;
  taskItemId: string | null;
  assistants: readonly { assistantId: string; versionId: string }[];
  /** The variables that were given for the number when its task was created. */
  extra: Record<string, unknown> | null;
  unread: readonly UnreadField[];
}

/**
 * WEBHOOK: the service sent a webhook. RECONCILED: no webhook came, and the call was found in the service's call log. IMPORTED: an
 * import of history found it there (history/).
 */
export const eventSources = ["WEBHOOK", "RECONCILED", "IMPORTED"] as const;
export type EventSource = (typeof eventSources)[number];

export type ReportedField = Exclude<keyof CallEndedData, "sessionId" | "unread">;

/** Which delivery each field of a merged call came from. Stored with the call, to rank the next delivery against it. */
export interface Origins {
  ranks: string[];
  /** For each field with a value or a note in `unread`: the index of its delivery's rank in `ranks`. */
  fields: Partial<Record<ReportedField, number>>;
  /** The recording link of the delivery that made this revision. It may differ from `recordUrl`. */
  link: string | null;
  /** Deliveries that were read again: by the revision that they made, the identity of their newest reading. */
  rereads?: Record<number, string>;
}

/** A call as an entry of the log stores it. Without `origins` it comes from a single delivery. */
export interface StoredCall extends CallEndedData {
  origins?: Origins;
}

/** An entry of the log: the call, merged from all deliveries up to this revision. Entries never change. */
export interface CallEndedEvent extends StoredCall {
  /** Opaque position in the log. Cursors sort by code unit in the order of the log. */
  cursor: string;
  /** From 1; each delivery that adds something to the call adds a revision. */
  revision: number;
  source: EventSource;
  receivedAt: Instant;
}

/** In an end like "20 Nov 2026 at 5 pm". A text without a year, such as "pending", may stand for "not yet". */
const YEAR_OF_CALLS = /(?<!\d)20[1-9]\d/;

/**
 * Whether deliveries show that the call has ended: by an end, or by a hang-up with a duration. The service's document names no event but
 * this one and gives it no name (section 6), so only its fields tell it from one of a call that goes on. A side that was sent but cannot be
 * read counts if it is a text that may name one; an unreadable end with a running duration, if it holds a year.
 */
export function showsEnd(call: CallEndedData): boolean {
  if (call.endAt !== null) return true;
  const { hangupSide, hangupReason, duration, billsec, unread } = call;
  const unreadText = (name: string) => unread.find(({ field }) => field === name)?.text;
  const isHungUp =
    hangupSide !== null ||
    [unreadText("hangupSide"), hangupReason, unreadText("hangupReason")].some(
      (text) => text != null && saysHangUp(text),
    );
  const end = unreadText("endAt");
  const isTimed =
    duration !== null ||
    billsec !== null ||
    [unreadText("duration"), unreadText("billsec")].some((text) => text != null);
  if (end !== undefined) return isHungUp || (YEAR_OF_CALLS.test(end) && (duration ?? billsec ?? 0) > 0);
  return isHungUp && isTimed;
}

/** `showsEnd` for an entry of the log. Versions before this rule appended events of calls that went on. */
export function isEnd(event: CallEndedData & Pick<CallEndedEvent, "source">): boolean {
  return event.source === "RECONCILED" || showsEnd(event);
}

/** A call was answered if it has an answer time or a billed duration above 0. */
export function wasAnswered(call: { answerAt: Instant | null; billsec: number | null }): boolean {
  return call.answerAt !== null || (call.billsec ?? 0) > 0;
}

/** `wasAnswered` for clients. Null: a field that decides it was sent but could not be read. */
export function reportedAnswered(call: Parameters<typeof wasAnswered>[0] & { unread: readonly UnreadField[] }) {
  if (wasAnswered(call)) return true;
  return call.unread.some(({ field }) => field === "answerAt" || field === "billsec") ? null : false;
}

/**
 * Whether the delivery states the field, "none" included. An inbound call states that it has no task (service.md,
 * section 6). A call that billed 0 and has no answer time states that it was not answered.
 */
export function reportsField(call: CallEndedData, field: ReportedField): boolean {
  if (field === "assistants") return call.assistants.length > 0;
  if (call[field] !== null) return true;
  if (call.unread.some((unread) => unread.field === field)) return false;
  if (field === "answerAt") return call.billsec === 0;
  return (field === "taskId" || field === "taskItemId") && call.direction === "inbound";
}

/**
 * Tests an event in memory. store/events/eventFilter.ts has the same rule in SQL; a test keeps the two equal. Throws for
 * `access.submittedBy`, which only the store can tell.
 */
export function matchesFilter(event: CallEndedEvent, filter: EventFilter): boolean {
  const { ended, imported, taskIds, assistantIds, direction, hangupSide, hangupReasons, answered, phones } = filter;
  const { since, until, access } = filter;
  if (access?.submittedBy !== undefined) throw new Error("Only the store knows who submitted a task.");
  const endedAt = event.endAt ?? event.receivedAt;
  return (
    (ended !== true || isEnd(event)) &&
    (imported !== false || event.source !== "IMPORTED") &&
    isOfTasks(event, taskIds) &&
    isOfAssistants(event, assistantIds) &&
    isOfTasks(event, access?.taskIds) &&
    isOfAssistants(event, access?.assistantIds) &&
    (direction === undefined || event.direction === direction) &&
    (hangupSide === undefined || event.hangupSide === hangupSide) &&
    (hangupReasons === undefined || hangupReasons.includes(columnText(event.hangupReason))) &&
    (answered === undefined || wasAnswered(event) === answered) &&
    (phones === undefined ||
      [event.caller, event.callee].some((text) => text !== null && phones.includes(phoneColumn(text)))) &&
    (since === undefined || endedAt >= since) &&
    (until === undefined || endedAt < until)
  );
}

function isOfTasks({ taskId }: CallEndedEvent, ids: readonly string[] | undefined): boolean {
  return ids === undefined || (taskId !== null && ids.includes(taskId));
}

function isOfAssistants({ assistants }: CallEndedEvent, ids: readonly string[] | undefined): boolean {
  return ids === undefined || assistants.some(({ assistantId }) => ids.includes(assistantId));
}

/** Code units. An index of PostgreSQL takes a few texts of this length, and none as long as a delivery may be. */
const MAX_COLUMN_LENGTH = 128;
const MAX_SESSION_ID_LENGTH = 512;

/**
 * A text as a column stores it and a filter compares it: cut to what an index takes, and without NUL, which PostgreSQL
 * does not store. The event's own JSON has the whole text.
 */
export function columnText(text: string): string;
export function columnText(text: string | null): string | null;
export function columnText(text: string | null): string | null {
  return text === null ? null : text.replaceAll("\0", "").slice(0, MAX_COLUMN_LENGTH).toWellFormed();
}

/** A caller or callee as its column stores it: every writing of a number gives one text, so that a filter finds it. */
export function phoneColumn(text: string): string;
export function phoneColumn(text: string | null): string | null;
export function phoneColumn(text: string | null): string | null {
  return text === null ? null : columnText(comparedPhone(text));
}

/** Whether both databases can use the text as a key: not blank, well-formed Unicode, no NUL, at most 512 code units. */
export function isSessionId(text: string): boolean {
  return text.trim() !== "" && text.isWellFormed() && !text.includes("\0") && text.length <= MAX_SESSION_ID_LENGTH;
}
