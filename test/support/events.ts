// Call-ended events as the service's document shows them (service.md, section 2.2).
let made = 0;

export function callEndedEvent(data: Record<string, unknown> = {}): {
  event_name: string;
  event_data: Record<string, unknown>;
} {
  made += 1;
  return {
    event_name: "call_ended",
    event_data: {
      session_id: `session-${process.pid}-${made}`,
      callee: "+8613800010001",
      caller: "A068",
      start_at: "2026-11-20 09:30:00",
      answer_at: "2026-11-20 09:30:05",
      end_at: "2026-11-20 09:31:00",
      duration: 60,
      billsec: 55,
      direction: "outbound",
      ring_time: 5,
      hangup_side: "callee",
      hangup_reason: "NORMAL_CLEARING",
      record_url: "https://files.example/recording.wav?signature=canary-signature",
      task_id: 7,
      task_item_id: 71,
      assistant_infos: [{ assistant_id: 3, assistant_vid: 31 }],
      extra: { 姓名: "Li" },
      ...data,
    },
  };
}
