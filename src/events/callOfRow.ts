// Turns a row of the service's call log (service.md, section 2.1) into the call that an event tells.
import type { CallLogRecord } from "../upstream/upstream.ts";
import { isSessionId, type CallEndedData } from "./callEndedEvent.ts";
import { inFieldOrder } from "./mergeCalls.ts";

/** Null for a row whose session ID the webhook would not accept either. */
export function sessionIdOf({ sessionId }: CallLogRecord): string | null {
  return sessionId !== null && isSessionId(sessionId) ? sessionId : null;
}

/** Fields of a row that an event does not have. */
const NOT_IN_EVENT: ReadonlySet<string> = new Set(["sessionId", "recordFile"]);

/**
 * The call that the row's webhook would have carried (section 2.2). Fields that only a webhook has are null. recordFile is not
 * the same as record_url and is left out.
 */
export function callOfRow(sessionId: string, row: CallLogRecord): CallEndedData {
  return {
    sessionId,
    eventName: null,
    direction: row.direction,
    caller: row.caller,
    callee: row.callee,
    startAt: row.startAt,
    answerAt: row.answerAt,
    endAt: row.endAt,
    duration: row.duration,
    billsec: row.billsec,
    ringTime: null,
    hangupSide: null,
    hangupReason: null,
    recordUrl: null,
    taskId: row.taskId,
    taskItemId: null,
    assistants: row.assistants,
    extra: null,
    unread: inFieldOrder(row.unread.filter(({ field }) => !NOT_IN_EVENT.has(field))),
  };
}
