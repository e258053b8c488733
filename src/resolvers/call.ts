// A call as the graph shows it, the same wherever it was met: the row of the service's list and its newest event, joined
// field by field. The event is believed; what it leaves open, the row tells. Each is asked for when a field needs it.
import type { UnreadField } from "../format/fieldReader.ts";
import { reportsField, reportedAnswered, wasAnswered, type CallEndedEvent } from "../events/callEndedEvent.ts";
import { fieldOfNote } from "../events/mergeCalls.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";
import { andThen, type MaybePromise } from "../util/maybePromise.ts";

export interface Call {
  sessionId: string | null;
  /** Its row, where it is known that there is no event: most rows of most lists, and nothing to join. */
  alone: CallLogRecord | null;
  /** The newest event; null where there is none. Throws STORE_UNAVAILABLE. */
  event(): MaybePromise<CallEndedEvent | null>;
  /** Null where the service's list does not show the call. Throws UPSTREAM_*, QUERY_TOO_COMPLEX. */
  row(): MaybePromise<CallLogRecord | null>;
}

/** What both tell. */
const common = [
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
export type CommonField = (typeof common)[number];
type Common = Pick<CallLogRecord, CommonField>;

export function tell<Field extends CommonField>(call: Call, field: Field): MaybePromise<Common[Field]> {
  if (call.alone) return call.alone[field];
  return andThen(call.event(), (event) => {
    if (event && reportsField(event, field)) return (event as Common)[field];
    return andThen(call.row(), (row) => (row ? row[field] : nothing(event, field)));
  });
}

export function tellAnswered(call: Call): MaybePromise<boolean | null> {
  if (call.alone) return reportedAnswered(call.alone);
  // The answer time is enough, and nothing more is asked for.
  return andThen(tell(call, "answerAt"), (answerAt) =>
    answerAt !== null ? true : andThen(tell(call, "billsec"), (billsec) => answeredBy(billsec, call)),
  );
}

function answeredBy(billsec: number | null, call: Call): MaybePromise<boolean | null> {
  const told = { answerAt: null, billsec };
  if (wasAnswered(told)) return true;
  return andThen(call.event(), (event) => {
    // Nor is the list asked where the event has told both.
    if (event && reportsField(event, "answerAt") && reportsField(event, "billsec")) return false;
    return andThen(tellUnread(call), (unread) => reportedAnswered({ ...told, unread }));
  });
}

/**
 * What was noted of the fields that are shown here: by the one whose value is shown, or, where neither could tell it, by the one
 * that is believed.
 */
export function tellUnread(call: Call): MaybePromise<readonly UnreadField[]> {
  if (call.alone) return call.alone.unread;
  return andThen(call.event(), (event) =>
    andThen(call.row(), (row) => {
      if (!event) return row?.unread ?? [];
      const ofEvent = event.unread.filter(({ field }) => isOfShown(fieldOfNote(field), event, row));
      const named = new Set(ofEvent.map(({ field }) => fieldOfNote(field)));
      const ofRow = (row?.unread ?? []).filter(({ field }) => {
        const name = common.find((known) => known === fieldOfNote(field));
        return name === undefined || (!reportsField(event, name) && !named.has(name));
      });
      return [...ofEvent, ...ofRow];
    }),
  );
}

/** Only the list tells it. */
export function tellRecordFile(call: Call): MaybePromise<string | null> {
  return andThen(call.row(), (row) => row?.recordFile ?? null);
}

/** The event's value is shown, or that of neither. */
function isOfShown(name: string, event: CallEndedEvent, row: CallLogRecord | null): boolean {
  const field = common.find((known) => known === name);
  if (field === undefined) return false;
  if (reportsField(event, field)) return true;
  const told = row?.[field] ?? null;
  return Array.isArray(told) ? told.length === 0 : told === null;
}

function nothing<Field extends CommonField>(event: CallEndedEvent | null, field: Field): Common[Field] {
  // Of an empty list as much as of null: it is what the event said.
  return (event ? (event as Common)[field] : field === "assistants" ? [] : null) as Common[Field];
}
