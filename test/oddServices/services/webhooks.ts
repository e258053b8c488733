// Services that write their webhooks in odd forms.
import { parseWallClock, rawId } from "../serviceFormat.ts";
import type { Json } from "../service.ts";
import type { OddService } from "../examine.ts";
import { few, odd, sends } from "./oddities.ts";

const ZONE = "Asia/Shanghai";

export const webhooks: readonly OddService[] = [
  odd(
    "sends times as epoch seconds",
    sends((data) => ({
      ...data,
      start_at: at(data["start_at"]),
      answer_at: at(data["answer_at"]),
      end_at: at(data["end_at"]),
    })),
  ),
  odd(
    "sends Go's zero time for none",
    sends((data) => ({ ...data, answer_at: data["answer_at"] || "0001-01-01T00:00:00Z" })),
  ),
  odd(
    "sends null for what there is none of",
    sends((data) =>
      Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value === "" ? null : value])),
    ),
  ),
  odd(
    "leaves out what there is none of",
    sends((data) => Object.fromEntries(Object.entries(data).filter(([, value]) => value !== ""))),
  ),
  odd(
    "sends ids as texts",
    sends((data) => ({
      ...data,
      task_id: JSON.stringify(data["task_id"]),
      task_item_id: JSON.stringify(data["task_item_id"]),
    })),
  ),
  odd(
    "sends an id beyond 2^53",
    sends((data, call) =>
      call.taskItemId ? { ...data, task_item_id: rawId(`9007199254740993${call.taskItemId}`) } : data,
    ),
    {
      eventOf: (call) => ({ ...call, taskItemId: call.taskItemId && `9007199254740993${call.taskItemId}` }),
    },
  ),
  odd(
    "sends no task for inbound calls",
    sends((data, call) => (call.taskId === null ? { ...data, task_id: undefined, task_item_id: null } : data)),
  ),
  odd(
    "sends durations as texts",
    sends((data) => ({
      ...data,
      duration: String(data["duration"]),
      billsec: String(data["billsec"]),
      ring_time: String(data["ring_time"]),
    })),
  ),
  odd(
    "sends durations with a fraction",
    sends((data) => ({ ...data, duration: Number(data["duration"]) + 0.5 })),
    { eventOf: (call) => ({ ...call, duration: (call.duration ?? 0) + 0.5 }) },
  ),
  odd(
    "sends a hangup side that nobody knows",
    sends((data) => ({ ...data, hangup_side: "system" })),
    { eventOf: (call) => ({ ...call, hangupSide: null }) },
  ),
  odd(
    "sends a hangup reason as a number",
    sends((data) => ({ ...data, hangup_reason: 16 })),
    { eventOf: (call) => ({ ...call, hangupReason: "16" }) },
  ),
  odd(
    "sends a hangup reason of another script, with quotes",
    sends((data) => ({ ...data, hangup_reason: `用户"忙"\n\u2028` })),
    { eventOf: (call) => ({ ...call, hangupReason: `用户"忙"\n\u2028` }) },
  ),
  odd(
    "sends assistant_infos as null where there is none",
    sends((data) => ({
      ...data,
      assistant_infos: (data["assistant_infos"] as unknown[]).length > 0 ? data["assistant_infos"] : null,
    })),
  ),
  odd(
    "sends an assistant that cannot be read",
    sends((data, call) =>
      few(call) ? { ...data, assistant_infos: [{ assistant_id: "A", assistant_vid: -1 }] } : data,
    ),
    {
      eventOf: (call) => (few(call) ? { ...call, assistants: [] } : call),
    },
  ),
  odd(
    "sends extra as null",
    sends((data) => ({ ...data, extra: null })),
    { eventOf: (call) => ({ ...call, extra: null }) },
  ),
  odd(
    "sends extra with keys such as __proto__",
    sends((data) => ({ ...data, extra: JSON.parse(ODD_EXTRA) as unknown })),
    { eventOf: (call) => ({ ...call, extra: JSON.parse(ODD_EXTRA) as Json }) },
  ),
  odd(
    "sends session ids with blanks and signs",
    sends((data) => ({ ...data, session_id: oddSession(data["session_id"]) })),
    {
      changes: (world) => ({
        ...world,
        calls: world.calls.map((call) => ({ ...call, sessionId: oddSession(call.sessionId) })),
      }),
      oddity: {},
    },
  ),
  odd("begins its events with a byte order mark", (body) => [`\uFEFF${JSON.stringify(body)}`]),
  odd("puts blanks around its events", (body) => [`\r\n ${JSON.stringify(body, null, 2)}\n`]),
  odd("names keys twice", (body) => [JSON.stringify(body).replace('"callee":', '"callee":"wrong","callee":')]),
];

const ODD_EXTRA = '{"__proto__":{"a":1},"constructor":null,"n":1.5,"list":[{}],"":"","toString":"x","姓名":"\\u0000"}';

function at(wall: unknown): number {
  return wall === "" ? 0 : (parseWallClock(String(wall), ZONE) as number) / 1000;
}

function oddSession(sessionId: unknown): string {
  return `${String(sessionId)} /?&=#%2F 号`;
}
