import type { CallEndedData } from "../../src/events/callEndedEvent.ts";

/** A call that ended, of which only the session matters. */
export function callEnded(sessionId: string): CallEndedData {
  return {
    sessionId,
    eventName: "call_ended",
    direction: "outbound",
    caller: "A068",
    callee: "+12025550101",
    startAt: "2026-11-20T01:30:00.000Z",
    answerAt: "2026-11-20T01:30:05.000Z",
    endAt: "2026-11-20T01:31:00.000Z",
    duration: 60,
    billsec: 55,
    ringTime: 5,
    hangupSide: "callee",
    hangupReason: "NORMAL_CLEARING",
    recordUrl: null,
    taskId: "7",
    taskItemId: "71",
    assistants: [{ assistantId: "3", versionId: "31" }],
    extra: null,
    unread: [],
  };
}
