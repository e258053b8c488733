// A row of the call log (service.md, section 2.1) as the event that its webhook would have been (2.2). What only a webhook
// tells is null; recordFile is not record_url, and is left out.
import { isSessionId, type CallEndedData } from "../events/callEndedEvent.ts";
import { inFieldOrder } from "../events/mergeCalls.ts";
import type { CallLogRecord } from "../upstream/upstream.ts";

/** The same ids that the webhook takes; null for a row that names no call. */
export function sessionIdOf({ sessionId }: CallLogRecord): string | null {
  return sessionId !== null && isSessionId(sessionId) ? sessionId : null;
}

/** An end that was written but cannot be read is an end too: the event has it in `unread`. */
export function hasEnded({ endAt, unread }: CallLogRecord): boolean {
  return endAt !== null || unread.some(({ field }) => field === "endAt");
}

/** Fields of a row that an event does not have. */
const LEFT_OUT: ReadonlySet<string> = new Set(["sessionId", "recordFile"]);

export function reconciledCall(sessionId: string, row: CallLogRecord): CallEndedData {
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
    unread: inFieldOrder(row.unread.filter(({ field }) => !LEFT_OUT.has(field))),
  };
}
