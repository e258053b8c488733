import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DatabaseUnderTest } from "../databases.ts";
import { appendRows, eachRevises, eventRow, firstOnly, open, seqs, tempStore, WHOLE } from "../tempStore.ts";

export function appendContract({ create }: DatabaseUnderTest): void {
  const fresh = async () => tempStore((await create()).url);

  describe("append() to the event log", () => {
    it("gives the revise function the earlier rows, also of its own group, and writes its result", async () => {
      const { events } = await fresh();
      const first = eventRow({ sessionId: "a", data: "1" });
      // The result names the earlier rows, because revise may be called again if a guess of them was wrong.
      const revise: typeof firstOnly = (earlier, row) => {
        const revised = eachRevises(earlier, row);
        return revised && { ...revised, data: [...earlier.map(({ data }) => data), row.data].join("<") };
      };
      expect(await events.append([first], revise)).toEqual([{ seq: 1, ...first }]);
      await events.append([{ ...first, data: "2" }, eventRow({ sessionId: "b", data: "B" })], revise);
      const twice = ["3", "4"].map((data) => ({ ...first, data }));
      expect((await events.append(twice, revise)).map((row) => row?.revision)).toEqual([3, 4]);
      expect((await events.revisionsOf("a")).map(({ revision, data }) => [revision, data])).toEqual([
        [1, "1"],
        [2, "1<2"],
        [3, "1<1<2<3"],
        [4, "1<1<2<1<1<2<3<4"],
      ]);
      expect((await events.revisionsOf("b")).map(({ data }) => data)).toEqual(["B"]);
    });

    it("numbers revisions rightly in any mix of new calls, known calls and calls of the same group", async () => {
      const groups = fc.array(fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 4 }), {
        maxLength: 8,
      });
      await fc.assert(
        fc.asyncProperty(groups, async (appended) => {
          await using database = await create();
          await using store = await open(database.url);
          const { events } = store;
          const revisions = new Map<string, number>();
          let seq = 0;
          for (const group of appended) {
            const added = await events.append(
              group.map((sessionId) => eventRow({ sessionId })),
              eachRevises,
            );
            const expected = group.map((sessionId) => {
              revisions.set(sessionId, (revisions.get(sessionId) ?? 0) + 1);
              return [(seq += 1), revisions.get(sessionId)];
            });
            expect(added.map((row) => [row?.seq, row?.revision])).toEqual(expected);
          }
          expect(seqs(await events.read(WHOLE))).toEqual(appended.flat().map((_, at) => at + 1));
          const newest = await events.newestRevisions([...revisions.keys()]);
          expect(new Map(newest.map(({ sessionId, revision }) => [sessionId, revision]))).toEqual(revisions);
        }),
        { numRuns: 20 },
      );
    });

    it("writes no row if revise returns null", async () => {
      const { events } = await fresh();
      const rows = ["a", "b", "a", "c", "b"].map((sessionId) => eventRow({ sessionId, assistantIds: ["1", "1", "2"] }));
      expect(await appendRows(events, rows)).toEqual([true, true, false, true, false]);
      expect(await appendRows(events, rows)).toEqual([false, false, false, false, false]);
      expect((await events.read(WHOLE)).map(({ sessionId }) => sessionId)).toEqual(["a", "b", "c"]);
    });

    it("stores a call once that is delivered 100 times at once", async () => {
      const { events } = await fresh();
      const groups = Array.from({ length: 100 }, () => appendRows(events, [eventRow({ sessionId: "a" })]));
      expect((await Promise.all(groups)).flat().filter(Boolean)).toHaveLength(1);
      expect(await events.read(WHOLE)).toHaveLength(1);
    });

    it("gives each of 40 simultaneous deliveries of a call its own revision", async () => {
      const { events } = await fresh();
      const groups = Array.from({ length: 40 }, () => events.append([eventRow({ sessionId: "a" })], eachRevises));
      const revisions = (await Promise.all(groups)).flat().map((row) => row?.revision ?? 0);
      expect(revisions.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    });

    it.each([
      ["upper and lower case", "a", "A"],
      ["a space at the end", "a", "a "],
      ["another normal form", "é", "e\u0301"],
      ["leading zeros", "7", "07"],
    ])("keeps calls apart that differ by %s", async (_, a, b) => {
      const { events } = await fresh();
      const rows = [a, b].map((sessionId) => eventRow({ sessionId }));
      expect(await appendRows(events, rows)).toEqual([true, true]);
      expect(seqs(await events.revisionsOf(a))).toEqual([1]);
      expect(seqs(await events.revisionsOf(b))).toEqual([2]);
    });
  });

  describe("append() of a group", () => {
    it("writes nothing of the group if one row cannot be written", async () => {
      const { events } = await fresh();
      const broken = eventRow({ sessionId: "b", data: null as unknown as string });
      const group = [eventRow({ sessionId: "a", assistantIds: ["1"] }), broken];
      await expect(appendRows(events, group)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(await events.read(WHOLE)).toEqual([]);
      expect(await appendRows(events, [eventRow({ sessionId: "a" })])).toEqual([true]);
    });

    it("writes nothing of the group if an assistant of a row cannot be written", async () => {
      const { events } = await fresh();
      const broken = eventRow({ sessionId: "a", assistantIds: ["1", null as unknown as string] });
      await expect(appendRows(events, [broken])).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(await events.read(WHOLE)).toEqual([]);
    });

    it("writes nothing of the group if revise throws", async () => {
      const { events } = await fresh();
      await appendRows(events, [eventRow({ sessionId: "a" })]);
      const revise: typeof firstOnly = (earlier, row) => {
        if (earlier.length > 0) throw new Error("revise failed");
        return row;
      };
      const group = ["b", "a"].map((sessionId) => eventRow({ sessionId }));
      await expect(events.append(group, revise)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(await events.revisionsOf("b")).toEqual([]);
    });

    it("accepts an empty group", async () => {
      const { events } = await fresh();
      expect(await events.append([], firstOnly)).toEqual([]);
      expect(await events.head()).toBe(0);
    });

    it("writes a group with 500 rows and 42,000 assistants", async () => {
      const { events } = await fresh();
      const assistantIds = Array.from({ length: 7000 }, (_, at) => String(at));
      const rows = Array.from({ length: 500 }, (_, at) =>
        eventRow({ sessionId: `s${at}`, assistantIds: at < 6 ? assistantIds : [] }),
      );
      expect((await appendRows(events, rows)).filter(Boolean)).toHaveLength(500);
      expect(await events.read({ ...WHOLE, filter: { assistantIds: ["6999"] } })).toHaveLength(6);
    });
  });

  describe("read() of appended rows", () => {
    it("starts at any position, goes in both directions, and returns at most the limit", async () => {
      const { events } = await fresh();
      expect(await events.head()).toBe(0);
      await appendRows(
        events,
        Array.from({ length: 9 }, (_, at) => eventRow({ sessionId: `s${at}` })),
      );
      const read = async (after: number | null, order: "oldestFirst" | "newestFirst", limit: number) =>
        seqs(await events.read({ ...WHOLE, after, order, limit }));
      expect(await read(null, "oldestFirst", 3)).toEqual([1, 2, 3]);
      expect(await read(7, "oldestFirst", 3)).toEqual([8, 9]);
      expect(await read(9, "oldestFirst", 3)).toEqual([]);
      expect(await read(null, "newestFirst", 3)).toEqual([9, 8, 7]);
      expect(await read(3, "newestFirst", 3)).toEqual([2, 1]);
      expect(await read(1, "newestFirst", 3)).toEqual([]);
      expect(await read(0, "newestFirst", 3)).toEqual([]);
      expect(await events.head()).toBe(9);
    });

    it("shows no row before its commit", async () => {
      const { events } = await fresh();
      const reads: Promise<unknown[]>[] = [];
      const revise: typeof firstOnly = (_, row) => {
        reads.push(events.read(WHOLE));
        if (row.sessionId === "c") throw new Error("the group fails at its last row");
        return row;
      };
      const group = ["a", "b", "c"].map((sessionId) => eventRow({ sessionId }));
      await expect(events.append(group, revise)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(await Promise.all(reads)).toEqual([[], [], []]);
    });
  });

  describe("read() of one row", () => {
    it("returns it unchanged after the database is opened again", async () => {
      const { url } = await create();
      const store = await open(url);
      const row = eventRow({ sessionId: "a", revision: 1, source: "RECONCILED", deliverySha256: "b".repeat(64) });
      await appendRows(store.events, [row]);
      await store[Symbol.asyncDispose]();
      const { sessionId, revision, source, deliverySha256, receivedAt, data } = row;
      const { events } = await tempStore(url);
      expect(await events.read(WHOLE)).toEqual([
        { seq: 1, sessionId, revision, source, deliverySha256, receivedAt, data, isIntact: true },
      ]);
    });

    it("returns ids beyond 2^53, text in any script, and 300,000 characters", async () => {
      const { events } = await fresh();
      const data = JSON.stringify({
        taskId: "9007199254740993123",
        extra: { 姓名: "张\0三\ud83d\ude00", __proto__: 1 },
      });
      const long = data + " ".repeat(300_000);
      await appendRows(events, [eventRow({ sessionId: "号😀", taskId: "9007199254740993123", data: long })]);
      const [row] = await events.read({ ...WHOLE, filter: { taskIds: ["9007199254740993123"] } });
      expect([row?.sessionId, row?.data === long]).toEqual(["号😀", true]);
      expect(await events.read({ ...WHOLE, filter: { taskIds: ["9007199254740993000"] } })).toEqual([]);
    });

    it("accepts durations of any size", async () => {
      const { events } = await fresh();
      const rows = [0, -1, 0.1, 2 ** 31, 2 ** 53, 1e300].map((duration, at) =>
        eventRow({ sessionId: `s${at}`, duration, billsec: duration }),
      );
      expect((await appendRows(events, rows)).filter(Boolean)).toHaveLength(6);
    });

    it("stores quotes as text", async () => {
      const { events } = await fresh();
      const sessionId = "'; drop table events; --";
      await appendRows(events, [eventRow({ sessionId, caller: sessionId })]);
      expect(await events.revisionsOf(sessionId)).toHaveLength(1);
      expect(await events.read({ ...WHOLE, filter: { phones: [sessionId] } })).toHaveLength(1);
      expect(await events.read({ ...WHOLE, filter: { phones: ["' or 1=1 --"] } })).toEqual([]);
    });
  });
}
