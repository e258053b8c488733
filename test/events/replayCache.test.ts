import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventSource } from "../../src/events/callEndedEvent.ts";
import type { EventFilter, EventLog } from "../../src/events/eventLog.ts";
import { openReplayCache } from "../../src/events/replayCache.ts";
import { silentLog } from "../support/silentLog.ts";
import type { EventStore } from "../../src/store/events/eventStore.ts";
import { databases } from "../store/databases.ts";
import { appendRows, eventRow, tempStore } from "../store/tempStore.ts";
import { appendAll, callEnded, follow, headOf, logOver, names, readerOf, sessions, take } from "./callEnded.ts";

const FILTERS: EventFilter[] = [
  {},
  { taskIds: ["1"] },
  { hangupSide: "callee" },
  { phones: ["A068"], answered: true },
  { hangupReasons: ["normal", null] },
];

const tellings = fc.array(
  fc.record({
    session: fc.integer({ min: 0, max: 8 }),
    source: fc.constantFrom<EventSource>("WEBHOOK", "WEBHOOK", "RECONCILED", "IMPORTED"),
    taskId: fc.constantFrom(null, "1", "2"),
    hangupSide: fc.constantFrom(null, "caller", "callee"),
    hangupReason: fc.constantFrom(null, "busy", "normal"),
    caller: fc.constantFrom(null, "A068"),
    billsec: fc.constantFrom(0, 1, 2),
  }),
  { minLength: 1, maxLength: 30 },
);

describe.each(databases)("memory and %s deliver the same events", (_, { create }) => {
  it("for any deliveries and filters, with revisions or without", async () => {
    const { events } = await tempStore((await create()).url);
    // The one has the whole log in memory; the other was opened behind it, and has to read.
    const near = await logOver(events);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(tellings, async (deliveries) => {
        run += 1;
        const after = await headOf(near);
        for (const { session, source, ...own } of deliveries) {
          await near.append(callEnded({ sessionId: `${run} ${session}`, ...own }), source);
        }
        const end = `${run} end`;
        await near.append(callEnded({ sessionId: end, taskId: "1" }), "WEBHOOK");
        await near.refresh();
        const far = await logOver(events);
        for (const filter of FILTERS) {
          for (const revisions of [false, true]) {
            const [fromMemory, fromDatabase] = await Promise.all(
              [near, far].map((log) => toldUntil(end, log, { after, filter, revisions })),
            );
            expect(fromMemory).toEqual(fromDatabase);
          }
        }
      }),
      { numRuns: 15 },
    );
  });
});

async function toldUntil(end: string, log: EventLog, request: Parameters<typeof readerOf>[1]): Promise<string[]> {
  const reader = await readerOf(log, request);
  const received: string[] = [];
  for (let last = ""; last !== end;) {
    const [event] = await take(reader, 1);
    last = event?.sessionId ?? end;
    received.push(`${event?.cursor} ${last} ${event?.revision}`);
  }
  await reader.return?.();
  return received;
}

/** How many rows the database was asked for. */
function counted(events: EventStore) {
  const state = { rows: 0, most: 0, reads: 0 };
  const read: EventStore["read"] = async (page) => {
    const rows = await events.read(page);
    state.reads += 1;
    state.rows += rows.length;
    state.most = Math.max(state.most, rows.length);
    return rows;
  };
  return { store: { ...events, read, erasureCount: () => events.erasureCount() }, state };
}

describe("followers near the head", () => {
  it("receive what is appended here without being read from the database", async () => {
    const { events } = await tempStore();
    const { store, state } = counted(events);
    const log = await logOver(store);
    const readers = await Promise.all(Array.from({ length: 100 }, () => follow(log)));
    const received = Promise.all(readers.map((reader) => take(reader, 300)));
    for (let at = 0; at < 300; at += 30) await appendAll(log, names(at, at + 30));
    for (const one of await received) expect(sessions(one)).toEqual(names(0, 300));
    expect(state.rows).toBe(0);
  });

  it("read the database while they lag, then the memory again", async () => {
    const { events } = await tempStore();
    const { store, state } = counted(events);
    const log = await logOver(store);
    const lags = [0, 1, 400, 2000, 2001, 7999];
    const readers = await Promise.all(lags.map(() => follow(log)));
    await appendAll(log, names(0, 8000));
    await log.refresh();
    const heads = await Promise.all(readers.map((reader, at) => take(reader, lags[at] ?? 0)));
    expect(heads.map((received) => sessions(received))).toEqual(lags.map((lag) => names(0, lag)));
    const rest = await Promise.all(readers.map((reader, at) => take(reader, 8000 - (lags[at] ?? 0))));
    expect(rest.map((received) => sessions(received))).toEqual(lags.map((lag) => names(lag, 8000)));
    const before = state.rows;
    await appendAll(log, ["x"]);
    for (const reader of readers) expect(sessions(await take(reader, 1))).toEqual(["x"]);
    expect(state.rows).toBe(before);
  });
});

