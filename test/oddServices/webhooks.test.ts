import { describe, it } from "vitest";
import { instantOfWall, raw } from "./honest.ts";
import type { Json, Oddity } from "./service.ts";
import { examine, type OddService } from "./stand.ts";
import { DAY, HOUR, MINUTE, type Call } from "./world.ts";

type Delivers = NonNullable<Oddity["delivers"]>;
type Body = Parameters<Delivers>[0];

const ZONE = "Asia/Shanghai";
const odd = (name: string, delivers: Delivers, more: Partial<OddService> = {}): OddService => ({
  name,
  oddity: { delivers },
  touches: [],
  ...more,
});
/** One delivery, with other data. */
const sends =
  (change: (data: Json, call: Call) => Json): Delivers =>
  (body, call) => [{ ...body, event_data: change(body.event_data, call) }];
const withData = (body: Body, change: Json) => ({ ...body, event_data: { ...body.event_data, ...change } });
const few = ({ taskItemId, startAt }: Call) => Number(taskItemId ?? startAt / MINUTE) % 7 === 0;
const never = (call: Call) => (few(call) ? null : call);

const repeated: OddService[] = [
  odd("sends each event twice", (body) => [body, body]),
  odd("sends each event twice, with its keys in another order", (body) => {
    const reversed = Object.fromEntries(Object.entries(body.event_data).toReversed());
    return [body, { ...body, event_data: { ...reversed, extra: body.event_data["extra"] } }];
  }),
  odd("sends each event three times, and all at once", (body) => [body, body, body], { atOnce: true }),
  odd(
    "sends events of which one says less",
    (body) => [
      withData(body, {
        record_url: "",
        hangup_reason: null,
        answer_at: "",
        extra: null,
        billsec: null,
        assistant_infos: [],
      }),
      body,
    ],
    { revises: true },
  ),
  odd(
    "sends events of which each says half",
    (body) => [
      withData(body, { record_url: "", hangup_reason: null, extra: null }),
      withData(body, { caller: "", callee: "", ring_time: null, hangup_side: "" }),
    ],
    { revises: true },
  ),
  odd(
    "sends an event while the call goes on, and another when it has ended",
    (body, { startAt }) => [
      withData(body, {
        end_at: (startAt + 1000) / 1000,
        duration: 1,
        billsec: 0,
        hangup_side: "caller",
        hangup_reason: "ANSWERED",
      }),
      withData(body, { hangup_reason: "ENDED" }),
    ],
    { revises: true, tells: (call) => ({ ...call, hangupReason: "ENDED" }) },
  ),
];

const written: OddService[] = [
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
      call.taskItemId ? { ...data, task_item_id: raw(`9007199254740993${call.taskItemId}`) } : data,
    ),
    {
      tells: (call) => ({ ...call, taskItemId: call.taskItemId && `9007199254740993${call.taskItemId}` }),
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
    { tells: (call) => ({ ...call, duration: (call.duration ?? 0) + 0.5 }) },
  ),
  odd(
    "sends a hangup side that nobody knows",
    sends((data) => ({ ...data, hangup_side: "system" })),
    { tells: (call) => ({ ...call, hangupSide: null }) },
  ),
  odd(
    "sends a hangup reason as a number",
    sends((data) => ({ ...data, hangup_reason: 16 })),
    { tells: (call) => ({ ...call, hangupReason: "16" }) },
  ),
  odd(
    "sends a hangup reason of another script, with quotes",
    sends((data) => ({ ...data, hangup_reason: `用户"忙"\n\u2028` })),
    { tells: (call) => ({ ...call, hangupReason: `用户"忙"\n\u2028` }) },
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
      tells: (call) => (few(call) ? { ...call, assistants: [] } : call),
    },
  ),
  odd(
    "sends extra as null",
    sends((data) => ({ ...data, extra: null })),
    { tells: (call) => ({ ...call, extra: null }) },
  ),
  odd(
    "sends extra with keys such as __proto__",
    sends((data) => ({ ...data, extra: JSON.parse(ODD_EXTRA) as unknown })),
    { tells: (call) => ({ ...call, extra: JSON.parse(ODD_EXTRA) as Json }) },
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

const unreadable: OddService[] = [
  odd(
    "sends some events without a session",
    sends((data, call) => (few(call) ? { ...data, session_id: "" } : data)),
    { tells: never },
  ),
  odd(
    "sends some events as a text within",
    (body, call) => [few(call) ? { ...body, event_data: JSON.stringify(body.event_data) } : body],
    { tells: never },
  ),
  odd("sends some events in a list", (body, call) => [few(call) ? [body] : body], { tells: never }),
  odd("sends some events with garbage behind", (body, call) => [few(call) ? `${JSON.stringify(body)}}` : body], {
    tells: never,
  }),
  odd("sends some events cut off", (body, call) => [few(call) ? JSON.stringify(body).slice(0, -20) : body], {
    tells: never,
  }),
  odd(
    "sends some events as forms",
    (body, call) => [few(call) ? new URLSearchParams({ event_data: JSON.stringify(body) }).toString() : body],
    { tells: never },
  ),
];

const strange: OddService[] = [
  odd("sends events of calls that its list never shows", (body) => [body], {
    oddity: {},
    changes: (world) => ({
      ...world,
      calls: world.calls.map((call, at) => (at % 4 === 0 ? { ...call, listedFrom: Infinity } : call)),
    }),
  }),
  odd("sends events of tasks that it does not know", (body) => [body], {
    oddity: {},
    changes: (world) => ({
      ...world,
      tasks: world.tasks.slice(0, 5),
      calls: world.calls.map((call, at) => (at % 4 === 0 && call.taskId ? { ...call, taskId: "99" } : call)),
    }),
  }),
  odd("shows calls in its list some time after their events", (body) => [body], {
    oddity: {},
    changes: (world) => ({
      ...world,
      calls: world.calls.map((call, at) => (at % 4 === 0 ? { ...call, listedFrom: at } : call)),
    }),
    touches: ["lists"],
  }),
  odd("ends calls before they begin", (body) => [body], {
    oddity: {},
    changes: (world) => ({
      ...world,
      calls: world.calls.map((call, at) =>
        at % 9 === 0 && call.endAt ? { ...call, endAt: call.startAt - HOUR } : call,
      ),
    }),
  }),
  odd("has a call that lasts two days", (body) => [body], {
    oddity: {},
    changes: (world) => ({
      ...world,
      calls: world.calls.map((call, at) =>
        at === 5
          ? {
              ...call,
              startAt: world.now - 3 * DAY,
              answerAt: world.now - 3 * DAY,
              endAt: world.now - DAY,
              duration: 2 * 86_400,
              billsec: 2 * 86_400,
            }
          : call,
      ),
    }),
  }),
];

const ODD_EXTRA = '{"__proto__":{"a":1},"constructor":null,"n":1.5,"list":[{}],"":"","toString":"x","姓名":"\\u0000"}';

function at(wall: unknown): number {
  return wall === "" ? 0 : (instantOfWall(String(wall), ZONE) as number) / 1000;
}

function oddSession(sessionId: unknown): string {
  return `${String(sessionId)} /?&=#%2F 号`;
}

describe.concurrent("nothing is silently wrong over a service with odd webhooks", () => {
  it.for([...repeated, ...written, ...unreadable, ...strange])("a service that $name", (odd) => examine(odd));
});
