import { describe, expect, it, onTestFinished } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import type { Logger } from "../../src/logger.ts";
import { silentLog } from "../support/silentLog.ts";
import { startReconciler, type ReconcilerDeps } from "../../src/reconcile/reconciler.ts";
import type { Store } from "../../src/store/store.ts";
import type { Requester } from "../../src/upstream/requester.ts";
import type { CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";
import { openLog } from "../events/callEnded.ts";
import { tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { postgres } from "../store/databases.ts";
import { HOUR, MINUTE, NOW, row } from "./service.ts";

const rowsOf = (count: number): CallLogRecord[] =>
  Array.from({ length: count }, (_, at) =>
    row({ sessionId: `s${at}`, startAt: instantOf(NOW - 2 * MINUTE), endAt: instantOf(NOW - MINUTE) }),
  );

interface Service {
  now: number;
  requests: number;
  /** The largest number of requests in flight at the same time. */
  maxInFlight: number;
  answer: () => Promise<CallLogRecord[]>;
}

function serviceOf(rows: readonly CallLogRecord[]): Service {
  return { now: NOW, requests: 0, maxInFlight: 0, answer: async () => [...rows] };
}

async function start(store: Store, service: Service, own: Partial<ReconcilerDeps> = {}): Promise<AsyncDisposable> {
  const events = await openLog(store.events, { clock: () => service.now });
  let inFlight = 0;
  async function listCallLogs({ pageIndex, pageSize }: CallLogQuery, requester?: Requester) {
    service.requests += 1;
    inFlight += 1;
    service.maxInFlight = Math.max(service.maxInFlight, inFlight);
    const aborted = new Promise<never>((_, reject) => {
      requester?.signal.addEventListener("abort", () => reject(requester.signal.reason as Error));
    });
    try {
      const rows = await Promise.race([service.answer(), aborted]);
      return {
        rows: rows.slice((pageIndex - 1) * pageSize, pageIndex * pageSize),
        total: rows.length,
        pageIndex,
        pageSize,
      };
    } finally {
      inFlight -= 1;
    }
  }
  const reconciler = startReconciler({
    upstream: { listCallLogs },
    events,
    openCalls: store.openCalls,
    leases: store.leases,
    timeZone: "Asia/Shanghai",
    intervalMs: 20,
    lookbackMs: HOUR,
    retentionMs: 90 * 24 * HOUR,
    clock: () => service.now,
    log: silentLog,
    ...own,
  });
  onTestFinished(async () => {
    await reconciler[Symbol.asyncDispose]();
    await events[Symbol.asyncDispose]();
  });
  return reconciler;
}

/** Collects warnings with their fields. */
function warningLog(): { log: Logger; warnings: [Record<string, unknown>, string][] } {
  const warnings: [Record<string, unknown>, string][] = [];
  return { log: { ...silentLog, warn: (fields, message) => void warnings.push([fields, message]) }, warnings };
}

describe("startReconciler()", () => {
  it("searches at once, with one request at a time, and appends each call once", async () => {
    const service = serviceOf([...rowsOf(250), row({ startAt: instantOf(NOW) })]);
    const store = await tempStore();
    const { log, warnings } = warningLog();
    await start(store, service, { log });
    await until(async () => (await store.events.head()) === 250);
    const passed = () => (service.now += 20);
    await until(() => passed() && service.requests >= 9);
    expect(warnings).toEqual([[{ rows: 1 }, "rows of the call log without a session ID are ignored"]]);
    expect(service.maxInFlight).toBe(1);
    expect(await store.events.head()).toBe(250);
  });

  it("waits an interval after the last search, also after a restart", async () => {
    const service = serviceOf(rowsOf(1));
    const store = await tempStore();
    const first = await start(store, service);
    await until(async () => (await store.openCalls.searchState()).lastSearch !== null);
    await first[Symbol.asyncDispose]();
    expect(service.requests).toBe(1);

    let checks = 0;
    const openCalls = { ...store.openCalls, searchState: () => (checks++, store.openCalls.searchState()) };
    await start(store, service, { openCalls });
    await until(() => checks > 3);
    expect(service.requests).toBe(1);
    service.now += 20;
    await until(() => service.requests === 2);
  });

  it("schedules no search if the interval is 0", async () => {
    const service = serviceOf(rowsOf(3));
    const store = await tempStore();
    let rounds = 0;
    const leases: Store["leases"] = {
      withLease(name, stopped, work) {
        rounds += 1;
        return store.leases.withLease(name, stopped, work);
      },
    };
    await start(store, service, { intervalMs: 0, leases });
    // The first round of another one comes later.
    await start(store, service);
    await until(() => service.requests > 0);
    expect(rounds).toBe(0);
  });

  it("searches at once if the last search is in the future", async () => {
    const service = serviceOf([]);
    const store = await tempStore();
    await store.openCalls.saveSearchState({ lastSearch: instantOf(NOW + 4 * HOUR) });
    await start(store, service);
    await until(() => service.requests === 1);
    expect(service.requests).toBe(1);
  });
});

describe("startReconciler() with a failing service", () => {
  it("logs the failure, keeps its progress and searches again after an interval", async () => {
    const service = serviceOf(rowsOf(2));
    const { answer } = service;
    service.answer = () => Promise.reject(new Error("the service is down"));
    const { log, warnings } = warningLog();
    const store = await tempStore();
    await start(store, service, { log });
    await until(async () => (await store.openCalls.searchState()).lastSearch !== null);
    expect((await store.openCalls.searchState()).searchedThrough).toBeNull();
    await until(() => warnings.length === 1);
    expect(service.requests).toBe(1);

    service.answer = answer;
    service.now += 20;
    await until(async () => (await store.events.head()) === 2);
    expect((await store.openCalls.searchState()).searchedThrough).toBe(instantOf(service.now));
  });
});

describe("disposing of a reconciler", () => {
  it("ends a request in flight at once and releases the lease", async () => {
    const service = serviceOf([]);
    service.answer = () => new Promise(() => undefined);
    const store = await tempStore();
    const reconciler = await start(store, service);
    await until(() => service.requests === 1);
    await reconciler[Symbol.asyncDispose]();
    const taken = await store.leases.withLease("reconcile", new AbortController().signal, async () => "free");
    expect(taken).toEqual({ done: "free" });
    // The search did not finish, so the next start searches at once.
    expect(await store.openCalls.searchState()).toEqual({
      searchedThrough: null,
      lastSearch: null,
      lastComplete: null,
    });
  });
});

describe("three reconcilers on one database", () => {
  it("search one at a time and as often as one alone", async () => {
    const { url } = await postgres.create();
    const service = serviceOf(rowsOf(120));
    const store = await tempStore(url);
    const checks = [0, 0, 0];
    for (const [index, { openCalls, ...others }] of [store, await tempStore(url), await tempStore(url)].entries()) {
      const searchState = () => {
        checks[index] = (checks[index] ?? 0) + 1;
        return openCalls.searchState();
      };
      await start({ ...others, openCalls }, service, { openCalls: { ...openCalls, searchState } });
    }
    const searched = async () => (await store.openCalls.searchState()).lastSearch === instantOf(service.now);
    await until(searched);
    expect(service.requests).toBe(2);
    for (let interval = 1; interval <= 3; interval += 1) {
      service.now += 20;
      await until(searched);
    }
    const before = [...checks];
    await until(() => checks.every((count, index) => count > (before[index] ?? 0) + 2));
    expect(service.requests).toBe(8);
    expect(service.maxInFlight).toBe(1);
    expect(await store.events.head()).toBe(120);
  });
});
