// The statistics without SQL: over the newest revision of each call, in memory.
import {
  matchesFilter,
  wasAnswered,
  type CallEndedData,
  type CallEndedEvent,
  type EventSource,
} from "../../src/events/callEndedEvent.ts";
import type { EventFilter } from "../../src/events/eventLog.ts";
import { deliveryOf, reviseCall } from "../../src/events/reviseCall.ts";
import type { NewEventRow } from "../../src/store/events/eventStore.ts";

export interface Told {
  call: CallEndedData;
  source: EventSource;
  receivedAt: string;
}

/** The newest revision of each call after these deliveries. */
export function newestOf(deliveries: readonly Told[]): CallEndedEvent[] {
  const calls = new Map<string, NewEventRow[]>();
  for (const { call, source, receivedAt } of deliveries) {
    const earlier = calls.get(call.sessionId) ?? [];
    const row = reviseCall(
      earlier.map((row) => ({ ...row, isIntact: true })),
      deliveryOf(call, source, receivedAt),
    );
    if (row) calls.set(call.sessionId, [...earlier, row]);
  }
  return [...calls.values()].map((rows) => {
    const { revision, source, receivedAt, data } = rows.at(-1) as NewEventRow;
    return { cursor: "", revision, source: source as EventSource, receivedAt, ...(JSON.parse(data) as CallEndedData) };
  });
}

export function statsOf(events: readonly CallEndedEvent[], filter: EventFilter) {
  const calls = events.filter((event) => matchesFilter(event, filter));
  const sum = (numbers: readonly (number | null)[]) => numbers.reduce<number>((total, n) => total + (n ?? 0), 0);
  const numbered = calls.filter(({ taskId, callee }) => taskId !== null && callee !== null);
  const numbers = (of: readonly CallEndedEvent[]) =>
    new Set(of.map(({ taskId, callee }) => `${taskId} ${callee}`)).size;
  const ends = calls.map(endOf).sort();
  return {
    totals: {
      since: ends[0] ?? null,
      calls: calls.length,
      answered: calls.filter(wasAnswered).length,
      withoutHangup: calls.filter(({ hangupSide, hangupReason }) => hangupSide === null && hangupReason === null)
        .length,
      duration: sum(calls.map(({ duration }) => duration)),
      billsec: sum(calls.map(({ billsec }) => billsec)),
    },
    numbers: { called: numbers(numbered), reached: numbers(numbered.filter(wasAnswered)) },
    byHangupReason: ranked(calls, ({ hangupReason }) => [hangupReason], bytes).map(named("reason")),
    byHangupSide: ranked(calls, ({ hangupSide }) => [hangupSide], bytes).map(named("side")),
    byTask: ranked(calls, ({ taskId }) => [taskId], bySize).map(named("taskId")),
    byAssistant: ranked(calls, ({ assistants }) => assistants.map(({ assistantId }) => assistantId), bySize).map(
      named("assistantId"),
    ),
  };
}

export const endOf = ({ endAt, receivedAt }: CallEndedEvent): string => endAt ?? receivedAt;

interface Group {
  name: string | null;
  calls: number;
  answered: number;
}

const named =
  (field: string) =>
  ({ name, ...counts }: Group) => ({ [field]: name, ...counts });

function ranked(
  calls: readonly CallEndedEvent[],
  namesOf: (call: CallEndedEvent) => readonly (string | null)[],
  order: (a: string, b: string) => number,
): Group[] {
  const groups = new Map<string | null, Group>();
  for (const call of calls) {
    for (const name of new Set(namesOf(call))) {
      const group = groups.get(name) ?? { name, calls: 0, answered: 0 };
      const answered = group.answered + Number(wasAnswered(call));
      groups.set(name, { name, calls: group.calls + 1, answered });
    }
  }
  return [...groups.values()].sort((a, b) => {
    if (a.calls !== b.calls) return b.calls - a.calls;
    if (a.name === null || b.name === null) return a.name === null ? 1 : -1;
    return order(a.name, b.name);
  });
}

const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const bySize = (a: string, b: string) => a.length - b.length || bytes(a, b);
