import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { matchesFilter, type CallEndedData, type EventSource } from "../../../src/events/callEndedEvent.ts";
import { deliveryOf, reviseCall } from "../../../src/events/reviseCall.ts";
import type { EventFilter, EventStore } from "../../../src/store/events/eventStore.ts";
import { callEnded } from "../../events/callEnded.ts";
import type { DatabaseUnderTest } from "../databases.ts";
import { eachRevises, eventRow, seqs, tempStore, WHOLE } from "../tempStore.ts";

const NOW = "2026-11-20T09:30:00.000Z";

/** A call as the call log returns it, without the fields that only a webhook has. */
const fromCallLog = (own: Partial<CallEndedData> & { sessionId: string }) =>
  callEnded({ hangupSide: null, hangupReason: null, ringTime: null, taskItemId: null, extra: null, ...own });

export function revisionContract({ create }: DatabaseUnderTest): void {
  async function fresh() {
    const { events } = await tempStore((await create()).url);
    const report = async (call: CallEndedData, source: EventSource = "WEBHOOK") => {
      const [row] = await events.append([deliveryOf(call, source, NOW)], reviseCall);
      return row?.revision ?? null;
    };
    const newest = async () => {
      const row = (await events.revisionsOf("a")).at(-1);
      return { ...(JSON.parse(row?.data ?? "{}") as CallEndedData), source: row?.source };
    };
    return { events, report, newest };
  }

  describe("The revision of a call", () => {
    it("is not created by a repeated delivery or one with fewer fields", async () => {
      const { report, newest } = await fresh();
      const call = callEnded({ sessionId: "a", extra: { 姓名: "Li" } });
      expect(await report(call)).toBe(1);
      expect(await report(call)).toBeNull();
      expect(await report({ ...call, caller: null, assistants: [], extra: null })).toBeNull();
      expect(await newest()).toMatchObject(call);
    });

    it("is not created by variables in another order, at any depth", async () => {
      const { report, newest } = await fresh();
      const reportExtra = (extra: string, own: Partial<CallEndedData> = {}) =>
        report(callEnded({ sessionId: "a", extra: JSON.parse(extra) as CallEndedData["extra"], ...own }));
      const extra = '{"b":1,"a":[{"d":2,"c":3}],"__proto__":{"f":4,"e":5}}';
      const reordered = '{"__proto__":{"e":5,"f":4},"a":[{"c":3,"d":2}],"b":1}';
      expect([
        await reportExtra(extra),
        await reportExtra(reordered),
        await reportExtra(reordered, { caller: null }),
      ]).toEqual([1, null, null]);
      expect(JSON.stringify((await newest()).extra)).toBe(extra);
      expect(await reportExtra('{"a":1,"b":[{"d":2,"c":3}],"__proto__":{"f":4,"e":5}}')).toBe(2);
      expect([await reportExtra(reordered), await reportExtra(extra)]).toEqual([null, null]);
      expect(await reportExtra('{"b":1,"a":[{"d":3,"c":2}],"__proto__":{"f":4,"e":5}}')).toBe(3);
    });

    it("is not created by a delivery that an older gateway version stored", async () => {
      const { events, report } = await fresh();
      const call = callEnded({ sessionId: "a", extra: { b: 1, a: 2 } });
      const delivery = deliveryOf(call, "WEBHOOK", NOW);
      await events.append([{ ...delivery, sha256: hash("sha256", delivery.text, "hex") }], reviseCall);
      expect(await report({ ...call, extra: { a: 2, b: 1 } })).toBeNull();
      expect(await report({ ...call, duration: 61 })).toBe(2);
      expect(await report(call)).toBeNull();
    });

    it("is created by a delivery with more fields, and merges them", async () => {
      const { events, report, newest } = await fresh();
      const first = callEnded({ sessionId: "a", recordUrl: null, callee: null });
      const second = { ...first, recordUrl: "https://files.example/1", hangupReason: null };
      expect([await report(first), await report(second), await report(first), await report(second)]).toEqual([
        1,
        2,
        null,
        null,
      ]);
      expect(await newest()).toMatchObject({ recordUrl: "https://files.example/1", hangupReason: "normal" });
      expect(await report({ ...first, callee: "13800010009" })).toBe(3);
      expect(await newest()).toMatchObject({ recordUrl: "https://files.example/1", callee: "13800010009" });
      expect((await events.revisionsOf("a")).map(({ revision }) => revision)).toEqual([1, 2, 3]);
    });

    it("is found for 2,500 calls in one request", async () => {
      const { events, report } = await fresh();
      await report(callEnded({ sessionId: "a", hangupReason: null }));
      await report(callEnded({ sessionId: "a" }));
      await report(callEnded({ sessionId: "b" }));
      const many = Array.from({ length: 2500 }, (_, at) => `none-${at}`);
      const rows = await events.newestRevisions(["b", ...many, "a"]);
      expect(rows.map(({ sessionId, revision }) => `${sessionId} ${revision}`).toSorted()).toEqual(["a 2", "b 1"]);
      expect(await events.newestRevisions([])).toEqual([]);
    });

    it("is not created by the call log for a call that is known", async () => {
      const { report } = await fresh();
      expect(await report(callEnded({ sessionId: "a" }))).toBe(1);
      expect(await report(fromCallLog({ sessionId: "a", duration: 999 }), "RECONCILED")).toBeNull();
    });

    it("is created by whatever tells an imported call later, also if it says nothing else, and not by an import", async () => {
      const { report, newest } = await fresh();
      const known = fromCallLog({ sessionId: "a" });
      expect(await report(known, "IMPORTED")).toBe(1);
      expect(await report({ ...known, duration: 999 }, "IMPORTED")).toBeNull();
      expect(await report(known, "RECONCILED")).toBe(2);
      expect(await newest()).toMatchObject({ source: "RECONCILED" });
      expect(await report({ ...known, callee: "13800010009" }, "IMPORTED")).toBeNull();
      const other = fromCallLog({ sessionId: "b" });
      expect([await report(other, "IMPORTED"), await report(other), await report(other)]).toEqual([1, 2, null]);
    });

    it("is created by a webhook after the call log, also if it adds no field", async () => {
      const { report, newest } = await fresh();
      const known = fromCallLog({ sessionId: "a", recordUrl: "https://files.example/1" });
      expect(await report(known, "RECONCILED")).toBe(1);
      expect(await newest()).toMatchObject({ source: "RECONCILED", hangupSide: null });
      expect(await report(known, "RECONCILED")).toBeNull();
      expect(await report(callEnded({ sessionId: "a" }))).toBe(2);
      expect(await newest()).toMatchObject({
        source: "WEBHOOK",
        hangupSide: "callee",
        recordUrl: "https://files.example/1",
      });
      expect(await report(known, "RECONCILED")).toBeNull();
    });

    it("drops unread fields that a later delivery fills", async () => {
      const { report, newest } = await fresh();
      const unread = [
        { field: "endAt", text: "noon" },
        { field: "billsec", text: "many" },
      ];
      await report(callEnded({ sessionId: "a", endAt: null, billsec: null, unread }));
      await report(callEnded({ sessionId: "a", billsec: null, unread: [{ field: "billsec", text: "more" }] }));
      expect((await newest()).unread).toEqual([{ field: "billsec", text: "more" }]);
    });

    it("keeps texts that a PostgreSQL column cannot hold", async () => {
      const { events, report, newest } = await fresh();
      const call = callEnded({
        sessionId: "a",
        caller: "13\x0080\0",
        hangupReason: "no\0\ud83d",
        extra: { "\0": "\udc00" },
      });
      expect(await report(call)).toBe(1);
      expect(await report(call)).toBeNull();
      expect(await newest()).toMatchObject(call);
      expect(seqs(await events.read({ ...WHOLE, filter: { phones: ["1380"] } }))).toEqual([1]);
      expect(
        matchesFilter({ ...call, cursor: "", revision: 1, source: "WEBHOOK", receivedAt: NOW }, { phones: ["1380"] }),
      ).toBe(true);
    });
  });

  describe("read() without revisions", () => {
    async function withRevisions(...taskIds: (string | null)[]) {
      const { events } = await fresh();
      for (const taskId of taskIds) {
        await events.append(
          [eventRow({ sessionId: "a", taskId }), eventRow({ sessionId: `other ${taskId}` })],
          eachRevises,
        );
      }
      return events;
    }
    const revisionsRead = async (events: EventStore, filter: EventFilter, revisions = false) =>
      (await events.read({ ...WHOLE, filter, revisions }))
        .filter(({ sessionId }) => sessionId === "a")
        .map(({ revision }) => revision);

    it("returns the first revision of a call without a filter", async () => {
      const events = await withRevisions(null, "7", "7");
      expect(await revisionsRead(events, {})).toEqual([1]);
      expect(await revisionsRead(events, {}, true)).toEqual([1, 2, 3]);
    });

    it("returns only the first revision that matches the filter", async () => {
      const events = await withRevisions(null, "7", "8", "7");
      expect(await revisionsRead(events, { taskIds: ["7"] })).toEqual([2]);
      expect(await revisionsRead(events, { taskIds: ["8"] })).toEqual([3]);
      expect(await revisionsRead(events, { taskIds: ["7"] }, true)).toEqual([2, 4]);
      expect(await revisionsRead(events, { taskIds: ["9"] })).toEqual([]);
    });

    it("does not return a call again to a reader that resumes after it", async () => {
      const events = await withRevisions("7", "7", "7");
      const [first] = await events.read({ ...WHOLE, revisions: false, limit: 1 });
      const rest = await events.read({ ...WHOLE, revisions: false, after: first?.seq ?? 0 });
      expect(rest.filter(({ sessionId }) => sessionId === "a")).toEqual([]);
    });
  });

  describe("The newest column of the events table", () => {
    it("marks exactly one revision of each call", async () => {
      const { url, ask } = await create();
      await using store = await tempStore(url);
      const rows = ["a", "b", "a", "a", "c", "b"].map((sessionId) => eventRow({ sessionId }));
      await store.events.append(rows.slice(0, 2), eachRevises);
      await store.events.append(rows.slice(2), eachRevises);
      await store[Symbol.asyncDispose]();
      const newest = await ask("select session_id, revision from events where newest = 1 order by session_id");
      expect(newest.map((row) => ({ ...row }))).toEqual([
        { session_id: "a", revision: 3 },
        { session_id: "b", revision: 2 },
        { session_id: "c", revision: 1 },
      ]);
    });
  });
}
