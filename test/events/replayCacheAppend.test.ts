import { describe, expect, it } from "vitest";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { openReplayCache } from "../../src/events/replayCache.ts";
import type { EventStore } from "../../src/store/events/eventStore.ts";
import { appendRows, eventRow, tempStore } from "../store/tempStore.ts";
import { silentLog } from "../support/silentLog.ts";

const eventOrNull = ({ sessionId }: { sessionId: string }) => ({ sessionId }) as never;
const openCache = (store: EventStore) =>
  openReplayCache({ store, eventOrNull, onRead() {}, onSkipped: async () => undefined, onErased() {}, log: silentLog });

describe("an append to the replay cache", () => {
  const appendedAt = (seq: number, own = {}) => {
    const event = { sessionId: `s${seq}`, revision: 1, ...own } as CallEndedEvent;
    return { seq, event, earlier: [], size: 1 };
  };
  async function opened() {
    const { events } = await tempStore();
    const state = { rows: 0 };
    const read: EventStore["read"] = async (page) => {
      const rows = await events.read(page);
      state.rows += rows.length;
      return rows;
    };
    const recent = await openCache({ ...events, read, erasureCount: () => events.erasureCount() });
    const cached = () => recent.entriesAfter(0, 10)?.map(({ seq, event }) => `${seq} ${event?.sessionId}`);
    return { events, recent, state, cached };
  }

  it("adds entries that follow the last one without reading them", async () => {
    const { recent, state, cached } = await opened();
    recent.beginAppend()([appendedAt(1), appendedAt(2)]);
    expect([cached(), recent.head(), state.rows]).toEqual([["1 s1", "2 s2"], 2, 0]);
  });

  it.each([
    ["another gateway's entry comes before it", [appendedAt(2)]],
    ["it is a further revision, whose earlier ones must be known", [appendedAt(1, { revision: 2 })]],
  ])("reads from the store if %s", async (_, appended) => {
    const { events, recent, cached } = await opened();
    const tell = recent.beginAppend();
    await appendRows(events, [eventRow({ sessionId: "a" }), eventRow({ sessionId: "b" })]);
    tell(appended);
    await recent.refresh();
    expect(cached()).toEqual(["1 a", "2 b"]);
  });

  it("adds entries while a refresh reads them too, once each, so that the head is never behind an answer", async () => {
    const { events } = await tempStore();
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const read: EventStore["read"] = async (page) => {
      const rows = await events.read(page);
      started.resolve();
      await gate.promise;
      return rows;
    };
    const recent = await openCache({ ...events, read });
    const tell = recent.beginAppend();
    await appendRows(events, [eventRow({ sessionId: "s1" }), eventRow({ sessionId: "s2" })]);
    const refreshed = recent.refresh();
    await started.promise;
    tell([appendedAt(1)]);
    expect(recent.head()).toBe(1);
    gate.resolve();
    await refreshed;
    expect(recent.entriesAfter(0, 10)?.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it("reads from the store if entries were erased during the append", async () => {
    const { events, recent, cached } = await opened();
    await appendRows(events, [eventRow({ sessionId: "a" })]);
    const tell = recent.beginAppend();
    let erasureCount = await events.erasureCount();
    events.erasureCount = () => Promise.resolve((erasureCount += 1));
    await recent.refresh();
    tell([appendedAt(2)]);
    await recent.refresh();
    expect(cached()?.join() ?? "").not.toContain("s2");
  });
});
