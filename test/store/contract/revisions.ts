import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { matchesFilter, type CallEndedData, type EventSource } from "../../../src/events/callEndedEvent.ts";
import { deliveryOf, reviseCall } from "../../../src/events/reviseCall.ts";
import type { EventFilter, EventStore } from "../../../src/store/log/eventStore.ts";
import { callEnded } from "../../events/callEnded.ts";
import type { DatabaseUnderTest } from "../databases.ts";
import { eachRevises, eventRow, seqs, tempStore, WHOLE } from "../tempStore.ts";

const NOW = "2026-11-20T09:30:00.000Z";

/** What the call log tells: nothing that only the webhook knows. */
const listed = (own: Partial<CallEndedData> & { sessionId: string }) =>
  callEnded({ hangupSide: null, hangupReason: null, ringTime: null, taskItemId: null, extra: null, ...own });

export function revisionContract({ create }: DatabaseUnderTest): void {
  async function fresh() {
    const { events } = await tempStore((await create()).url);
    const tell = async (call: CallEndedData, source: EventSource = "WEBHOOK") => {
      const [row] = await events.append([deliveryOf(call, source, NOW)], reviseCall);
      return row?.revision ?? null;
    };
    const newest = async () => {
      const row = (await events.revisionsOf("a")).at(-1);
      return { ...(JSON.parse(row?.data ?? "{}") as CallEndedData), source: row?.source };
    };
    return { events, tell, newest };
  }

  describe("a call is revised only where more is told of it", () => {
    it("the same delivery again adds nothing, and neither does one that knows less", async () => {
      const { tell, newest } = await fresh();
      const call = callEnded({ sessionId: "a", extra: { 姓名: "Li" } });
      expect(await tell(call)).toBe(1);
      expect(await tell(call)).toBeNull();
      expect(await tell({ ...call, caller: null, assistants: [], extra: null })).toBeNull();
      expect(await newest()).toMatchObject(call);
    });

    it("ignores the order of variables at any depth", async () => {
      const { tell, newest } = await fresh();
      const told = (extra: string, own: Partial<CallEndedData> = {}) =>
        tell(callEnded({ sessionId: "a", extra: JSON.parse(extra) as CallEndedData["extra"], ...own }));
      const given = '{"b":1,"a":[{"d":2,"c":3}],"__proto__":{"f":4,"e":5}}';
      const turned = '{"__proto__":{"e":5,"f":4},"a":[{"c":3,"d":2}],"b":1}';
      expect([await told(given), await told(turned), await told(turned, { caller: null })]).toEqual([1, null, null]);
      expect(JSON.stringify((await newest()).extra)).toBe(given);
      expect(await told('{"a":1,"b":[{"d":2,"c":3}],"__proto__":{"f":4,"e":5}}')).toBe(2);
      expect([await told(turned), await told(given)]).toEqual([null, null]);
      expect(await told('{"b":1,"a":[{"d":3,"c":2}],"__proto__":{"f":4,"e":5}}')).toBe(3);
    });

    it("recognises deliveries that older versions stored", async () => {
      const { events, tell } = await fresh();
      const call = callEnded({ sessionId: "a", extra: { b: 1, a: 2 } });
      const delivery = deliveryOf(call, "WEBHOOK", NOW);
      await events.append([{ ...delivery, sha256: hash("sha256", delivery.text, "hex") }], reviseCall);
      expect(await tell({ ...call, extra: { a: 2, b: 1 } })).toBeNull();
      expect(await tell({ ...call, duration: 61 })).toBe(2);
      expect(await tell(call)).toBeNull();
    });

    it("more of it is the next revision, merged; each of its deliveries is known from then on", async () => {
      const { events, tell, newest } = await fresh();
      const first = callEnded({ sessionId: "a", recordUrl: null, callee: null });
      const second = { ...first, recordUrl: "https://files.example/1", hangupReason: null };
      expect([await tell(first), await tell(second), await tell(first), await tell(second)]).toEqual([
        1,
        2,
        null,
        null,
      ]);
      expect(await newest()).toMatchObject({ recordUrl: "https://files.example/1", hangupReason: "normal" });
      expect(await tell({ ...first, callee: "13800010009" })).toBe(3);
      expect(await newest()).toMatchObject({ recordUrl: "https://files.example/1", callee: "13800010009" });
      expect((await events.revisionsOf("a")).map(({ revision }) => revision)).toEqual([1, 2, 3]);
    });

    it("the newest of many calls are found at once, however many", async () => {
      const { events, tell } = await fresh();
      await tell(callEnded({ sessionId: "a", hangupReason: null }));
      await tell(callEnded({ sessionId: "a" }));
      await tell(callEnded({ sessionId: "b" }));
      const many = Array.from({ length: 2500 }, (_, at) => `none-${at}`);
      const rows = await events.newestRevisions(["b", ...many, "a"]);
      expect(rows.map(({ sessionId, revision }) => `${sessionId} ${revision}`).toSorted()).toEqual(["a 2", "b 1"]);
      expect(await events.newestRevisions([])).toEqual([]);
    });

    it("the call log's word on a call that is known adds nothing, whatever it says", async () => {
      const { tell } = await fresh();
      expect(await tell(callEnded({ sessionId: "a" }))).toBe(1);
      expect(await tell(listed({ sessionId: "a", duration: 999 }), "RECONCILED")).toBeNull();
    });

    it("a webhook that comes after the call log's word is revision 2, even where it tells no more", async () => {
      const { tell, newest } = await fresh();
      const known = listed({ sessionId: "a", recordUrl: "https://files.example/1" });
      expect(await tell(known, "RECONCILED")).toBe(1);
      expect(await newest()).toMatchObject({ source: "RECONCILED", hangupSide: null });
      expect(await tell(known, "RECONCILED")).toBeNull();
      expect(await tell(callEnded({ sessionId: "a" }))).toBe(2);
      expect(await newest()).toMatchObject({
        source: "WEBHOOK",
        hangupSide: "callee",
        recordUrl: "https://files.example/1",
      });
      expect(await tell(known, "RECONCILED")).toBeNull();
    });

    it("what was unread and is told at last is no longer unread", async () => {
      const { tell, newest } = await fresh();
      const unread = [
        { field: "endAt", text: "noon" },
        { field: "billsec", text: "many" },
      ];
      await tell(callEnded({ sessionId: "a", endAt: null, billsec: null, unread }));
      await tell(callEnded({ sessionId: "a", billsec: null, unread: [{ field: "billsec", text: "more" }] }));
      expect((await newest()).unread).toEqual([{ field: "billsec", text: "more" }]);
    });

    it("keeps texts that a PostgreSQL column cannot hold", async () => {
      const { events, tell, newest } = await fresh();
      const call = callEnded({
        sessionId: "a",
        caller: "13\x0080\0",
        hangupReason: "no\0\ud83d",
        extra: { "\0": "\udc00" },
      });
      expect(await tell(call)).toBe(1);
      expect(await tell(call)).toBeNull();
      expect(await newest()).toMatchObject(call);
      expect(seqs(await events.read({ ...WHOLE, filter: { phone: "1380" } }))).toEqual([1]);
      expect(
        matchesFilter({ ...call, cursor: "", revision: 1, source: "WEBHOOK", receivedAt: NOW }, { phone: "1380" }),
      ).toBe(true);
    });
  });

  describe("a call is told once, at the first of its revisions that passes", () => {
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
    const told = async (events: EventStore, filter: EventFilter, revisions = false) =>
      (await events.read({ ...WHOLE, filter, revisions }))
        .filter(({ sessionId }) => sessionId === "a")
        .map(({ revision }) => revision);

    it("the first where there is no filter", async () => {
      const events = await withRevisions(null, "7", "7");
      expect(await told(events, {})).toEqual([1]);
      expect(await told(events, {}, true)).toEqual([1, 2, 3]);
    });

    it("a later one where the first did not pass, and none behind it", async () => {
      const events = await withRevisions(null, "7", "8", "7");
      expect(await told(events, { taskIds: ["7"] })).toEqual([2]);
      expect(await told(events, { taskIds: ["8"] })).toEqual([3]);
      expect(await told(events, { taskIds: ["7"] }, true)).toEqual([2, 4]);
      expect(await told(events, { taskIds: ["9"] })).toEqual([]);
    });

    it("does not give a call again to a reader that resumes after it", async () => {
      const events = await withRevisions("7", "7", "7");
      const [first] = await events.read({ ...WHOLE, revisions: false, limit: 1 });
      const rest = await events.read({ ...WHOLE, revisions: false, after: first?.seq ?? 0 });
      expect(rest.filter(({ sessionId }) => sessionId === "a")).toEqual([]);
    });
  });

  describe("which revision is the newest is known to the database", () => {
    it("for each call exactly one", async () => {
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
