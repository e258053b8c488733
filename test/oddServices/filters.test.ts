import { describe, it } from "vitest";
import { isSameNumber, usualSemantics, type Selection } from "./select.ts";
import { json, type Asked } from "./service.ts";
import { examine, type OddService } from "./stand.ts";
import { DAY, HOUR, type Call } from "./world.ts";

const digits = (text: string) => text.replaceAll(/\D/g, "");
const numbersOf = ({ caller, callee }: Call) => [caller, callee];
const first = <T>(list: readonly T[]) => list.slice(0, 1);
const withoutPhone = (asked: Asked): Asked => ({ ...asked, phone: null });

/** Two hours that clocks may be set back and one that a row may be written late (docs/graph.md), and a few seconds. */
const SINCE_SLACK = 3 * HOUR;
const UNTIL_SLACK = 10_000;
const latestOf = ({ startAt, answerAt, endAt }: Call) => Math.max(startAt, answerAt ?? 0, endAt ?? Infinity);
const sinceSlack = (call: Call, { since }: Selection) => latestOf(call) >= since - SINCE_SLACK;
const untilSlack = (call: Call, { until }: Selection) => call.startAt <= until + UNTIL_SLACK;
const anytime = (asked: Selection) => ({ ...asked, since: -Infinity });
const forever = (asked: Selection) => ({ ...asked, until: Infinity });
const dayOf = (epochMs: number) => Math.floor((epochMs + 8 * HOUR) / DAY) * DAY - 8 * HOUR;

type Keeps = (call: Call, asked: Selection) => boolean;
const isSame = (call: Call, phone: string) =>
  numbersOf(call).some((number) => isSameNumber(number, phone, usualSemantics));
/** So many digits are a whole number: less may be asked for as a part of one, which the document leaves open. */
const WHOLE_NUMBER = 10;
const isPart: Keeps = (call, { phone }) =>
  phone !== null &&
  digits(phone).length < WHOLE_NUMBER &&
  numbersOf(call).some((number) => digits(number).includes(digits(phone)));

function phoneService(name: string, matches: (number: string, phone: string) => boolean): OddService {
  const keeps: Keeps = (call, { phone }) =>
    phone === null || isSame(call, phone) || numbersOf(call).some((number) => matches(number, phone));
  return {
    name,
    oddity: { hears: withoutPhone, keeps },
    grants: { heard: (asked) => ({ ...asked, phone: null }), keeps, grants: isPart },
    touches: ["phone"],
  };
}

const phones: OddService[] = [
  { name: "ignores phone", oddity: { hears: withoutPhone }, touches: ["phone"] },
  phoneService("matches parts of phone", (number, phone) => digits(number).includes(digits(phone))),
  phoneService("matches the last digit of phone", (number, phone) => number.endsWith(phone.slice(-1))),
  phoneService("matches the beginning of phone", (number, phone) => number.startsWith(phone.slice(0, 5))),
  phoneService("matches nothing but the length of phone", (number, phone) => number.length === phone.length),
];

