import { describe, expect, it } from "vitest";
import type { DatabaseUnderTest } from "../databases.ts";
import { appendRows, eachRevises, eventRow, open, seqs, tempStore, WHOLE } from "../tempStore.ts";

const onDay = (day: number) => `2026-11-${String(day).padStart(2, "0")}T00:00:00.000Z`;

export function purgeContract({ create }: DatabaseUnderTest): void {
  async function withRowsOfDays(...days: number[]) {
    const store = await tempStore((await create()).url);
    const rows = days.map((day, at) =>
      eventRow({ sessionId: `s${at}`, receivedAt: onDay(day), assistantIds: [String(at)] }),
    );
    await appendRows(store.events, rows);
    return store.events;
  }

  describe("purge() of the event log", () => {
    it("deletes at most the limit of expired rows at once, oldest first", async () => {
      const events = await withRowsOfDays(1, 2, 3, 4, 5);
      expect(await events.purgedThrough()).toBe(0);
      expect(await events.purge(onDay(4), 2)).toBe(2);
      expect([await events.purgedThrough(), seqs(await events.read(WHOLE))]).toEqual([2, [3, 4, 5]]);
      expect(await events.purge(onDay(4), 2)).toBe(1);
      expect([await events.purgedThrough(), seqs(await events.read(WHOLE))]).toEqual([3, [4, 5]]);
      expect(await events.purge(onDay(4), 2)).toBe(0);
      expect([await events.purgedThrough(), await events.head()]).toEqual([3, 5]);
    });

    it("stops at the first row that has not expired, so that no gap is left", async () => {
      const events = await withRowsOfDays(1, 9, 2, 3);
      expect(await events.purge(onDay(5), 100)).toBe(1);
      expect(seqs(await events.read(WHOLE))).toEqual([2, 3, 4]);
    });

    it("deletes the assistants of the rows too", async () => {
      const events = await withRowsOfDays(1, 2);
      await events.purge(onDay(2), 100);
      expect(await events.read({ ...WHOLE, filter: { assistantIds: ["0"] } })).toEqual([]);
      expect(await events.read({ ...WHOLE, filter: { assistantIds: ["1"] } })).toHaveLength(1);
    });

    it("deletes nothing from an empty log", async () => {
      const events = await withRowsOfDays();
      expect([await events.purge(onDay(5), 100), await events.purgedThrough(), await events.head()]).toEqual([0, 0, 0]);
    });

    it("of imported rows goes by the end of their calls, wherever they are, and gives no position out twice", async () => {
      const events = await withRowsOfDays(9);
      const imported = (sessionId: string, day: number) =>
        eventRow({ sessionId, source: "IMPORTED", receivedAt: onDay(9), endedAt: onDay(day) });
      await appendRows(events, [imported("a", 2), eventRow({ sessionId: "b", endedAt: onDay(1) }), imported("c", 3)]);
      expect(await events.purgeImported(onDay(4), 1)).toBe(1);
      expect(await events.purgeImported(onDay(4), 10)).toBe(1);
      expect(await events.purgeImported(onDay(4), 10)).toBe(0);
      expect([await events.purgedThrough(), await events.head(), seqs(await events.read(WHOLE))]).toEqual([0, 4, [1, 3]]);
      await appendRows(events, [eventRow({ sessionId: "d" })]);
      expect(seqs(await events.read(WHOLE))).toEqual([1, 3, 5]);
    });

    it("never lowers purgedThrough when three purges run at once", async () => {
      const { url } = await create();
      const { events } = await tempStore(url);
      const rows = Array.from({ length: 300 }, (_, at) => eventRow({ sessionId: `s${at}`, receivedAt: onDay(1) }));
      await appendRows(events, rows);
      const positions: number[] = [];
      const purge = async () => {
        while ((await events.purge(onDay(2), 7)) > 0) positions.push(await events.purgedThrough());
      };
      await Promise.all([purge(), purge(), purge()]);
      expect(await events.purgedThrough()).toBe(300);
      expect(await events.read(WHOLE)).toEqual([]);
    });
  });

  describe("A log whose events were all purged", () => {
    it("keeps its head after the database is opened again", async () => {
      const { url } = await create();
      const first = await open(url);
      await appendRows(first.events, [eventRow({ sessionId: "a" }), eventRow({ sessionId: "b" })]);
      await first.events.purge("2027", 100);
      await first[Symbol.asyncDispose]();
      const { events } = await tempStore(url);
      expect([await events.head(), await events.purgedThrough()]).toEqual([2, 2]);
    });

    it("never uses a position twice", async () => {
      const events = await withRowsOfDays(1, 2);
      await events.purge(onDay(9), 100);
      await appendRows(events, [eventRow({ sessionId: "c" })]);
      expect(seqs(await events.read(WHOLE))).toEqual([3]);
      expect([await events.head(), await events.purgedThrough()]).toEqual([3, 2]);
    });
  });

  describe("A call whose first revision was purged", () => {
    it("continues its revision numbers, and is read at its first remaining revision", async () => {
      const { events } = await tempStore((await create()).url);
      await events.append([eventRow({ sessionId: "a", receivedAt: onDay(1) })], eachRevises);
      await events.append([eventRow({ sessionId: "a", receivedAt: onDay(2) })], eachRevises);
      await events.purge(onDay(2), 100);
      await events.append([eventRow({ sessionId: "a", receivedAt: onDay(3) })], eachRevises);
      expect((await events.revisionsOf("a")).map(({ revision }) => revision)).toEqual([2, 3]);
      expect(seqs(await events.read({ ...WHOLE, revisions: false }))).toEqual([2]);
    });
  });
}
