// The fields of a call, joined from its row in the service's list and its newest event. The event's value is shown; the row
// fills what the event leaves open. Each source is loaded only when a field needs it.
import { reportedAnswered, reportsField, wasAnswered, type CallEndedEvent } from "../events/callEndedEvent.ts";
import { fieldOfNote } from "../events/mergeCalls.ts";
import type { UnreadField } from "../format/fieldReader.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";
import { andThen, type MaybePromise } from "../util/maybePromise.ts";

/** A row that is known to have no event is the call itself: there is nothing to join. */
export type Call = CallLogRecord | JoinedCall;

export interface JoinedCall {
  sessionId: string | null;
  /** The newest event; null where there is none. Throws STORE_UNAVAILABLE. */
  event(): MaybePromise<CallEndedEvent | null>;
  /** Null where the service's list does not show the call. Throws UPSTREAM_*, QUERY_TOO_COMPLEX. */
  row(): MaybePromise<CallLogRecord | null>;
}

export function isRow(call: Call): call is CallLogRecord {
  return (call as JoinedCall).event === undefined;
}

/** Fields that both sources have. */
const commonFields = [
  "taskId",
  "direction",
  "caller",
  "callee",
  "startAt",
  "answerAt",
  "endAt",
  "duration",
  "billsec",
  "assistants",
] as const;
export type CommonField = (typeof commonFields)[number];
type Common = Pick<CallLogRecord, CommonField>;

export function fieldOfCall<Field extends CommonField>(call: JoinedCall, field: Field): MaybePromise<Common[Field]> {
  return andThen(call.event(), (event) => {
    if (event && reportsField(event, field)) return (event as Common)[field];
    return andThen(call.row(), (row) => (row ? row[field] : emptyValue(event, field)));
  });
}

/** Null where the answer time or the billed duration could not be read. */
export function answeredOfCall(call: Call): MaybePromise<boolean | null> {
  if (isRow(call)) return reportedAnswered(call);
  // An answer time is enough: then nothing else is loaded.
  return andThen(fieldOfCall(call, "answerAt"), (answerAt) =>
    answerAt !== null ? true : andThen(fieldOfCall(call, "billsec"), (billsec) => answeredByBillsec(billsec, call)),
  );
}

function answeredByBillsec(billsec: number | null, call: JoinedCall): MaybePromise<boolean | null> {
  const reported = { answerAt: null, billsec };
  if (wasAnswered(reported)) return true;
  return andThen(call.event(), (event) => {
    // The row is not loaded where the event reports both.
    if (event && reportsField(event, "answerAt") && reportsField(event, "billsec")) return false;
    return andThen(unreadOfCall(call), (unread) => reportedAnswered({ ...reported, unread }));
  });
}

/**
 * The values that could not be read. For a field of both sources: those of the source whose value is shown; if neither source has
 * a value, those of the event, or of the row where the event has none. For any other field: those of the row.
 */
export function unreadOfCall(call: Call): MaybePromise<readonly UnreadField[]> {
  if (isRow(call)) return call.unread;
  return andThen(call.event(), (event) =>
    andThen(call.row(), (row) => {
      if (!event) return row?.unread ?? [];
      const ofEvent = event.unread.filter(({ field }) => eventDecides(fieldOfNote(field), event, row));
      const fieldsOfEventNotes = new Set(ofEvent.map(({ field }) => fieldOfNote(field)));
      const ofRow = (row?.unread ?? []).filter(({ field }) => {
        const name = commonFields.find((known) => known === fieldOfNote(field));
        return name === undefined || (!reportsField(event, name) && !fieldsOfEventNotes.has(name));
      });
      return [...ofEvent, ...ofRow];
    }),
  );
}

/** Only the service's list has it. */
export function recordFileOfCall(call: Call): MaybePromise<string | null> {
  return isRow(call) ? call.recordFile : andThen(call.row(), (row) => row?.recordFile ?? null);
}

/** Whether the event's notes on a field of both sources are shown: its value is shown, or neither source has one. */
function eventDecides(name: string, event: CallEndedEvent, row: CallLogRecord | null): boolean {
  const field = commonFields.find((known) => known === name);
  if (field === undefined) return false;
  if (reportsField(event, field)) return true;
  const value = row?.[field] ?? null;
  return Array.isArray(value) ? value.length === 0 : value === null;
}

/** The value of a field that neither source reports: null, or an empty list. */
function emptyValue<Field extends CommonField>(event: CallEndedEvent | null, field: Field): Common[Field] {
  return (event ? (event as Common)[field] : field === "assistants" ? [] : null) as Common[Field];
}