describe("refresh()", () => {
  it("reads only entries that the cache does not have", async () => {
    const { events } = await tempStore();
    const { store, state } = counted(events);
    const log = await logOver(store);
    await appendAll(log, ["a", "b"]);
    await log.refresh(2);
    expect(state.reads).toBe(0);
    await appendRows(events, [eventRow({ sessionId: "another gateway's" })]);
    await log.refresh(3);
    expect(state.rows).toBe(1);
    const { reads } = state;
    await log.refresh(null);
    expect(state.reads).toBeGreaterThan(reads);
  });
});

describe("a follower that stops reading", () => {
  it("holds at most one batch and continues from there", async () => {
    const { events } = await tempStore();
    const { store, state } = counted(events);
    const log = await logOver(store);
    const slow = await Promise.all(Array.from({ length: 20 }, () => follow(log)));
    const asked = slow.map((reader) => take(reader, 1));
    await appendAll(log, names(0, 8000));
    await Promise.all(asked);
    await log.refresh();
    const read = state.rows;
    await new Promise((resolve) => setImmediate(resolve));
    // Nobody asks, so nothing is read ahead for them.
    expect([state.rows, state.most]).toEqual([read, 0]);
    const received = await Promise.all(slow.map((reader) => take(reader, 7999)));
    for (const one of received) expect(sessions(one)).toEqual(names(1, 8000));
  });
});

describe("the replay cache", () => {
  const eventOrNull = ({ sessionId }: { sessionId: string }) => ({ sessionId }) as never;
  const openCache = (store: EventStore) =>
    openReplayCache({
      store,
      eventOrNull,
      onRead() {},
      onSkipped: async () => undefined,
      onErased() {},
      log: silentLog,
    });

  it("is bounded, returns entries after a position, or null if it does not reach back", async () => {
    const { events } = await tempStore();
    await appendRows(events, [eventRow({ sessionId: "before" })]);
    const recent = await openCache(events);
    expect([recent.head(), recent.entriesAfter(1, 10), recent.entriesAfter(0, 10)]).toEqual([1, [], null]);
    for (let at = 0; at < 2500; at += 500) {
      await appendRows(
        events,
        names(at, at + 500).map((sessionId) => eventRow({ sessionId })),
      );
    }
    await recent.refresh();
    expect(recent.head()).toBe(2501);
    const first =
      Array.from({ length: 2501 }, (_, at) => at).find((place) => recent.entriesAfter(place, 1) !== null) ?? 0;
    expect(first).toBe(501);
    expect(recent.entriesAfter(first, 3)?.map(({ seq }) => seq)).toEqual([502, 503, 504]);
    expect(recent.entriesAfter(first, 10_000)).toHaveLength(2000);
    expect(recent.entriesAfter(2500, 10)?.map(({ seq }) => seq)).toEqual([2501]);
    expect(recent.entriesAfter(9999, 10)).toEqual([]);
  });

  it("reads once for refreshes at the same time, and never misses the last one", async () => {
    const { events } = await tempStore();
    let reads = 0;
    const read: EventStore["read"] = (page) => {
      reads += 1;
      return events.read(page);
    };
    const recent = await openCache({ ...events, read });
    const looks = Array.from({ length: 50 }, () => recent.refresh());
    await appendRows(events, [eventRow({ sessionId: "a" })]);
    await Promise.all([...looks, recent.refresh()]);
    expect(recent.head()).toBe(1);
    expect(reads).toBeLessThan(10);
  });

  it("notifies when it has grown", async () => {
    const { events } = await tempStore();
    const recent = await openCache(events);
    const listener = recent.updates.listen();
    await recent.refresh();
    expect(await listener.wait(0)).toBe(false);
    await appendRows(events, [eventRow({ sessionId: "a" })]);
    await recent.refresh();
    expect(await listener.wait(0)).toBe(true);
  });
});
