import { createEndRule } from "../../src/webhook/endRule.ts";

/** An event as the service sends it (service.md, sections 2.2 and 6). */
export const eventData = {
  session_id: "s-1",
  callee: "13800010001",
  caller: "A068",
  start_at: "2026-11-20 17:00:00",
  answer_at: "2026-11-20 17:00:10",
  end_at: "2026-11-20 17:01:00",
  duration: 60,
  billsec: 50,
  direction: "outbound",
  ring_time: 10,
  hangup_side: "callee",
  hangup_reason: "normal clearing",
  record_url: "https://files.example/r/1.mp3?sign=x",
  task_id: 7,
  task_item_id: 70,
  assistant_infos: [{ assistant_id: 1, assistant_vid: 2 }],
  extra: { 姓名: "张三" },
};

/** Text is put in as it is: for what JSON.stringify cannot write. */
export function body(own: Record<string, unknown> = {}, envelope: Record<string, unknown> = {}): Buffer {
  return Buffer.from(JSON.stringify({ event_name: "call_ended", event_data: { ...eventData, ...own }, ...envelope }));
}

/** A field of the event in the sender's own spelling. */
export function bodyWith(field: keyof typeof eventData, json: string): Buffer {
  const text = JSON.stringify({ event_name: "call_ended", event_data: { ...eventData, [field]: "@@" } });
  return Buffer.from(text.replace('"@@"', () => json));
}

/** What a receiver needs beside its parser: any name may end a call, and names and early events are not remembered. */
export const anyEnd = {
  whyNoEnd: createEndRule([]),
  earlyEvents: { addTo: async () => undefined },
  eventNames: { saw: async () => undefined },
};
