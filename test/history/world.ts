// An import over a real database and event log, and a service of which every oddity can be set.
import { hash } from "node:crypto";
import { onTestFinished } from "vitest";
import { CodedError } from "../../src/errors.ts";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import type { EventLog } from "../../src/events/eventLog.ts";
import { instantOf } from "../../src/format/instant.ts";
import { formatWallClock } from "../../src/format/wallClock.ts";
import { startHistoryImports, type HistoryImportsDeps } from "../../src/history/historyImports.ts";
import { createListChecks } from "../../src/loaders/callLogLoader.ts";
import type { HistoryImport } from "../../src/store/events/historyImportStore.ts";
import type { Store } from "../../src/store/store.ts";
import type { Requester } from "../../src/upstream/requester.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";
import { logOver } from "../events/callEnded.ts";
import { row } from "../reconcile/service.ts";
import { tempStore } from "../store/tempStore.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";

export const NOW = Date.parse("2026-11-20T09:30:00.000Z");

/** Epoch milliseconds. It lasts 20 s, if it has an end. */
export const callAt = (sessionId: string | null, start: number, own: Partial<CallLogRecord> = {}): CallLogRecord =>
  row({ sessionId, startAt: instantOf(start), endAt: instantOf(start + 20_000), ...own });

export interface ServiceOptions {
  rows: CallLogRecord[];
  zone?: string;
  field?: "startAt" | "endAt";
  /** "none": neither by time nor by the order of its rows, but the same for each request. */
  order?: "newest" | "oldest" | "none";
  largestPage?: number;
  /** Pages that end beyond this row are refused, or empty. */
  depth?: { rows: number; how: "refused" | "empty" | "slow" };
  /** It counts no further. */
  countsTo?: number;
  /** Called before each answer; it may throw. */
  onRequest?: (query: CallLogQuery, count: number) => void;
}

const placeOf = ({ sessionId, startAt }: CallLogRecord, order: ServiceOptions["order"]): string =>
  order === "none" ? hash("sha256", sessionId ?? "") : (startAt ?? "");

/** Compares wall clocks of its zone in whole seconds, both ends included, as a service without instants does. */
export function oddService(options: ServiceOptions) {
  const {
    zone = "Asia/Shanghai",
    field = "startAt",
    order = "newest",
    largestPage = 100,
    depth,
    countsTo = Infinity,
  } = options;
  const service = { requests: 0, rows: options.rows, listCallLogs };
  const wall = (instant: string) => formatWallClock(instant, zone);

  async function listCallLogs(query: CallLogQuery, requester: Requester): Promise<CallLogPage> {
    await requester.payForRequest();
    requester.signal.throwIfAborted();
    service.requests += 1;
    options.onRequest?.(query, service.requests);
    const [since, end] = [wall(query.since), wall(query.until)];
    const found = service.rows
      .filter((each) => each[field] !== null && wall(each[field]) >= since && wall(each[field]) <= end)
      .toSorted((a, b) => (placeOf(a, order) < placeOf(b, order) ? -1 : 1) * (order === "newest" ? -1 : 1));
    const pageSize = Math.min(query.pageSize, largestPage);
    const first = (query.pageIndex - 1) * pageSize;
    const isBeyond = depth !== undefined && first + pageSize > depth.rows;
    if (isBeyond && depth.how === "refused") throw new CodedError("UPSTREAM_REJECTED", "The page is too deep.");
    if (isBeyond && depth.how === "slow") throw new CodedError("UPSTREAM_TIMEOUT", "The page takes too long.");
    const rows = isBeyond ? [] : found.slice(first, first + pageSize);
    return { rows, total: Math.min(found.length, countsTo), pageIndex: query.pageIndex, pageSize };
  }
  return service;
}

export interface WorldOptions {
  service: ReturnType<typeof oddService>;
  zone?: string;
  store?: Store;
  own?: Partial<HistoryImportsDeps>;
}

export interface World {
  store: Store;
  events: EventLog;
  history: ReturnType<typeof startHistoryImports>;
  /** Starts an import of the days before NOW, and waits for its end. */
  importAll(since: number, until?: number): Promise<HistoryImport>;
  ended(): Promise<HistoryImport>;
  log(): Promise<CallEndedEvent[]>;
}

/** Disposed of with the test. */
export async function historyWorld({
  service,
  zone = "Asia/Shanghai",
  store: given,
  own,
}: WorldOptions): Promise<World> {
  const store = given ?? (await tempStore());
  const events = await logOver(store.events);
  const history = startHistoryImports({
    upstream: service,
    checks: createListChecks({ timeZone: zone, rangeField: null, ignores: [] }),
    events,
    imports: store.historyImports,
    openCalls: store.openCalls,
    leases: store.leases,
    purgedThrough: store.events.purgedThrough,
    isRealService: true,
    requestsPerMinute: 1_000_000_000,
    retentionMs: 3650 * 86_400_000,
    reconcile: { intervalMs: 0, lookbackMs: 0 },
    clock: () => NOW,
    log: silentLog,
    times: { pollMs: 5, retryMs: 5 },
    ...own,
  });
  onTestFinished(() => history[Symbol.asyncDispose]());
  const ended = () =>
    until(async () => {
      const found = await store.historyImports.latest();
      return found?.state === "RUNNING" ? null : found;
    });
  return {
    store,
    events,
    history,
    ended,
    async importAll(since, end) {
      const request = { since: instantOf(since), until: end === undefined ? null : instantOf(end), actor: "web" };
      if ((await history.start(request)) === "empty") throw new Error("The range is empty.");
      return ended();
    },
    async log() {
      const found: CallEndedEvent[] = [];
      for (let after: string | null = null; ;) {
        const request = { after, filter: {}, revisions: true, order: "oldestFirst", first: 100 } as const;
        const page: Awaited<ReturnType<EventLog["page"]>> = await events.page(request);
        found.push(...page.events);
        if (!page.hasMore) return found;
        after = page.events.at(-1)?.cursor ?? null;
      }
    },
  };
}

export const idsOf = (calls: readonly { sessionId: string | null }[]): string[] =>
  calls.flatMap(({ sessionId }) => sessionId ?? []).toSorted();
