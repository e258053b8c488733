// A simulated service, event log and store for tests of searches. The call log shows the calls at the simulated time.
import type { CallEndedData, EventSource } from "../../src/events/callEndedEvent.ts";
import { instantOf } from "../../src/format/instant.ts";
import { callLog } from "../resolvers/world.ts";
import type { TokenBucketLimits } from "../../src/util/rates/tokenBucket.ts";
import { silentLog } from "../support/silentLog.ts";
import { createSearch } from "../../src/reconcile/searchCallLog.ts";
import type { Requester } from "../../src/upstream/requester.ts";
import type { OpenCallStore, SearchState } from "../../src/store/shared/openCallStore.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";

export const NOW = Date.parse("2026-11-20T09:30:00.000Z");
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export function row(own: Partial<CallLogRecord>): CallLogRecord {
  return callLog({
    sessionId: null,
    duration: 60,
    billsec: 50,
    recordFile: "/recordings/1.wav",
    assistants: [{ assistantId: "1", versionId: "2" }],
    ...own,
  });
}

/** Epoch milliseconds. The call is in the list from its start on. */
export interface Call {
  sessionId: string | null;
  start: number;
  end: number;
}

/** Times in minutes; the start is relative to NOW. */
export const call = (sessionId: string | null, startMin: number, lastsMin: number): Call => ({
  sessionId,
  start: NOW + startMin * MINUTE,
  end: NOW + (startMin + lastsMin) * MINUTE,
});

export interface ServiceOptions {
  calls: Call[];
  order?: "newest" | "oldest" | "none";
  /** The time that the service filters by. */
  field?: "start" | "end";
  largestPage?: number;
  /** Rows have no start. */
  withoutStart?: boolean;
  /** Called before each answer. It may change the time or the calls, or throw to make the request fail. */
  /** Default: a search that catches up does not wait. */
  catchUp?: TokenBucketLimits;
  onRequest?: (query: CallLogQuery) => void;
  mapPage?: (page: CallLogPage) => CallLogPage;
}

export function createWorld(options: ServiceOptions) {
  const {
    calls,
    order = "newest",
    field = "start",
    largestPage = 100,
    withoutStart = false,
    catchUp = { burst: 100_000, perSecond: 1 },
    onRequest,
    mapPage = (page) => page,
  } = options;
  const world = {
    now: NOW,
    calls,
    requests: [] as CallLogQuery[],
    /** What was appended, in order. */
    appended: [] as { call: CallEndedData; source: EventSource; at: number }[],
    state: { searchedThrough: null, lastSearch: null, lastComplete: null } as SearchState,
    open: new Map<string, string>(),
    /** Rows without a session ID that were logged. */
    unnamedRows: 0,
    search: (_lookbackMs?: number, _signal?: AbortSignal): Promise<boolean> => Promise.resolve(true),
  };
  const isAppended = (sessionId: string) => world.appended.some(({ call }) => call.sessionId === sessionId);

  async function listCallLogs(query: CallLogQuery, requester: Requester): Promise<CallLogPage> {
    await requester.payForRequest();
    world.requests.push(query);
    onRequest?.(query);
    const seconds = (at: number) => Math.floor(at / 1000);
    const [since, until] = [seconds(Date.parse(query.since)), seconds(Date.parse(query.until))];
    const found = world.calls
      .filter(({ start, end }) => start <= world.now && (field === "start" || end <= world.now))
      .filter((call) => seconds(call[field]) >= since && seconds(call[field]) <= until)
      .toSorted((a, b) => sortKeyOf(a) - sortKeyOf(b));
    const pageSize = Math.min(query.pageSize, largestPage);
    const first = (query.pageIndex - 1) * pageSize;
    const rows = found.slice(first, first + pageSize).map((call) => rowOf(call));
    return mapPage({ rows, total: found.length, pageIndex: query.pageIndex, pageSize });
  }
  function rowOf({ sessionId, start, end }: Call): CallLogRecord {
    const startAt = withoutStart ? null : instantOf(start);
    return row({ sessionId, startAt, endAt: end <= world.now ? instantOf(end) : null });
  }
  function sortKeyOf({ sessionId, start }: Call): number {
    if (order === "newest") return -start;
    return order === "oldest" ? start : scattered(`${sessionId} ${start}`);
  }

  const openCalls: OpenCallStore = {
    searchState: async () => world.state,
    saveSearchState: async (state) => void Object.assign(world.state, state),
    findWithoutEvent: async (ids) => new Set(ids.filter((id) => !isAppended(id))),
    findOpen: async (ids) => ids.filter((id) => world.open.has(id)),
    add: async (found) => {
      for (const { sessionId, startAt } of found) world.open.set(sessionId, world.open.get(sessionId) ?? startAt);
    },
    delete: async (ids) => ids.forEach((id) => world.open.delete(id)),
    openCalls: async () => {
      for (const id of world.open.keys()) if (isAppended(id)) world.open.delete(id);
      const found = [...world.open].map(([sessionId, startAt]) => ({ sessionId, startAt }));
      return found.toSorted((a, b) => (a.startAt < b.startAt ? -1 : 1));
    },
  };
  const search = (lookbackMs: number) =>
    createSearch({
      upstream: { listCallLogs },
      events: {
        append: async (call, source) => {
          world.appended.push({ call, source, at: world.now });
          return "appended";
        },
      },
      openCalls,
      timeZone: "Asia/Shanghai",
      lookbackMs,
      catchUp,
      retentionMs: 90 * 24 * HOUR,
      clock: () => world.now,
      log: { ...silentLog, warn: ({ rows }) => void (world.unnamedRows += Number(rows ?? 0)) },
    });
  const searches = new Map<number, ReturnType<typeof search>>();
  world.search = (lookbackMs = HOUR, signal = new AbortController().signal) => {
    const known = searches.get(lookbackMs) ?? search(lookbackMs);
    searches.set(lookbackMs, known);
    return known(signal);
  };
  return world;
}

export const appendedSessions = ({ appended }: { appended: readonly { call: CallEndedData }[] }): string[] =>
  appended.map(({ call }) => call.sessionId);

/** A hash: equal texts give equal numbers, in an arbitrary order. */
function scattered(text: string): number {
  let hash = 17;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return Math.imul(hash, 0x9e3779b1) >>> 0;
}
