// Services that ignore a filter, confuse it with another, or compare in their own way.
import { isSameNumber, usualSemantics, type Selection } from "../selectCalls.ts";
import { json, type ListQuery } from "../service.ts";
import type { OddService } from "../examine.ts";
import type { Call } from "../world.ts";

const digits = (text: string) => text.replaceAll(/\D/g, "");
const numbersOf = ({ caller, callee }: Call) => [caller, callee];
const first = <T>(list: readonly T[]) => list.slice(0, 1);
const withoutPhone = (asked: ListQuery): ListQuery => ({ ...asked, phone: null });

type Matches = (call: Call, asked: Selection) => boolean;
const isSame = (call: Call, phone: string) =>
  numbersOf(call).some((number) => isSameNumber(number, phone, usualSemantics));
/** A number with this many digits is complete. A shorter filter may match a part of a number, which the document leaves open. */
const COMPLETE_LENGTH = 10;
const isPart: Matches = (call, { phone }) =>
  phone !== null &&
  digits(phone).length < COMPLETE_LENGTH &&
  numbersOf(call).some((number) => digits(number).includes(digits(phone)));
/** A line's label hides its number, which may be the requested one. */
const mayBeBehindLabel: Matches = (call, { phone }) =>
  phone !== null && !/[a-z]/i.test(phone) && numbersOf(call).some((number) => /[a-z]/i.test(number));
const mayMatch: Matches = (call, asked) => isPart(call, asked) || mayBeBehindLabel(call, asked);

function phoneService(name: string, matches: (number: string, phone: string) => boolean): OddService {
  const keeps: Matches = (call, { phone }) =>
    phone === null || isSame(call, phone) || numbersOf(call).some((number) => matches(number, phone));
  return {
    name,
    oddity: { readQuery: withoutPhone, filter: keeps },
    tolerance: { understood: (asked) => ({ ...asked, phone: null }), filter: keeps, allows: mayMatch },
    affects: ["phone"],
  };
}

const phones: OddService[] = [
  {
    name: "ignores phone",
    oddity: { readQuery: withoutPhone },
    tolerance: { understood: (asked) => ({ ...asked, phone: null }), allows: mayMatch },
    affects: ["phone"],
  },
  {
    name: "ignores phone, as doctor found",
    oddity: { readQuery: withoutPhone },
    env: { UPSTREAM_IGNORES: "phone" },
    affects: ["phone"],
  },
  phoneService("matches parts of phone", (number, phone) => digits(number).includes(digits(phone))),
  phoneService("matches the last digit of phone", (number, phone) => number.endsWith(phone.slice(-1))),
  phoneService("matches the beginning of phone", (number, phone) => number.startsWith(phone.slice(0, 5))),
  phoneService("matches nothing but the length of phone", (number, phone) => number.length === phone.length),
];

const others: OddService[] = [
  {
    name: "ignores direction",
    oddity: { readQuery: (asked) => ({ ...asked, direction: null }) },
    affects: ["direction"],
  },
  {
    name: "takes every direction for outbound",
    oddity: { readQuery: (asked) => ({ ...asked, direction: asked.direction && "outbound" }) },
    affects: ["direction"],
  },
  {
    name: "knows directions only in capitals, and finds none",
    oddity: { readQuery: (asked) => ({ ...asked, direction: asked.direction && "none" }) },
    env: { UPSTREAM_IGNORES: "direction" },
    affects: ["direction"],
  },
  {
    name: "writes direction in another language",
    oddity: { writeCall: (row) => ({ ...row, direction: row["direction"] === "inbound" ? "呼入" : "呼出" }) },
    affects: [],
  },
  {
    name: "ignores assistantIds",
    oddity: { readQuery: (asked) => ({ ...asked, assistantIds: [] }) },
    affects: ["assistantIds"],
  },
  {
    name: "takes only the first of several assistantIds",
    oddity: { readQuery: (asked) => ({ ...asked, assistantIds: first(asked.assistantIds) }) },
    env: { UPSTREAM_IGNORES: "assistantIds" },
    affects: ["assistantIds"],
  },
  {
    name: "wants all of several assistantIds in one call",
    oddity: {
      readQuery: (asked) => ({ ...asked, assistantIds: [] }),
      filter: ({ assistants }, { assistantIds }) =>
        assistantIds.every((id) => assistants.some((each) => each.id === id)),
    },
    env: { UPSTREAM_IGNORES: "assistantIds" },
    affects: ["assistantIds"],
  },
  {
    name: "understands assistantIds only as repeated parameters",
    oddity: {
      readQuery: (asked, parameters) => ({ ...asked, assistantIds: parameters.getAll("assistantIds") }),
    },
    env: { UPSTREAM_ASSISTANT_IDS: "repeat" },
    affects: [],
  },
  {
    name: "takes several assistantIds with a comma for one id",
    oddity: {
      readQuery: (asked, parameters) => ({ ...asked, assistantIds: parameters.getAll("assistantIds") }),
    },
    affects: ["severalAssistants"],
  },
  {
    name: "takes the first of several assistantIds",
    oddity: { readQuery: (asked) => ({ ...asked, assistantIds: asked.assistantIds.slice(0, 1) }) },
    affects: ["severalAssistants"],
  },
  {
    name: "finds no calls of assistantIds",
    oddity: { readQuery: (asked) => (asked.assistantIds.length > 0 ? { ...asked, assistantIds: ["0"] } : asked) },
    env: { UPSTREAM_IGNORES: "assistantIds" },
    affects: ["assistantIds"],
  },
  {
    name: "ignores description",
    oddity: { readQuery: (asked) => ({ ...asked, kind: null }) },
    env: { UPSTREAM_IGNORES: "kind" },
    affects: ["kind"],
  },
  {
    name: "takes every description for phone",
    oddity: { readQuery: (asked) => ({ ...asked, kind: asked.kind && "phone" }) },
    env: { UPSTREAM_IGNORES: "kind" },
    affects: ["kind"],
  },
  {
    name: "refuses description",
    oddity: {
      writeList: ({ query: asked, body }) => (asked.kind === null ? body : json({ msg: "unknown parameter" }, 400)),
    },
    affects: ["kind"],
  },
  {
    name: "takes two filters for one or the other",
    oddity: {
      readQuery: (asked) =>
        asked.phone !== null && asked.direction !== null ? { ...asked, phone: null, direction: null } : asked,
      filter: (call, { phone, direction }) =>
        phone === null ||
        direction === null ||
        call.direction === direction ||
        numbersOf(call).some((number) => isSameNumber(number, phone, usualSemantics)),
    },
    affects: ["phone", "direction"],
    extraQuestions: () => [
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

export const filters: readonly OddService[] = [...phones, ...others];
