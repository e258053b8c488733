// The questions for the gateway: a few fixed ones for every service, and random ones.
import * as fc from "fast-check";
import { DAY, lines, people, UNKNOWN_TASK, type World } from "./world.ts";

export interface TaskListFilter {
  since?: string;
  until?: string;
  direction?: "INBOUND" | "OUTBOUND";
  phone?: string;
  kind?: "PHONE" | "PRIVATE_TEST";
}

export interface ListFilter extends TaskListFilter {
  taskIds?: string[];
  assistantIds?: string[];
}

export interface EventFilter {
  taskIds?: string[];
  assistantIds?: string[];
  direction?: "INBOUND" | "OUTBOUND";
  hangupSide?: "CALLER" | "CALLEE";
  answered?: boolean;
  phone?: string;
  since?: string;
  until?: string;
}

/** `jump`: from 0 to 1, the position of a cursor from which the list is read again after its end. */
export type Question =
  | { ask: "callLogs"; first: number; filter: ListFilter; jump: number; joined: boolean }
  | { ask: "taskCallLogs"; taskId: string; first: number; filter: TaskListFilter; jump: number }
  | { ask: "tasksByIds"; taskIds: string[]; first: number; filter: TaskListFilter }
  | { ask: "callLog"; call: number; awayMs: number | null }
  | { ask: "task"; taskId: string }
  | { ask: "callStats"; filter: EventFilter; bucket: "MINUTE" | "HOUR" | "DAY" }
  | { ask: "events"; first: number; filter: EventFilter; order: "OLDEST_FIRST" | "NEWEST_FIRST" };

/** What an oddity may affect. A question without any affected aspect must be answered correctly. */
export type Aspect =
  | "lists"
  | "task"
  | "event"
  | "taskIds"
  | "severalTasks"
  | "since"
  | "until"
  | "direction"
  | "phone"
  | "assistantIds"
  | "severalAssistants"
  | "kind"
  | "search";

export function aspectsOf(question: Question): Set<Aspect> {
  const { ask } = question;
  if (ask === "callStats" || ask === "events") return new Set(["event"]);
  if (ask === "task") return new Set(["task"]);
  if (ask === "callLog") return new Set(["lists", "search", "since", "until"]);
  const given = Object.keys(question.filter) as Aspect[];
  // The gateway always sends both ends of the range.
  const aspects = new Set<Aspect>(["lists", "since", "until", ...given]);
  if (ask === "callLogs" && question.joined) aspects.add("task").add("event");
  if (ask !== "callLogs") aspects.add("task").add("taskIds");
  const taskIds = ask === "callLogs" ? question.filter.taskIds : ask === "tasksByIds" ? question.taskIds : undefined;
  if (taskIds && new Set(taskIds).size > 1) aspects.add("severalTasks");
  if (ask === "callLogs" && (question.filter.assistantIds?.length ?? 0) > 1) aspects.add("severalAssistants");
  return aspects;
}

const iso = (epochMs: number) => new Date(epochMs).toISOString();
/** Numbers with and without their country code, and parts of numbers. */
const phones = [...people, ...lines, "13800010001", "+8613800010002", "1380001", "0001", "13999999999"];

export function fixedQuestions({ now, tasks, calls }: World): Question[] {
  const all = { since: iso(now - 9 * DAY), until: iso(now + DAY) };
  const ids = tasks.map(({ id }) => id);
  const [one, two, twelve, many, seven] = ids as [string, string, string, string, string];
  const used = [...new Set(calls.flatMap(({ assistants }) => assistants.map(({ id }) => id)))];
  const list = (filter: ListFilter, first = 100): Question => {
    return { ask: "callLogs", first, filter: { ...all, ...filter }, jump: 0.5, joined: false };
  };
  const atNoon = calls.map(({ startAt }) => startAt).sort((a, b) => a - b);
  const [early, late] = [0.3, 0.6].map((share) => atNoon[Math.floor(share * atNoon.length)] as number) as [
    number,
    number,
  ];
  return [
    list({}),
    list({}, 7),
    { ask: "callLogs", first: 10, filter: {}, jump: 0, joined: true },
    list({ since: iso(early), until: iso(late) }, 20),
    list({ taskIds: [one] }, 3),
    list({ taskIds: [one, two] }, 10),
    list({ direction: "INBOUND" }, 10),
    list({ direction: "OUTBOUND" }, 50),
    list({ phone: "13800010002" }),
    list({ phone: "1380001" }, 10),
    list({ kind: "PRIVATE_TEST" }, 10),
    list({ assistantIds: used.slice(0, 1) }, 10),
    list({ assistantIds: used.slice(1, 3) }, 10),
    { ask: "tasksByIds", taskIds: [...ids, UNKNOWN_TASK], first: 10, filter: {} },
    { ask: "tasksByIds", taskIds: [seven, many], first: 100, filter: {} },
    { ask: "taskCallLogs", taskId: one, first: 10, filter: {}, jump: 0.3 },
    { ask: "task", taskId: twelve },
    { ask: "callLog", call: 5, awayMs: null },
    { ask: "callStats", filter: {}, bucket: "HOUR" },
    { ask: "events", first: 50, filter: {}, order: "OLDEST_FIRST" },
  ];
}

export function randomQuestions(world: World, runs: number, seed: number): Question[] {
  return runs === 0 ? [] : fc.sample(questionArbitrary(world), { numRuns: runs, seed });
}

