import { describe, expect, it, onTestFinished } from "vitest";
import { createSignal } from "../../src/util/signal.ts";
import { followLog, type FollowOptions, type StreamItem } from "../../src/events/followLog.ts";
import { openReplayCache, type ReplayCache } from "../../src/events/replayCache.ts";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { silentLog } from "../support/silentLog.ts";
import type { EventPage, EventRow } from "../../src/store/events/eventStore.ts";
import { appendRows, eventRow, tempStore } from "../store/tempStore.ts";

const eventOrNull = (row: EventRow) => ({ sessionId: row.sessionId, receivedAt: row.receivedAt }) as CallEndedEvent;
const ENDED = { done: true, value: undefined };
const FIRST = { done: false, value: { kind: "checkpoint", cursor: "0" } };
const eventItem = (seq: string) => ({ done: false, value: { kind: "event", event: { sessionId: seq } } });

/** A log with followers from its first row. `listeners` counts their open listeners. */
async function setUp(own: Partial<FollowOptions> = {}) {
  const { events } = await tempStore();
  const replayCache = await openReplayCache({
    store: events,
    eventOrNull,
    onRead() {},
    onSkipped: async () => undefined,
    onErased() {},
    log: silentLog,
  });
  const updates = createSignal();
  let listeners = 0;
  let waiting = Promise.withResolvers<void>();
  const counted: ReplayCache = {
    ...replayCache,
    updates: {
      notify: updates.notify,
      listen() {
        listeners += 1;
        const listener = updates.listen();
        return {
          ...listener,
          wait(withinMs) {
            waiting.resolve();
            return listener.wait(withinMs);
          },
          close() {
            listeners -= 1;
            listener.close();
          },
        };
      },
    },
  };
  const write = async (...sessions: string[]) => {
    await appendRows(
      events,
      sessions.map((sessionId) => eventRow({ sessionId })),
    );
    await replayCache.refresh();
  };
  const startFollower = (also: Partial<FollowOptions> = {}): AsyncIterableIterator<StreamItem> => {
    const reading = { after: 0, cursorAt: String, filter: {}, revisions: true, checkpointMs: 1e6 };
    const lostAfter = () => null;
    const base = { store: events, replayCache: counted, eventOrNull, damagedBetween: () => [], lostAfter, ...reading };
    const items = followLog({ ...base, ...own, ...also });
    onTestFinished(async () => void (await items.return?.()));
    return items;
  };
  const untilWaiting = async () => {
    await waiting.promise;
    waiting = Promise.withResolvers();
  };
  return { events, notify: updates.notify, write, startFollower, untilWaiting, listeners: () => listeners };
}

