// Computes the expected answers: pure functions of the world and the question. They are written from service.md and the public
// schema alone.
import { dayOf } from "./serviceFormat.ts";
import type { EventFilter, ListFilter, TaskListFilter } from "./questions.ts";
import type { Selection } from "./selectCalls.ts";
import type { Call, Task, World } from "./world.ts";

/** The selection of a list; with `task`, of that task's own list. */
export function selectionOf(filter: ListFilter, world: World, task?: Task): Selection {
  return {
    ...rangeOf(filter, world, task),
    taskIds: task ? [task.id] : idsOf(filter.taskIds),
    assistantIds: idsOf(filter.assistantIds),
    direction: filter.direction?.toLowerCase() ?? null,
    phone: filter.phone ?? null,
    kind: filter.kind === undefined ? null : filter.kind === "PHONE" ? "phone" : "privateTest",
  };
}

/** An empty list matches nothing (no call has the id 0), and a missing list matches everything. */
function idsOf(given: readonly string[] | undefined): readonly string[] {
  return given?.length === 0 ? ["0"] : (given ?? []);
}

/** With `until` alone, the range starts with that day. Without both, it is today, or a task's whole life. */
function rangeOf({ since, until }: TaskListFilter, { now, zone }: World, task?: Task) {
  const end = until === undefined ? dayOf(now, zone).until : seconds(until);
  const begin = until === undefined && task ? task.createdAt : end;
  return { since: since === undefined ? dayOf(begin, zone).since : seconds(since), until: end };
}

function seconds(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000) * 1000;
}

export const instant = (epochMs: number | null): string | null =>
  epochMs === null ? null : new Date(epochMs).toISOString();

/** The fields of a CallLog, with the graph's names. */
export function callFields(call: Call) {
  return {
    sessionId: call.sessionId,
    ...commonFields(call),
    recordFile: call.recordFile,
  };
}

export function eventFields(call: Call) {
  return {
    sessionId: call.sessionId,
    ...commonFields(call),
    eventName: "call_ended",
    source: "WEBHOOK",
    ringTime: call.ringTime,
    hangupSide: call.hangupSide?.toUpperCase() ?? null,
    hangupReason: call.hangupReason,
    hungUpBy: hungUpBy(call),
    recordUrl: call.recordUrl,
    taskItemId: call.taskItemId,
    extra: call.extra,
  };
}

function commonFields(call: Call) {
  return {
    taskId: call.taskId,
    direction: call.direction?.toUpperCase() ?? null,
    caller: call.caller,
    callee: call.callee,
    startAt: instant(call.startAt),
    answerAt: instant(call.answerAt),
    endAt: instant(call.endAt),
    duration: call.duration,
    billsec: call.billsec,
    answered: wasAnswered(call),
    assistants: call.assistants.map(({ id, vid }) => ({ assistantId: id, versionId: vid })),
  };
}

function hungUpBy({ direction, hangupSide }: Call): "ASSISTANT" | "CUSTOMER" | null {
  if (direction === null || hangupSide === null) return null;
  return (direction === "outbound") === (hangupSide === "caller") ? "ASSISTANT" : "CUSTOMER";
}

function wasAnswered({ answerAt, billsec }: Call): boolean {
  return answerAt !== null || (billsec ?? 0) > 0;
}

export function taskFields(task: Task) {
  return {
    taskId: task.id,
    name: task.name,
    status: task.status.toUpperCase().replace(".", "_"),
    total: task.total,
    progress: task.progress,
    collectionRate: task.collectionRate,
    createdAt: instant(task.createdAt),
    updatedAt: instant(task.updatedAt),
    summary: `Summary of ${task.id}`,
    assistantVersionId: task.assistant.vid,
    option: {
      numberFileMeta: [
        { key: "号码", value: 0 },
        { key: "备注", value: 1 },
        { key: "姓名", value: 2 },
      ],
      lineIds: ["11", "12"],
      retryCount: 2,
      periods: [["09:00", "12:00"]],
    },
    assistant: { assistantId: task.assistant.id, versionId: task.assistant.vid },
  };
}