function questionArbitrary({ now, tasks, calls, zone }: World): fc.Arbitrary<Question> {
  const taskId = fc.constantFrom(...tasks.map(({ id }) => id));
  const first = fc.constantFrom(1, 2, 3, 7, 10, 20, 33, 50, 99, 100);
  const jump = fc.double({ min: 0, max: 1, noNaN: true });
  const someTasks = fc.uniqueArray(fc.oneof({ weight: 9, arbitrary: taskId }, fc.constant(UNKNOWN_TASK)), {
    minLength: 1,
    maxLength: 6,
  });
  const used = new Set(calls.flatMap(({ assistants }) => assistants.map(({ id }) => id)));
  const someAssistants = fc.uniqueArray(fc.constantFrom(...used, "999"), { maxLength: 3 });
  const direction = fc.constantFrom("INBOUND", "OUTBOUND");
  const phone = fc.constantFrom(...phones);
  /** The ends of a range: seconds that are, or are next to, a call's times, and any others. */
  const instant = fc
    .oneof(
      fc.nat(calls.length - 1).map((at) => calls[at]?.startAt ?? now),
      fc.nat(calls.length - 1).map((at) => calls[at]?.endAt ?? now),
      fc.integer({ min: now - 6 * DAY, max: now + DAY }),
    )
    .map((epochMs) => Math.floor(epochMs / 1000) * 1000)
    .filter((epochMs) => isUnambiguous(epochMs, zone));
  const range = fc.oneof(
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 3, arbitrary: fc.constant({ since: iso(now - 9 * DAY), until: iso(now + DAY) }) },
    { weight: 4, arbitrary: fc.tuple(instant, instant).map((ends) => between(...ends)) },
    { weight: 1, arbitrary: instant.map((end) => ({ until: iso(end) })) },
    { weight: 1, arbitrary: instant.map((end) => ({ since: iso(Math.min(end, now)) })) },
  );
  const sometimes = { weight: 1 };
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ ...sometimes, arbitrary }, { weight: 2, arbitrary: fc.constant(undefined) });
  const taskFilter = fc
    .tuple(
      range,
      fc.record({
        direction: maybe(direction),
        phone: maybe(phone),
        kind: maybe(fc.constantFrom("PHONE", "PRIVATE_TEST")),
      }),
    )
    .map((parts) => given(...parts) as TaskListFilter);
  const filter = fc
    .tuple(taskFilter, fc.record({ taskIds: maybe(someTasks), assistantIds: maybe(someAssistants) }))
    .map((parts) => given(...parts) as ListFilter);
  const eventFilter = fc
    .tuple(
      range,
      fc.record({
        taskIds: maybe(someTasks),
        assistantIds: maybe(someAssistants),
        direction: maybe(direction),
        hangupSide: maybe(fc.constantFrom("CALLER", "CALLEE")),
        answered: maybe(fc.boolean()),
        phone: maybe(fc.constantFrom(...people, ...lines)),
      }),
    )
    .map((parts) => given(...parts) as EventFilter);
  const call = fc.integer({ min: -1, max: calls.length - 1 });
  const hours = (most: number) => fc.integer({ min: -most, max: most }).map((away) => away * 3_600_000);
  const asks: [number, fc.Arbitrary<unknown>][] = [
    [6, fc.record({ ask: fc.constant("callLogs"), first, filter, jump, joined: fc.constant(false) })],
    [
      1,
      fc.record({
        ask: fc.constant("callLogs"),
        first: fc.constantFrom(1, 5, 10),
        filter,
        jump,
        joined: fc.constant(true),
      }),
    ],
    [2, fc.record({ ask: fc.constant("taskCallLogs"), taskId, first, filter: taskFilter, jump })],
    [2, fc.record({ ask: fc.constant("tasksByIds"), taskIds: someTasks, first, filter: taskFilter })],
    [1, fc.record({ ask: fc.constant("callLog"), call, awayMs: fc.oneof(fc.constant(null), hours(20), hours(90)) })],
    [1, fc.record({ ask: fc.constant("task"), taskId: fc.oneof(taskId, fc.constant(UNKNOWN_TASK)) })],
    [
      2,
      fc.record({
        ask: fc.constant("callStats"),
        filter: eventFilter,
        bucket: fc.constantFrom("MINUTE", "HOUR", "DAY"),
      }),
    ],
    [
      2,
      fc.record({
        ask: fc.constant("events"),
        first,
        filter: eventFilter,
        order: fc.constantFrom("OLDEST_FIRST", "NEWEST_FIRST"),
      }),
    ],
  ];
  return fc.oneof(...asks.map(([weight, arbitrary]) => ({ weight, arbitrary }))) as fc.Arbitrary<Question>;
}

function between(a: number, b: number) {
  return { since: iso(Math.min(a, b)), until: iso(Math.max(a, b)) };
}

/** Without what is undefined. */
function given(...parts: object[]): unknown {
  const entries = parts.flatMap((part) => Object.entries(part)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

/** An end in the hour that clocks repeat cannot be written: docs/queries.md tells whoever needs it to give ends outside. */
export function isUnambiguous(epochMs: number, zone: string): boolean {
  const wall = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone).toPlainDateTime();
  const [earlier, later] = (["earlier", "later"] as const).map(
    (disambiguation) => wall.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
  );
  return earlier === later;
}
