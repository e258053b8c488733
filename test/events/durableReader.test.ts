import { describe, expect, it, onTestFinished } from "vitest";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { startDurableReader, type DurableReaderDeps } from "../../src/events/durableReader.ts";
import type { EventLog } from "../../src/events/eventLog.ts";
import { silentLog } from "../support/silentLog.ts";
import { createLeaseStore } from "../../src/store/shared/leaseStore.ts";
import type { Store } from "../../src/store/store.ts";
import { databases } from "../store/databases.ts";
import { tempDatabase, tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { createSignal } from "../../src/util/signal.ts";
import { appendAll, callEnded, logOver, names, sessions } from "./callEnded.ts";

const TIMES = { leaseRetryMs: 20, retryDelaysMs: [5, 10], saveIntervalMs: 0, pauseMs: 1 } as const;

interface Reading {
  received: string[];
  stop(): Promise<void>;
}

/** A reader on its own, ended with the test; and the sessions that it received, one by one. */
function start(store: Store, events: EventLog, own: Partial<DurableReaderDeps> = {}): Reading {
  const received: string[] = [];
  const { readers, leases } = store;
  const handle = async (batch: readonly CallEndedEvent[]) => void received.push(...sessions(batch));
  const deps = { name: "test", events, readers, leases, handle, log: silentLog, times: TIMES } as const;
  const reader = startDurableReader({ ...deps, ...own });
  const stop = async () => reader[Symbol.asyncDispose]();
  onTestFinished(stop);
  return { received, stop };
}

describe.each(databases)("A durable reader on %s", (_, { create }) => {
  async function opened(): Promise<{ store: Store; log: EventLog }> {
    const store = await tempStore((await create()).url);
    return { store, log: await logOver(store.events) };
  }

  it("gets stored and new events, in order and in batches of at most 500", async () => {
    const { store, log } = await opened();
    await appendAll(log, names(0, 700));
    const sizes: number[] = [];
    const received: string[] = [];
    start(store, log, {
      handle: async (batch) => {
        sizes.push(batch.length);
        received.push(...sessions(batch));
      },
    });
    await until(() => received.length === 700);
    expect(sizes.length).toBeLessThan(100);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    await appendAll(log, names(700, 720));
    await until(() => received.length === 720);
    expect(received.toSorted()).toEqual(names(0, 720).toSorted());
    const page = await log.page({ first: 1000, after: null, filter: {}, revisions: true, order: "oldestFirst" });
    expect(received).toEqual(sessions(page.events));
  });

  it("stores its cursor soon after its last event, though no other event follows", async () => {
    const { store, log } = await opened();
    const { received } = start(store, log, { times: { ...TIMES, saveIntervalMs: 200 } });
    for (const name of ["one", "two", "three"]) {
      await appendAll(log, [name]);
      await until(() => received.includes(name));
    }
    const head = log.markHead()();
    await until(async () => (await store.readers.cursors()).get("test") === head);
    expect(received).toEqual(["one", "two", "three"]);
  });

  it("gets a burst in few batches, and a single event at once", async () => {
    const { store, log } = await opened();
    const sizes: number[] = [];
    const handle = async (batch: readonly CallEndedEvent[]) => void sizes.push(batch.length);
    start(store, log, { handle, times: { ...TIMES, pauseMs: 200 } });
    await appendAll(log, ["alone"]);
    await until(() => sizes.length === 1);
    for (let at = 0; at < 10; at += 1) await appendAll(log, names(at * 10, at * 10 + 10));
    await until(() => sizes.reduce((sum, size) => sum + size, 0) === 101);
    expect(sizes.length).toBeLessThan(8);
  });

  it("lets events gather behind the end of the log until somebody wants them", async () => {
    const { store, log } = await opened();
    const wanted = createSignal();
    const sizes: number[] = [];
    const handle = async (batch: readonly CallEndedEvent[]) => void sizes.push(batch.length);
    const { stop } = start(store, log, { handle, gathering: { ms: 3_600_000, wanted } });
    await appendAll(log, ["first"]);
    await until(() => sizes.length === 1);
    for (const name of names(0, 20)) await appendAll(log, [name]);
    expect(sizes).toEqual([1]);
    wanted.notify();
    await until(() => sizes.length === 2);
    expect(sizes).toEqual([1, 20]);
    await stop();
  });

  it("lets no events gather while the log has a whole batch more", async () => {
    const { store, log } = await opened();
    await appendAll(log, names(0, 1200));
    const { received } = start(store, log, { gathering: { ms: 3_600_000, wanted: createSignal() } });
    await until(() => received.length === 1200);
    expect(received.toSorted()).toEqual(names(0, 1200).toSorted());
  });

  it("gets revisions too", async () => {
    const { store, log } = await opened();
    const { received } = start(store, log);
    await log.append(callEnded({ sessionId: "a" }), "WEBHOOK");
    await log.append(callEnded({ sessionId: "a", recordUrl: "https://files.example/1" }), "WEBHOOK");
    await until(() => received.length === 2);
    expect(received).toEqual(["a", "a"]);
  });

  it("continues at its stored position after a restart", async () => {
    const { store, log } = await opened();
    await appendAll(log, ["a", "b"]);
    const first = start(store, log);
    await until(() => first.received.length === 2);
    await first.stop();
    await appendAll(log, ["c"]);
    const second = start(store, log);
    await until(() => second.received.length > 0);
    expect(second.received).toEqual(["c"]);
  });

  it("loses nothing that was appended while it was stopped, also if it has had no event before", async () => {
    const { store, log } = await opened();
    await appendAll(log, ["before"]);
    await store.readers.begin("test", log.markHead());
    const first = start(store, log);
    await first.stop();
    await appendAll(log, ["away"]);
    // The first place stays.
    await store.readers.begin("test", log.markHead());
    const second = start(store, log);
    await until(() => second.received.length > 0);
    expect(second.received).toEqual(["away"]);
  });

  it("gets the same events again after its work failed, before any later ones", async () => {
    const { store, log } = await opened();
    await appendAll(log, ["a", "b"]);
    const tries: string[][] = [];
    start(store, log, {
      handle: async (batch) => {
        tries.push(sessions(batch));
        if (tries.length < 4) throw new Error("not now");
      },
    });
    await until(() => tries.length >= 4);
    await appendAll(log, ["c"]);
    await until(() => tries.flat().includes("c"));
    expect(tries.slice(0, 4).map(([session]) => session)).toEqual(["a", "a", "a", "a"]);
    expect(tries.slice(4).flat()).not.toContain("a");
  });

  it("continues at the oldest event, and logs it, if its next events were purged", async () => {
    const { store, log } = await opened();
    await appendAll(log, ["a"]);
    const first = start(store, log);
    await until(() => first.received.length === 1);
    await first.stop();
    await appendAll(log, ["b", "c"]);
    await store.events.purge("2027", 2);
    await appendAll(log, ["d"]);
    const lines: string[] = [];
    const second = start(store, await logOver(store.events), {
      log: { ...silentLog, warn: (_fields, message) => void lines.push(message) },
    });
    await until(() => second.received.includes("d"));
    expect(second.received).toEqual(["c", "d"]);
    expect(lines).toEqual(["events were purged before a reader received them"]);
  });

  it("begins again at the oldest event if its position is not in this log", async () => {
    const { store, log } = await opened();
    await store.readers.advance("test", "zzz, of another log");
    await appendAll(log, ["a"]);
    const { received } = start(store, log);
    await until(() => received.length > 0);
    await appendAll(log, ["b"]);
    await until(async () => (await store.readers.readCursor("test"))?.startsWith("0000000002"));
    expect(received).toEqual(["a", "b"]);
  });

  it("stops at once, also while it waits or works", async () => {
    const { store, log } = await opened();
    await start(store, log).stop();
    const waiting = start(store, log);
    await until(() => store.readers.readCursor("test"));
    await waiting.stop();
    await appendAll(log, ["a"]);
    const begun = Promise.withResolvers<void>();
    const working = start(store, log, {
      handle: (_batch, signal) => {
        begun.resolve();
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      },
    });
    await begun.promise;
    await working.stop();
    const next = start(store, log);
    await until(() => next.received.length > 0);
    expect(next.received).toEqual(["a"]);
  });
});

describe.each(databases)("A durable reader of several gateways on %s", (_, { create }) => {
  it("passes to another gateway that continues where the first stopped or lost its lease", async () => {
    const url = (await create()).url;
    const store = await tempStore(url);
    const log = await logOver(store.events);
    const database = url.startsWith("file:") ? null : await tempDatabase(url);
    const leasesOf = () => (database ? createLeaseStore(database, { leaseMs: 500, renewMs: 50 }) : store.leases);
    const one = start(store, log, { leases: leasesOf() });
    await appendAll(log, ["a"]);
    await until(() => one.received.length === 1);
    const other = start(store, log, { leases: leasesOf() });
    await appendAll(log, ["b"]);
    await until(() => one.received.length + other.received.length >= 2);
    await one.stop();
    await appendAll(log, ["c"]);
    await until(() => other.received.includes("c"));
    if (!database) return;
    expect([one.received, other.received]).toEqual([["a", "b"], ["c"]]);
    const third = start(store, log, { leases: leasesOf() });
    // The holder is told that it has lost its turn, as one that stood still would be.
    await database.db
      .updateTable("leases")
      .set({ holder: "nobody", expires_at: Date.now() + 300 })
      .execute();
    await appendAll(log, ["d"]);
    await until(() => [...other.received, ...third.received].includes("d"));
  });

  it("keeps its position if a gateway that lost the lease writes an older one", async () => {
    const { readers } = await tempStore((await create()).url);
    await readers.advance("test", "000b");
    await readers.advance("test", "000a");
    expect(await readers.readCursor("test")).toBe("000b");
    await readers.advance("test", "000c");
    expect(await readers.readCursor("test")).toBe("000c");
    await readers.delete("test");
    expect(await readers.readCursor("test")).toBeNull();
  });
});
