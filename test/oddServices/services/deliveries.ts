// Services whose webhooks come twice, in pieces, unreadable, or for calls that are not listed.
import type { Json } from "../service.ts";
import type { OddService } from "../examine.ts";
import { DAY, HOUR, type Call } from "../world.ts";
import { type Delivers, few, odd, sends } from "./oddities.ts";

type Body = Parameters<Delivers>[0];

const withData = (body: Body, change: Json) => ({ ...body, event_data: { ...body.event_data, ...change } });
const never = (call: Call) => (few(call) ? null : call);

const repeated: OddService[] = [
  odd("sends each event twice", (body) => [body, body]),
  odd("sends each event twice, with its keys in another order", (body) => {
    const reversed = Object.fromEntries(Object.entries(body.event_data).toReversed());
    return [body, { ...body, event_data: { ...reversed, extra: body.event_data["extra"] } }];
  }),
  odd("sends each event three times, and all at once", (body) => [body, body, body], { deliversInParallel: true }),
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
    { sendsRevisions: true },
  ),
  odd(
    "sends events of which each says half",
    (body) => [
      withData(body, { record_url: "", hangup_reason: null, extra: null }),
      withData(body, { caller: "", callee: "", ring_time: null, hangup_side: "" }),
    ],
    { sendsRevisions: true },
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
    { sendsRevisions: true, eventOf: (call) => ({ ...call, hangupReason: "ENDED" }) },
  ),
];

const unreadable: OddService[] = [
  odd(
    "sends some events without a session",
    sends((data, call) => (few(call) ? { ...data, session_id: "" } : data)),
    { eventOf: never },
  ),
  odd(
    "sends some events as a text within",
    (body, call) => [few(call) ? { ...body, event_data: JSON.stringify(body.event_data) } : body],
    { eventOf: never },
  ),
  odd("sends some events in a list", (body, call) => [few(call) ? [body] : body], { eventOf: never }),
  odd("sends some events with garbage behind", (body, call) => [few(call) ? `${JSON.stringify(body)}}` : body], {
    eventOf: never,
  }),
  odd("sends some events cut off", (body, call) => [few(call) ? JSON.stringify(body).slice(0, -20) : body], {
    eventOf: never,
  }),
  odd(
    "sends some events as forms",
    (body, call) => [few(call) ? new URLSearchParams({ event_data: JSON.stringify(body) }).toString() : body],
    { eventOf: never },
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
    affects: ["lists"],
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

export const deliveries: readonly OddService[] = [...repeated, ...unreadable, ...strange];