const ranges: OddService[] = [
  {
    name: "ignores startTime",
    oddity: { hears: (asked) => ({ ...asked, since: -Infinity }) },
    grants: { heard: anytime, grants: sinceSlack },
    touches: ["since"],
  },
  {
    name: "ignores startTime, and is known to filter by startAt",
    oddity: { hears: (asked) => ({ ...asked, since: -Infinity }) },
    env: { UPSTREAM_RANGE_FIELD: "startAt" },
    grants: { heard: anytime, grants: (call, { since }) => call.startAt >= since - UNTIL_SLACK },
    touches: ["since"],
  },
  {
    name: "ignores endTime, and is known to filter by endAt",
    oddity: { hears: (asked) => ({ ...asked, until: Infinity }) },
    semantics: { rangeBy: "endAt" },
    env: { UPSTREAM_RANGE_FIELD: "endAt" },
    grants: { heard: forever, grants: (call, { until }) => call.endAt !== null && call.endAt <= until + UNTIL_SLACK },
    touches: ["until"],
  },
  {
    name: "ignores endTime",
    oddity: { hears: (asked) => ({ ...asked, until: Infinity }) },
    grants: { heard: forever, grants: untilSlack },
    touches: ["until"],
  },
  {
    name: "reads only the day of endTime, to its end",
    oddity: { hears: (asked) => ({ ...asked, until: dayOf(asked.until) + DAY - 1000 }) },
    grants: { heard: (asked) => ({ ...asked, until: dayOf(asked.until) + DAY - 1000 }), grants: untilSlack },
    touches: ["until"],
  },
  {
    name: "reads only the day of startTime, from its beginning",
    oddity: { hears: (asked) => ({ ...asked, since: dayOf(asked.since) }) },
    grants: { heard: (asked) => ({ ...asked, since: dayOf(asked.since) }), grants: sinceSlack },
    touches: ["since"],
  },
  {
    name: "reads startTime and endTime in UTC",
    oddity: { hears: (asked) => ({ ...asked, since: asked.since + 8 * HOUR, until: asked.until + 8 * HOUR }) },
    grants: {
      heard: (asked) => ({ ...asked, since: asked.since + 8 * HOUR, until: asked.until + 8 * HOUR }),
      grants: untilSlack,
    },
    touches: ["since", "until"],
  },
  {
    name: "answers with the whole list where the range is longer than two days",
    oddity: {
      hears: (asked) => (asked.until - asked.since > 2 * DAY ? { ...asked, since: -Infinity, until: Infinity } : asked),
    },
    grants: {
      heard: (asked) => (asked.until - asked.since > 2 * DAY ? { ...asked, since: -Infinity, until: Infinity } : asked),
      grants: (call, asked) => sinceSlack(call, asked) && untilSlack(call, asked),
    },
    touches: ["since", "until"],
    asks: ({ now }) => [
      {
        ask: "callLogs",
        first: 100,
        filter: { since: new Date(now - 3 * DAY).toISOString(), until: new Date(now - DAY / 2).toISOString() },
        jump: 0,
        joined: false,
      },
    ],
  },
  {
    name: "refuses ranges of more than three days",
    oddity: {
      lists: ({ asked, body }) =>
        asked.until - asked.since > 3 * DAY ? json({ code: 40001, msg: "range" }, 400) : body,
    },
    touches: ["since", "until"],
  },
];

const tasks: OddService[] = [
  {
    name: "takes only the first of several taskIds",
    oddity: { hears: (asked) => ({ ...asked, taskIds: first(asked.taskIds) }) },
    touches: ["severalTasks"],
  },
  {
    name: "takes only the last of several taskIds",
    oddity: { hears: (asked) => ({ ...asked, taskIds: asked.taskIds.slice(-1) }) },
    touches: ["severalTasks"],
  },
  {
    name: "takes only the first three of several taskIds",
    oddity: { hears: (asked) => ({ ...asked, taskIds: asked.taskIds.slice(0, 3) }) },
    touches: ["severalTasks"],
  },
  { name: "ignores taskId", oddity: { hears: (asked) => ({ ...asked, taskIds: [] }) }, touches: ["taskIds"] },
  {
    name: "ignores taskId where there are several",
    oddity: { hears: (asked) => (asked.taskIds.length > 1 ? { ...asked, taskIds: [] } : asked) },
    touches: ["severalTasks"],
  },
  {
    name: "finds no calls of several taskIds",
    oddity: { hears: (asked) => (asked.taskIds.length > 1 ? { ...asked, taskIds: ["0"] } : asked) },
    touches: ["severalTasks"],
  },
  {
    name: "takes taskId=1,2 for 12",
    oddity: { hears: (asked) => (asked.taskIds.length > 1 ? { ...asked, taskIds: [asked.taskIds.join("")] } : asked) },
    touches: ["severalTasks"],
  },
  {
    name: "compares taskId by its beginning",
    oddity: {
      hears: (asked) => ({ ...asked, taskIds: [] }),
      keeps: ({ taskId }, { taskIds }) =>
        taskIds.length === 0 || taskIds.some((id) => taskId !== null && taskId.startsWith(id)),
    },
    touches: ["taskIds"],
  },
  {
    name: "refuses several taskIds",
    oddity: { lists: ({ asked, body }) => (asked.taskIds.length > 1 ? json({ msg: "taskId" }, 400) : body) },
    touches: ["severalTasks"],
  },
  {
    name: "fails with 500 for several taskIds",
    oddity: { lists: ({ asked, body }) => (asked.taskIds.length > 1 ? json({ msg: "strconv" }, 500) : body) },
    touches: ["severalTasks"],
  },
  {
    name: "shows inbound calls with every task",
    oddity: {
      hears: (asked) => ({ ...asked, taskIds: [] }),
      keeps: ({ taskId }, { taskIds }) => taskIds.length === 0 || taskId === null || taskIds.includes(taskId),
    },
    touches: ["taskIds"],
  },
];

