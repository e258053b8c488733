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
  const { event_name, event_data: data } = JSON.parse(webhook.toString()) as Webhook;
  const instantOf = (wallClock: string) => new Date(`${wallClock.replace(" ", "T")}+08:00`).toISOString();
  return {
    cursor: "a cursor of about this length, as the gateway's",
    sessionId: data.session_id,
    eventName: event_name,
    direction: data.direction.toUpperCase(),
    caller: data.caller,
    callee: data.callee,
    startAt: instantOf(data.start_at),
    answerAt: instantOf(data.answer_at),
    endAt: instantOf(data.end_at),
    duration: data.duration,
    billsec: data.billsec,
    answered: true,
    ringTime: data.ring_time,
    hungUpBy: data.hangup_side === "callee" ? "CUSTOMER" : "AGENT",
    hangupReason: data.hangup_reason,
    taskId: String(data.task_id),
    taskItemId: String(data.task_item_id),
    assistants: data.assistant_infos.map(({ assistant_id, assistant_vid }) => ({
      assistantId: String(assistant_id),
      versionId: String(assistant_vid),
    })),
    extra: data.extra,
  };
}
