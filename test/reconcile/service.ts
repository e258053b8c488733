// A service, a log and a memory that stand in tests for the real ones: the list shows at any moment what is known then.
import type { CallEndedData, EventSource } from "../../src/events/callEndedEvent.ts";
import { instantOf } from "../../src/format/instant.ts";
import { silentLog } from "../support/silentLog.ts";
import { createSearch } from "../../src/reconcile/searchCallLog.ts";
import { createUnnamedRows } from "../../src/reconcile/unnamedRows.ts";
import type { OpenCallStore, SearchState } from "../../src/store/shared/openCallStore.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";

export const NOW = Date.parse("2026-11-20T09:30:00.000Z");
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export function row(own: Partial<CallLogRecord>): CallLogRecord {
  return {
    sessionId: null,
    taskId: "7",
    startAt: null,
    answerAt: null,
    endAt: null,
    callee: "13800010001",
    caller: "A068",
    direction: "outbound",
    duration: 60,
    billsec: 50,
    recordFile: "/recordings/1.wav",
    assistants: [{ assistantId: "1", versionId: "2" }],
    unread: [],
    ...own,
  };
}

/** Epoch milliseconds. It is in the list from its start on, and goes on until its end. */
export interface Call {
  sessionId: string | null;
  start: number;
  end: number;
}

/** Minutes, the start's from NOW. */
export const call = (sessionId: string | null, startMin: number, lastsMin: number): Call => ({
  sessionId,
  start: NOW + startMin * MINUTE,
  end: NOW + (startMin + lastsMin) * MINUTE,
});

export interface ServiceOptions {
  calls: Call[];
  order?: "newest" | "oldest" | "none";
  /** The time that the range is about. */
  field?: "start" | "end";
  largestPage?: number;
  /** Rows tell no start. */
  withoutStart?: boolean;
  /** Before each answer: where time passes, and rows come and go. Throws what the service fails with. */
  onRequest?: (query: CallLogQuery) => void;
  tell?: (page: CallLogPage) => CallLogPage;
}

export function createWorld(options: ServiceOptions) {
  const {
    calls,
    order = "newest",
    field = "start",
    largestPage = 100,
    withoutStart = false,
    onRequest,
    tell = (page) => page,
  } = options;
  const world = {
    now: NOW,
    calls,
    asked: [] as CallLogQuery[],
    /** What was appended, in order. */
    told: [] as { call: CallEndedData; source: EventSource; at: number }[],
    state: { searchedThrough: null, lastSearch: null } as SearchState,
    open: new Map<string, string>(),
    unnamedRows: createUnnamedRows(),
    search: (_lookbackMs?: number): Promise<void> => Promise.resolve(),
  };
  const isTold = (sessionId: string) => world.told.some(({ call }) => call.sessionId === sessionId);

  async function listCallLogs(query: CallLogQuery): Promise<CallLogPage> {
    world.asked.push(query);
    onRequest?.(query);
    const seconds = (at: number) => Math.floor(at / 1000);
    const [since, until] = [seconds(Date.parse(query.since)), seconds(Date.parse(query.until))];
    const found = world.calls
      .filter(({ start, end }) => start <= world.now && (field === "start" || end <= world.now))
      .filter((call) => seconds(call[field]) >= since && seconds(call[field]) <= until)
      .toSorted((a, b) => placeOf(a) - placeOf(b));
    const pageSize = Math.min(query.pageSize, largestPage);
    const first = (query.pageIndex - 1) * pageSize;
    const rows = found.slice(first, first + pageSize).map((call) => rowOf(call));
    return tell({ rows, total: found.length, pageIndex: query.pageIndex, pageSize });
  }
  function rowOf({ sessionId, start, end }: Call): CallLogRecord {
    const startAt = withoutStart ? null : instantOf(start);
    return row({ sessionId, startAt, endAt: end <= world.now ? instantOf(end) : null });
  }
  function placeOf({ sessionId, start }: Call): number {
    if (order === "newest") return -start;
    return order === "oldest" ? start : scattered(`${sessionId} ${start}`);
  }

  const openCalls: OpenCallStore = {
    searchState: async () => world.state,
    saveSearchState: async (state) => void Object.assign(world.state, state),
    findWithoutEvent: async (ids) => new Set(ids.filter((id) => !isTold(id))),
    add: async (found) => {
      for (const { sessionId, startAt } of found) world.open.set(sessionId, world.open.get(sessionId) ?? startAt);
    },
    delete: async (ids) => ids.forEach((id) => world.open.delete(id)),
    openCalls: async () => {
      for (const id of world.open.keys()) if (isTold(id)) world.open.delete(id);
      const found = [...world.open].map(([sessionId, startAt]) => ({ sessionId, startAt }));
      return found.toSorted((a, b) => (a.startAt < b.startAt ? -1 : 1));
    },
    countReconciled: async () => world.told.length,
  };
  const search = (lookbackMs: number) =>
    createSearch({
      upstream: { listCallLogs },
      events: {
        append: async (call, source) => {
          world.told.push({ call, source, at: world.now });
          return "appended";
        },
      },
      openCalls,
      unnamedRows: world.unnamedRows,
      timeZone: "Asia/Shanghai",
      lookbackMs,
      retentionMs: 90 * 24 * HOUR,
      clock: () => world.now,
      log: silentLog,
    });
  const searches = new Map<number, ReturnType<typeof search>>();
  world.search = (lookbackMs = HOUR) => {
    const known = searches.get(lookbackMs) ?? search(lookbackMs);
    searches.set(lookbackMs, known);
    return known(new AbortController().signal);
  };
  return world;
}

export const sessionsTold = ({ told }: { told: readonly { call: CallEndedData }[] }): string[] =>
  told.map(({ call }) => call.sessionId);

/** The same text, the same number, in no order that means anything. */
function scattered(text: string): number {
  let hash = 17;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return Math.imul(hash, 0x9e3779b1) >>> 0;
}