/** The delivered calls that match the filter. */
export function eventsOf(delivered: readonly Call[], filter: EventFilter): Call[] {
  const { taskIds, assistantIds, direction, hangupSide, answered, phone, since, until } = filter;
  return delivered.filter(
    (call) =>
      (taskIds === undefined || taskIds.includes(call.taskId ?? "none")) &&
      (assistantIds === undefined || call.assistants.some(({ id }) => assistantIds.includes(id))) &&
      (direction === undefined || call.direction === direction.toLowerCase()) &&
      (hangupSide === undefined || call.hangupSide === hangupSide.toLowerCase()) &&
      (answered === undefined || wasAnswered(call) === answered) &&
      (phone === undefined || [call.caller, call.callee].includes(phone)) &&
      (since === undefined || endOf(call) >= Date.parse(since)) &&
      (until === undefined || endOf(call) < Date.parse(until)),
  );
}

function endOf({ endAt }: Call): number {
  return endAt ?? Number.NaN;
}

export function statsOf(calls: readonly Call[], bucket: "MINUTE" | "HOUR" | "DAY", zone: string) {
  const sum = (numbers: readonly (number | null)[]) => numbers.reduce<number>((total, each) => total + (each ?? 0), 0);
  const numbersOf = (some: readonly Call[]) =>
    new Set(some.filter(({ taskId }) => taskId !== null).map(({ taskId, callee }) => `${taskId} ${callee}`)).size;
  const counts = (some: readonly Call[]) => ({ calls: some.length, answered: some.filter(wasAnswered).length });
  const groups = <Key>(keysOf: (call: Call) => readonly Key[]) => {
    const found = new Map<Key, Call[]>();
    for (const call of calls)
      for (const key of new Set(keysOf(call))) found.set(key, [...(found.get(key) ?? []), call]);
    return [...found];
  };
  const ends = calls.map(endOf);
  return {
    since: ends.length === 0 ? null : instant(Math.min(...ends)),
    ...counts(calls),
    numbersCalled: numbersOf(calls),
    numbersReached: numbersOf(calls.filter(wasAnswered)),
    totalDuration: sum(calls.map(({ duration }) => duration)),
    totalBillsec: sum(calls.map(({ billsec }) => billsec)),
    byHangupReason: ranked(
      groups(({ hangupReason }) => [hangupReason]),
      (reason, some) => ({ reason, ...counts(some) }),
    ),
    byHangupSide: ranked(
      groups(({ hangupSide }) => [hangupSide]),
      (side, { length: calls }) => {
        return { side: side?.toUpperCase() ?? null, calls };
      },
    ),
    byTask: ranked(
      groups(({ taskId }) => [taskId]),
      (taskId, some) => ({ taskId, ...counts(some) }),
    ),
    byAssistant: ranked(
      groups(({ assistants }) => assistants.map(({ id }) => id)),
      (assistantId, some) => {
        return { assistantId, ...counts(some) };
      },
    ),
    timeline: groups((call) => [bucketOf(endOf(call), bucket, zone)])
      .sort(([a], [b]) => a - b)
      .map(([start, some]) => ({ start: instant(start), ...counts(some) })),
  };
}

/** Most frequent first, then by number or text; null comes last. */
function ranked<Key extends string | null, Line>(
  groups: [Key, Call[]][],
  lineOf: (key: Key, some: Call[]) => Line,
): Line[] {
  const size = (key: Key) => (key === null ? Infinity : /^\d+$/.test(key) ? key.length : 0);
  return groups
    .sort(([a, { length: many }], [b, { length: more }]) => {
      if (many !== more) return more - many;
      return size(a) === size(b) ? (String(a) < String(b) ? -1 : 1) : size(a) - size(b);
    })
    .map(([key, some]) => lineOf(key, some));
}

function bucketOf(epochMs: number, bucket: "MINUTE" | "HOUR" | "DAY", zone: string): number {
  const time = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone);
  if (bucket === "DAY") return time.startOfDay().epochMilliseconds;
  return time.round({ smallestUnit: bucket === "HOUR" ? "hour" : "minute", roundingMode: "floor" }).epochMilliseconds;
}
