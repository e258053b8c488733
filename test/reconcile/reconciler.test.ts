import { describe, expect, it, onTestFinished } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import type { Log } from "../../src/log.ts";
import { silentLog } from "../support/silentLog.ts";
import { startReconciler, type Reconciler, type ReconcilerDeps } from "../../src/reconcile/reconciler.ts";
import type { Store } from "../../src/store/store.ts";
import type { Requester } from "../../src/upstream/requester.ts";
import type { CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";
import { openLog } from "../events/callEnded.ts";
import { tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { databases } from "./databases.ts";
import { HOUR, MINUTE, NOW, row } from "./service.ts";

const rowsOf = (count: number): CallLogRecord[] =>
  Array.from({ length: count }, (_, at) =>
    row({ sessionId: `s${at}`, startAt: instantOf(NOW - 2 * MINUTE), endAt: instantOf(NOW - MINUTE) }),
  );

interface World {
  now: number;
  asked: number;
  /** Requests under way at the same time, at most. */
  together: number;
  answer: () => Promise<CallLogRecord[]>;
}

function world(rows: readonly CallLogRecord[]): World {
  return { now: NOW, asked: 0, together: 0, answer: async () => [...rows] };
}

async function start(store: Store, service: World, own: Partial<ReconcilerDeps> = {}): Promise<Reconciler> {
  const events = await openLog(store.events, { clock: () => service.now });
  let underWay = 0;
  async function listCallLogs({ pageIndex, pageSize }: CallLogQuery, asker?: Requester) {
    service.asked += 1;
    underWay += 1;
    service.together = Math.max(service.together, underWay);
    const cut = new Promise<never>((_, reject) => {
      asker?.signal.addEventListener("abort", () => reject(asker.signal.reason as Error));
    });
    try {
      const rows = await Promise.race([service.answer(), cut]);
      return {
        rows: rows.slice((pageIndex - 1) * pageSize, pageIndex * pageSize),
        total: rows.length,
        pageIndex,
        pageSize,
      };
    } finally {
      underWay -= 1;
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

describe("the call log is searched at intervals", () => {
  it("from the start on, one request at a time, and each call becomes one event", async () => {
    const service = world([...rowsOf(250), row({ startAt: instantOf(NOW) })]);
    const store = await tempStore();
    const reconciler = await start(store, service);
    await until(async () => (await reconciler.counts()).reconciled === 250);
    const passed = () => (service.now += 20);
    await until(() => passed() && service.asked >= 9);
    expect(await reconciler.counts()).toEqual({ reconciled: 250, withoutSessionId: 1 });
    expect(service.together).toBe(1);
    expect(await store.events.head()).toBe(250);
  });

  it("not again before an interval has passed since the last search, a restart between them or not", async () => {
    const service = world(rowsOf(1));
    const store = await tempStore();
    const first = await start(store, service);
    await until(async () => (await store.openCalls.searchState()).lastSearch !== null);
    await first[Symbol.asyncDispose]();
    expect(service.asked).toBe(1);

    let looked = 0;
    const openCalls = { ...store.openCalls, searchState: () => (looked++, store.openCalls.searchState()) };
    await start(store, service, { openCalls });
    await until(() => looked > 3);
    expect(service.asked).toBe(1);
    service.now += 20;
    await until(() => service.asked === 2);
  });

  it("never, where the interval is 0; what was told before is still counted", async () => {
    const service = world(rowsOf(3));
    const store = await tempStore();
    const first = await start(store, service);
    await until(async () => (await first.counts()).reconciled === 3);
    await first[Symbol.asyncDispose]();
    const asked = service.asked;
    const never = await start(store, service, { intervalMs: 0 });
    service.now += HOUR;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(service.asked).toBe(asked);
    expect((await never.counts()).reconciled).toBe(3);
  });

  it("also after a clock was set back by hours", async () => {
    const service = world([]);
    const store = await tempStore();
    await store.openCalls.saveSearchState({ lastSearch: instantOf(NOW + 4 * HOUR) });
    await start(store, service);
    await until(() => service.asked === 1);
  });
});

describe("a service that fails is asked again at the next interval", () => {
  it("the failure is logged, and the end of the last search stays where it was", async () => {
    const service = world(rowsOf(2));
    const { answer } = service;
    service.answer = () => Promise.reject(new Error("the service is down"));
    const told: string[] = [];
    const log: Log = { ...silentLog, warn: (_, message) => void told.push(message) };
    const store = await tempStore();
    const reconciler = await start(store, service, { log });
    await until(async () => (await store.openCalls.searchState()).lastSearch !== null);
    expect((await store.openCalls.searchState()).searchedThrough).toBeNull();
    await until(() => told.length === 1);
    expect(service.asked).toBe(1);

    service.answer = answer;
    service.now += 20;
    await until(async () => (await reconciler.counts()).reconciled === 2);
    expect((await store.openCalls.searchState()).searchedThrough).toBe(instantOf(service.now));
  });
});

describe("it ends with the gateway", () => {
  it("at once, in the middle of a request, and its lease is free", async () => {
    const service = world([]);
    service.answer = () => new Promise(() => undefined);
    const store = await tempStore();
    const reconciler = await start(store, service);
    await until(() => service.asked === 1);
    await reconciler[Symbol.asyncDispose]();
    const taken = await store.leases.withLease("reconcile", new AbortController().signal, async () => "free");
    expect(taken).toEqual({ done: "free" });
    // Nothing was finished: the next start searches at once.
    expect(await store.openCalls.searchState()).toEqual({ searchedThrough: null, lastSearch: null });
  });
});

describe("many gateways on one database", () => {
  it("search one at a time, and no more often than one of them would", async () => {
    const [, postgres] = databases[1] as (typeof databases)[number];
    const url = await postgres();
    const service = world(rowsOf(120));
    const store = await tempStore(url);
    const reconciler = await start(store, service);
    await start(await tempStore(url), service);
    await start(await tempStore(url), service);
    const searched = async () => (await store.openCalls.searchState()).lastSearch === instantOf(service.now);
    await until(searched);
    expect(service.asked).toBe(2);
    for (let interval = 1; interval <= 3; interval += 1) {
      service.now += 20;
      await until(searched);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(service.asked).toBe(8);
    expect(service.together).toBe(1);
    expect((await reconciler.counts()).reconciled).toBe(120);
  });
});
