import { describe, expect, it, onTestFinished } from "vitest";
import { createSignal } from "../../src/util/signal.ts";
import { followLog, type FollowItem, type FollowOptions } from "../../src/events/followLog.ts";
import { openReplayCache, type ReplayCache } from "../../src/events/replayCache.ts";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { silentLog } from "../../src/log.ts";
import type { EventPage, EventRow } from "../../src/store/log/eventStore.ts";
import { appendRows, eventRow, tempStore } from "../store/tempStore.ts";

const eventOf = (row: EventRow) => ({ sessionId: row.sessionId, receivedAt: row.receivedAt }) as CallEndedEvent;
const ENDED = { done: true, value: undefined };
const FIRST = { done: false, value: { kind: "checkpoint", seq: 0 } };
const told = (seq: string) => ({ done: false, value: { kind: "event", event: { sessionId: seq } } });

/** A reader from the log's first row, whose ears are counted. */
async function spied(own: Partial<FollowOptions> = {}) {
  const { events } = await tempStore();
  const recent = await openReplayCache({ store: events, eventOf, onRead() {}, onErased() {}, log: silentLog });
  const bell = createSignal();
  let ears = 0;
  let waiting = Promise.withResolvers<void>();
  const counted: ReplayCache = {
    ...recent,
    bell: {
      ring: bell.ring,
      listen() {
        ears += 1;
        const ear = bell.listen();
        return {
          ...ear,
          wait(withinMs) {
            waiting.resolve();
            return ear.wait(withinMs);
          },
          close() {
            ears -= 1;
            ear.close();
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
    await recent.look();
  };
  const reader = (also: Partial<FollowOptions> = {}): AsyncIterableIterator<FollowItem> => {
    const reading = { place: 0, filter: {}, revisions: true, checkpointMs: 1e6 };
    const base = { store: events, recent: counted, eventOf, damagedBetween: () => [], ...reading };
    const items = followLog({ ...base, ...own, ...also });
    onTestFinished(async () => void (await items.return?.()));
    return items;
  };
  const waits = async () => {
    await waiting.promise;
    waiting = Promise.withResolvers();
  };
  return { events, ring: bell.ring, write, reader, waits, ears: () => ears };
}

describe("return() ends a reader at once", () => {
  it("while it waits, and no ear stays on the bell", async () => {
    const { reader, waits, ears } = await spied();
    const items = reader();
    expect(await items.next()).toEqual(FIRST);
    const asked = items.next();
    await waits();
    expect(await items.return?.()).toEqual(ENDED);
    expect(await asked).toEqual(ENDED);
    expect(ears()).toBe(0);
    expect(await items.next()).toEqual(ENDED);
  });

  it("before it was asked anything, and in the middle of a batch", async () => {
    const { write, reader, ears } = await spied();
    await write("a", "b");
    await reader().return?.();
    const items = reader();
    expect(await items.next()).toEqual(FIRST);
    expect(await items.next()).toMatchObject(told("a"));
    await items.return?.();
    expect(await items.next()).toEqual(ENDED);
    expect(ears()).toBe(0);
  });

  it("also by leaving a loop over it", async () => {
    const { write, reader, ears } = await spied();
    await write("a");
    for await (const item of reader()) if (item.kind === "event") break;
    expect(ears()).toBe(0);
  });

  it("while the store is being read, though the store does not answer", async () => {
    const { events, write, reader, ears } = await spied();
    await write("a");
    const asked = Promise.withResolvers<void>();
    const never = new Promise<EventRow[]>(() => undefined);
    const read = () => {
      asked.resolve();
      return never;
    };
    const far = {
      bell: createSignal(),
      head: () => 1,
      erasures: () => 0,
      behind: () => null,
    } as unknown as ReplayCache;
    const items = reader({ store: { ...events, read }, recent: far });
    await items.next();
    const pending = items.next();
    await asked.promise;
    expect(await items.return?.()).toEqual(ENDED);
    expect(await pending).toEqual(ENDED);
    expect(ears()).toBe(0);
  });

  it("and a store that fails ends it with the error, once", async () => {
    const { events, reader, ears } = await spied();
    const recent = {
      ...(await openReplayCache({ store: events, eventOf, onRead() {}, onErased() {}, log: silentLog })),
      behind: () => null,
    };
    const items = reader({ recent, store: { ...events, read: () => Promise.reject(new Error("disk")) } });
    await items.next();
    await expect(items.next()).rejects.toThrow("disk");
    expect(ears()).toBe(0);
    expect(await items.next()).toEqual(ENDED);
  });

  it("while a ring for nothing wakes it and gives nothing", async () => {
    const { write, ring, reader, waits } = await spied();
    const items = reader();
    await items.next();
    const asked = items.next();
    await waits();
    ring();
    await waits();
    await write("a");
    ring();
    expect(await asked).toMatchObject(told("a"));
  });
});

describe("a reader near the head does not read the database", () => {
  it("whatever its filter, and however many are appended", async () => {
    const { events, write, ring, reader, waits } = await spied();
    const pages: EventPage[] = [];
    const read = (page: EventPage) => {
      pages.push(page);
      return events.read(page);
    };
    const items = reader({ store: { ...events, read }, filter: { taskIds: [] } });
    await items.next();
    const asked = items.next();
    for (let at = 0; at < 3; at += 1) {
      await waits();
      await write(...Array.from({ length: 10 }, (_, own) => `${at} ${own}`));
      ring();
    }
    await waits();
    await items.return?.();
    expect(await asked).toEqual(ENDED);
    expect(pages).toEqual([]);
  });
});
