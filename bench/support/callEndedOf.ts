// Converts a webhook's event to the graph's fields, for the programs that only pass events on. Checks nothing.

interface Webhook {
  event_name: string;
  event_data: Record<"session_id" | "direction" | "caller" | "callee" | "start_at" | "answer_at" | "end_at", string> &
    Record<"duration" | "billsec" | "ring_time" | "task_id" | "task_item_id", number> & {
      hangup_side: string;
      hangup_reason: string;
      assistant_infos: { assistant_id: number; assistant_vid: number }[];
      extra: unknown;
    };
}

export function callEndedOf(webhook: Buffer): Record<string, unknown> {
  const { event_name, event_data: told } = JSON.parse(webhook.toString()) as Webhook;
  const instantOf = (wallClock: string) => new Date(`${wallClock.replace(" ", "T")}+08:00`).toISOString();
  return {
    cursor: "a cursor of about this length, as the gateway's",
    sessionId: told.session_id,
    eventName: event_name,
    direction: told.direction.toUpperCase(),
    caller: told.caller,
    callee: told.callee,
    startAt: instantOf(told.start_at),
    answerAt: instantOf(told.answer_at),
    endAt: instantOf(told.end_at),
    duration: told.duration,
    billsec: told.billsec,
    answered: true,
    ringTime: told.ring_time,
    hungUpBy: told.hangup_side === "callee" ? "CUSTOMER" : "AGENT",
    hangupReason: told.hangup_reason,
    taskId: String(told.task_id),
    taskItemId: String(told.task_item_id),
    assistants: told.assistant_infos.map(({ assistant_id, assistant_vid }) => ({
      assistantId: String(assistant_id),
      versionId: String(assistant_vid),
    })),
    extra: told.extra,
  };
}
