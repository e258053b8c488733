import { describe, expect, it, onTestFinished } from "vitest";
import type { CallEndedData, CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { startDurableReader } from "../../src/events/durableReader.ts";
import { markNotEnded } from "../../src/events/markNotEnded.ts";
import { createQueryOwner } from "../../src/store/scheduling/queryOwner.ts";
import { ENDS_READER } from "../../src/store/shared/readerStore.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { callEnded, follow, logOver, sessions, take } from "./callEnded.ts";

/** What a version before the rule appended for an event such as call_started. */
const NO_END = { endAt: null, answerAt: null, duration: null, billsec: null, hangupSide: null, hangupReason: null };
const started = (sessionId: string): CallEndedData =>
  callEnded({ sessionId, ...NO_END, eventName: "call_started", ringTime: null });
const PAGE = { first: 100, after: null, filter: {}, order: "oldestFirst" } as const;
const shown = ({ sessionId, revision, eventName }: CallEndedEvent) => [sessionId, revision, eventName];

describe.each(databases)("Entries without an end in a log on %s", (_, database) => {
  async function setUp() {
    const store = await tempStore((await database.create()).url);
    const log = await logOver(store.events);
    return {
      store,
      log,
      markAll: async () => {
        const batches = await log.followBatches(log.oldestCursor());
        const marks = markNotEnded({ events: store.events, log: silentLog });
        await batches.next();
        const { value } = await batches.next();
        await marks((value as { events: CallEndedEvent[] }).events);
        await batches.return?.();
      },
      counted: async () => (await store.stats.totals(createQueryOwner("test"), {})).calls,
      listed: async (revisions: boolean) => (await log.page({ ...PAGE, revisions })).events.map(shown),
    };
  }

  it("are neither listed nor counted, and their real end is the first one", async () => {
    const { store, log, markAll, counted, listed } = await setUp();
    await log.append(started("a"), "WEBHOOK");
    await log.append(callEnded({ sessionId: "b" }), "WEBHOOK");
    await log.append(started("c"), "WEBHOOK");
    await markAll();
    expect([await counted(), await listed(false), await listed(true)]).toEqual([
      1,
      [["b", 1, "call_ended"]],
      [["b", 1, "call_ended"]],
    ]);
    expect([await log.bySession("a"), await log.byRevision("a", 1)]).toEqual([null, null]);
    expect(await log.newestOf(["a", "b"])).toMatchObject([null, { sessionId: "b" }]);
    // Reconciliation finds the calls whose end did not come.
    expect(await store.openCalls.findWithoutEvent(["a", "b", "c"])).toEqual(new Set(["a", "c"]));
    expect(await log.append(callEnded({ sessionId: "a" }), "WEBHOOK")).toBe("revised");
    await log.append(callEnded({ sessionId: "c", hangupReason: null, eventName: null }), "RECONCILED");
    expect([await counted(), await listed(false)]).toEqual([
      3,
      [
        ["b", 1, "call_ended"],
        ["a", 2, "call_ended"],
        ["c", 2, null],
      ],
    ]);
    expect(await log.bySession("a")).toMatchObject({ revision: 2, endAt: "2026-11-20T09:01:00.000Z" });
  });

  it("are not told to a subscriber, who gets the end as the first event, also from the database", async () => {
    const { store, log, markAll } = await setUp();
    const live = await follow(log);
    const all = await follow(log, { revisions: true });
    const after = log.oldestCursor();
    await log.append(started("a"), "WEBHOOK");
    await log.append(callEnded({ sessionId: "a" }), "WEBHOOK");
    await log.append(callEnded({ sessionId: "a", recordUrl: "https://files.example/1.mp3" }), "WEBHOOK");
    await log.append(callEnded({ sessionId: "b" }), "WEBHOOK");
    expect((await take(live, 2)).map(shown)).toEqual([
      ["a", 2, "call_ended"],
      ["b", 1, "call_ended"],
    ]);
    expect((await take(all, 3)).map(({ revision }) => revision)).toEqual([2, 3, 1]);
    await markAll();
    // Another gateway has none of these entries in memory.
    const other = await logOver(store.events);
    expect(sessions(await take(await follow(other, { after }), 2))).toEqual(["a", "b"]);
    expect((await take(await follow(other, { after, revisions: true }), 3)).map(({ revision }) => revision)).toEqual([
      2, 3, 1,
    ]);
  });

  it("are marked by a durable reader, those from before its start and new ones", async () => {
    const { store, log, counted } = await setUp();
    await log.append(started("before"), "WEBHOOK");
    const reader = startDurableReader({
      name: ENDS_READER,
      events: log,
      readers: store.readers,
      leases: store.leases,
      handle: markNotEnded({ events: store.events, log: silentLog }),
      log: silentLog,
    });
    onTestFinished(() => reader[Symbol.asyncDispose]());
    await until(async () => (await counted()) === 0);
    await log.append(callEnded({ sessionId: "ended" }), "WEBHOOK");
    await log.append(started("after"), "WEBHOOK");
    await until(async () => (await store.openCalls.findWithoutEvent(["after"])).size === 1);
    expect(await counted()).toBe(1);
  });

  it("are not appended by a delivery that is no end, unless its call has ended", async () => {
    const { log, listed, markAll } = await setUp();
    const notEnd = { isEnd: false };
    expect(await log.append(started("a"), "WEBHOOK", notEnd)).toBe("known");
    expect(await log.bySession("a")).toBeNull();
    await log.append(started("b"), "WEBHOOK");
    expect(await log.append({ ...started("b"), ringTime: 7 }, "WEBHOOK", notEnd)).toBe("known");
    await log.append(callEnded({ sessionId: "a", recordUrl: null }), "WEBHOOK");
    const late = { ...started("a"), recordUrl: "https://files.example/1.mp3" };
    expect(await log.append(late, "WEBHOOK", notEnd)).toBe("revised");
    expect(await log.bySession("a")).toMatchObject({
      eventName: "call_ended",
      recordUrl: "https://files.example/1.mp3",
      endAt: "2026-11-20T09:01:00.000Z",
    });
    await markAll();
    expect(await listed(false)).toEqual([["a", 1, "call_ended"]]);
  });
});