describe("return() of a follower", () => {
  it("ends a follower that waits, and closes its listener", async () => {
    const { startFollower, untilWaiting, listeners } = await setUp();
    const items = startFollower();
    expect(await items.next()).toEqual(FIRST);
    const pending = items.next();
    await untilWaiting();
    expect(await items.return?.()).toEqual(ENDED);
    expect(await pending).toEqual(ENDED);
    expect(listeners()).toBe(0);
    expect(await items.next()).toEqual(ENDED);
  });

  it("ends a follower before its first item, or in the middle of a batch", async () => {
    const { write, startFollower, listeners } = await setUp();
    await write("a", "b");
    await startFollower().return?.();
    const items = startFollower();
    expect(await items.next()).toEqual(FIRST);
    expect(await items.next()).toMatchObject(eventItem("a"));
    await items.return?.();
    expect(await items.next()).toEqual(ENDED);
    expect(listeners()).toBe(0);
  });

  it("is called by leaving a loop over the follower", async () => {
    const { write, startFollower, listeners } = await setUp();
    await write("a");
    for await (const item of startFollower()) if (item.kind === "event") break;
    expect(listeners()).toBe(0);
  });

  it("ends a follower while it reads a store that does not answer", async () => {
    const { events, write, startFollower, listeners } = await setUp();
    await write("a");
    const asked = Promise.withResolvers<void>();
    const never = new Promise<never>(() => undefined);
    const readPage = () => {
      asked.resolve();
      return never;
    };
    const cacheWithoutEntries = {
      updates: createSignal(),
      head: () => 1,
      erasureCount: () => 0,
      entriesAfter: () => null,
    } as unknown as ReplayCache;
    const items = startFollower({ store: { ...events, readPage }, replayCache: cacheWithoutEntries });
    await items.next();
    const pending = items.next();
    await asked.promise;
    expect(await items.return?.()).toEqual(ENDED);
    expect(await pending).toEqual(ENDED);
    expect(listeners()).toBe(0);
  });

  it("is not needed when the store fails: the follower rejects once and ends", async () => {
    const { events, startFollower, listeners } = await setUp();
    const replayCache = {
      ...(await openReplayCache({
        store: events,
        eventOrNull,
        onRead() {},
        onSkipped: async () => undefined,
        onErased() {},
        log: silentLog,
      })),
      entriesAfter: () => null,
    };
    const items = startFollower({
      replayCache,
      store: { ...events, readPage: () => Promise.reject(new Error("disk")) },
    });
    await items.next();
    await expect(items.next()).rejects.toThrow("disk");
    expect(listeners()).toBe(0);
    expect(await items.next()).toEqual(ENDED);
  });

  it("is not caused by a notification without a new event", async () => {
    const { write, notify, startFollower, untilWaiting } = await setUp();
    const items = startFollower();
    await items.next();
    const pending = items.next();
    await untilWaiting();
    notify();
    await untilWaiting();
    await write("a");
    notify();
    expect(await pending).toMatchObject(eventItem("a"));
  });
});

describe("a paced follower", () => {
  it("tells in the middle of a log how far it has read, although its filter passes nothing", async () => {
    const { startFollower } = await setUp();
    const range = 5000;
    const head = 3 * range;
    const replayCache = {
      updates: createSignal(),
      head: () => head,
      erasureCount: () => 0,
      entriesAfter: () => null,
    } as unknown as ReplayCache;
    const store = {
      readPage: async () => ({ rows: [], purgedThrough: 0 }),
      positionAfter: async (seq: number) => (seq < head ? seq + 1 : null),
    };
    const items = startFollower({ store, replayCache, filter: { taskIds: [] }, checkpointMs: 0, isPaced: true });
    const places: unknown[] = [];
    for (let at = 0; at < 4; at += 1) places.push((await items.next()).value);
    const cursors = [0, range, 2 * range, head].map(String);
    expect(places).toEqual(cursors.map((cursor) => ({ kind: "checkpoint", cursor })));
  });

  it("tells it between events, too, so that a reader of some of them moves on", async () => {
    const { write, startFollower } = await setUp();
    await write("a", "b");
    const items = startFollower({ checkpointMs: 0, isPaced: true });
    const kinds: unknown[] = [];
    for (let at = 0; at < 4; at += 1) kinds.push((await items.next()).value?.kind);
    expect(kinds).toEqual(["checkpoint", "event", "event", "checkpoint"]);
  });
});

describe("a follower near the head", () => {
  it("does not read the database, even if its filter passes nothing", async () => {
    const { events, write, notify, startFollower, untilWaiting } = await setUp();
    const pages: EventPage[] = [];
    const readPage = (page: EventPage) => {
      pages.push(page);
      return events.readPage(page);
    };
    const items = startFollower({ store: { ...events, readPage }, filter: { taskIds: [] } });
    await items.next();
    const pending = items.next();
    for (let at = 0; at < 3; at += 1) {
      await untilWaiting();
      await write(...Array.from({ length: 10 }, (_, own) => `${at} ${own}`));
      notify();
    }
    await untilWaiting();
    await items.return?.();
    expect(await pending).toEqual(ENDED);
    expect(pages).toEqual([]);
  });
});
