// What the log holds: one ended call, as its event told it (service.md, section 2.2), read and made plain.
import type { Instant } from "../format/instant.ts";
import type { UnreadField } from "../format/unreadFields.ts";

/** Null: the service left it out, or wrote it empty, zero or unreadably (then it is in `unread`). */
export interface CallEndedData {
  sessionId: string;
  eventName: string | null;
  direction: "inbound" | "outbound" | null;
  caller: string | null;
  callee: string | null;
  startAt: Instant | null;
  answerAt: Instant | null;
  endAt: Instant | null;
  /** Durations are in the service's units, which its document does not name. */
  duration: number | null;
  billsec: number | null;
  ringTime: number | null;
  hangupSide: "caller" | "callee" | null;
  hangupReason: string | null;
  recordUrl: string | null;
  /** Null for inbound calls, for which the service writes 0. */
  taskId: string | null;
  taskItemId: string | null;
  assistants: readonly { assistantId: string; versionId: string }[];
  /** The variables given for the number when its task was created. */
  extra: Record<string, unknown> | null;
  unread: readonly UnreadField[];
}

/** Who told it: the service's webhook, or its call log, searched for calls of which no webhook came. */
export type EventSource = "WEBHOOK" | "RECONCILED";

export type ReportedField = Exclude<keyof CallEndedData, "sessionId" | "unread">;

/** Where a merged call has its fields from; kept with it, for the next delivery is ranked against these. */
export interface Origins {
  ranks: string[];
  /** For each field that is told, or has a note in `unread`: the index of its delivery's rank. */
  fields: Partial<Record<ReportedField, number>>;
  /** The link of the delivery that made this revision, which may not be the one that is shown. */
  link: string | null;
}

/** A call as an entry of the log holds it. Without origins one delivery alone told it. */
export interface StoredCall extends CallEndedData {
  origins?: Origins;
}

/** An entry of the log. It never changes: the call as merged up to its revision. */
export interface CallEndedEvent extends StoredCall {
  /** Its place: opaque, and ordered by code unit as the log is. */
  cursor: string;
  /** From 1, counted up each time more was told of the same call. */
  revision: number;
  source: EventSource;
  receivedAt: Instant;
}

/** The rule of the graph: a call was answered where it has an answer time or a billed duration above 0. */
export function wasAnswered(call: { answerAt: Instant | null; billsec: number | null }): boolean {
  return call.answerAt !== null || (call.billsec ?? 0) > 0;
}

/** The same as it is shown. Null: what would tell it came, and could not be read. */
export function reportedAnswered(call: Parameters<typeof wasAnswered>[0] & { unread: readonly UnreadField[] }) {
  if (wasAnswered(call)) return true;
  return call.unread.some(({ field }) => field === "answerAt" || field === "billsec") ? null : false;
}

/**
 * Whether the call tells the field, "none" included: an inbound call has no task (service.md, section 6), and a call that
 * billed nothing and has no answer time was not answered.
 */
export function reportsField(call: CallEndedData, field: ReportedField): boolean {
  if (field === "assistants") return call.assistants.length > 0;
  if (call[field] !== null) return true;
  if (call.unread.some((unread) => unread.field === field)) return false;
  if (field === "answerAt") return call.billsec === 0;
  return (field === "taskId" || field === "taskItemId") && call.direction === "inbound";
}

/** Code units: an index of PostgreSQL has room for a few of these, and for none that is as long as a delivery may be. */
const LONGEST_IN_COLUMN = 128;
const LONGEST_SESSION_ID = 512;

/**
 * A text as both databases hold it in a column, and as a filter sees it: cut to what an index takes, and without the NUL
 * that PostgreSQL's texts do not know. The event itself has it whole.
 */
export function columnText(text: string): string;
export function columnText(text: string | null): string | null;
export function columnText(text: string | null): string | null {
  return text === null ? null : text.replaceAll("\0", "").slice(0, LONGEST_IN_COLUMN).toWellFormed();
}

/** What can tell two calls apart in both databases: not blank, no half character (they would mend it), no NUL, not endless. */
export function isSessionId(text: string): boolean {
  return text.trim() !== "" && text.isWellFormed() && !text.includes("\0") && text.length <= LONGEST_SESSION_ID;
}