const others: OddService[] = [
  { name: "ignores direction", oddity: { hears: (asked) => ({ ...asked, direction: null }) }, touches: ["direction"] },
  {
    name: "takes every direction for outbound",
    oddity: { hears: (asked) => ({ ...asked, direction: asked.direction && "outbound" }) },
    touches: ["direction"],
  },
  {
    name: "knows directions only in capitals, and finds none",
    oddity: { hears: (asked) => ({ ...asked, direction: asked.direction && "none" }) },
    env: { UPSTREAM_IGNORES: "direction" },
    touches: ["direction"],
  },
  {
    name: "writes direction in another language",
    oddity: { writesCall: (row) => ({ ...row, direction: row["direction"] === "inbound" ? "呼入" : "呼出" }) },
    touches: [],
  },
  {
    name: "ignores assistantIds",
    oddity: { hears: (asked) => ({ ...asked, assistantIds: [] }) },
    touches: ["assistantIds"],
  },
  {
    name: "takes only the first of several assistantIds",
    oddity: { hears: (asked) => ({ ...asked, assistantIds: first(asked.assistantIds) }) },
    env: { UPSTREAM_IGNORES: "assistantIds" },
    touches: ["assistantIds"],
  },
  {
    name: "wants all of several assistantIds in one call",
    oddity: {
      hears: (asked) => ({ ...asked, assistantIds: [] }),
      keeps: ({ assistants }, { assistantIds }) =>
        assistantIds.every((id) => assistants.some((each) => each.id === id)),
    },
    env: { UPSTREAM_IGNORES: "assistantIds" },
    touches: ["assistantIds"],
  },
  {
    name: "understands assistantIds only as repeated parameters",
    oddity: {
      hears: (asked, parameters) => ({ ...asked, assistantIds: parameters.getAll("assistantIds") }),
    },
    env: { UPSTREAM_ASSISTANT_IDS: "repeat" },
    touches: [],
  },
  {
    name: "finds no calls of assistantIds",
    oddity: { hears: (asked) => (asked.assistantIds.length > 0 ? { ...asked, assistantIds: ["0"] } : asked) },
    env: { UPSTREAM_IGNORES: "assistantIds" },
    touches: ["assistantIds"],
  },
  {
    name: "ignores description",
    oddity: { hears: (asked) => ({ ...asked, kind: null }) },
    env: { UPSTREAM_IGNORES: "kind" },
    touches: ["kind"],
  },
  {
    name: "takes every description for phone",
    oddity: { hears: (asked) => ({ ...asked, kind: asked.kind && "phone" }) },
    env: { UPSTREAM_IGNORES: "kind" },
    touches: ["kind"],
  },
  {
    name: "refuses description",
    oddity: { lists: ({ asked, body }) => (asked.kind === null ? body : json({ msg: "unknown parameter" }, 400)) },
    touches: ["kind"],
  },
  {
    name: "takes two filters for one or the other",
    oddity: {
      hears: (asked) =>
        asked.phone !== null && asked.direction !== null ? { ...asked, phone: null, direction: null } : asked,
      keeps: (call, { phone, direction }) =>
        phone === null ||
        direction === null ||
        call.direction === direction ||
        numbersOf(call).some((number) => isSameNumber(number, phone, usualSemantics)),
    },
    touches: ["phone", "direction"],
    asks: () => [
      {
        ask: "callLogs",
        first: 50,
        filter: { since: "2026-11-10T00:00:00Z", phone: "13800010002", direction: "OUTBOUND" },
        jump: 0,
        joined: false,
      },
    ],
  },
];

describe.concurrent("nothing is silently wrong over a service with an odd filter", () => {
  it.for([...phones, ...ranges, ...tasks, ...others])("a service that $name", (odd) => examine(odd));
});
