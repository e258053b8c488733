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

  describe("rows beyond their time are purged from the old end of the log", () => {
    it("so many at once, until none is left of them", async () => {
      const events = await withRowsOfDays(1, 2, 3, 4, 5);
      expect(await events.purgedThrough()).toBe(0);
      expect(await events.purge(onDay(4), 2)).toBe(2);
      expect([await events.purgedThrough(), seqs(await events.read(WHOLE))]).toEqual([2, [3, 4, 5]]);
      expect(await events.purge(onDay(4), 2)).toBe(1);
      expect([await events.purgedThrough(), seqs(await events.read(WHOLE))]).toEqual([3, [4, 5]]);
      expect(await events.purge(onDay(4), 2)).toBe(0);
      expect([await events.purgedThrough(), await events.head()]).toEqual([3, 5]);
    });

    it("never purges a row after a younger one, so that no gap is left", async () => {
      const events = await withRowsOfDays(1, 9, 2, 3);
      expect(await events.purge(onDay(5), 100)).toBe(1);
      expect(seqs(await events.read(WHOLE))).toEqual([2, 3, 4]);
    });

    it("with what belongs to them", async () => {
      const events = await withRowsOfDays(1, 2);
      await events.purge(onDay(2), 100);
      expect(await events.read({ ...WHOLE, filter: { assistantIds: ["0"] } })).toEqual([]);
      expect(await events.read({ ...WHOLE, filter: { assistantIds: ["1"] } })).toHaveLength(1);
    });

    it("purges nothing from an empty log", async () => {
      const events = await withRowsOfDays();
      expect([await events.purge(onDay(5), 100), await events.purgedThrough(), await events.head()]).toEqual([0, 0, 0]);
    });

    it("also when two do it at once: the mark never goes back", async () => {
      const { url } = await create();
      const { events } = await tempStore(url);
      const rows = Array.from({ length: 300 }, (_, at) => eventRow({ sessionId: `s${at}`, receivedAt: onDay(1) }));
      await appendRows(events, rows);
      const marks: number[] = [];
      const purge = async () => {
        while ((await events.purge(onDay(2), 7)) > 0) marks.push(await events.purgedThrough());
      };
      await Promise.all([purge(), purge(), purge()]);
      expect(await events.purgedThrough()).toBe(300);
      expect(await events.read(WHOLE)).toEqual([]);
    });
  });

  describe("a log that was purged empty", () => {
    it("still ends where it ended, also for whoever opens it next", async () => {
      const { url } = await create();
      const first = await open(url);
      await appendRows(first.events, [eventRow({ sessionId: "a" }), eventRow({ sessionId: "b" })]);
      await first.events.purge("2027", 100);
      await first[Symbol.asyncDispose]();
      const { events } = await tempStore(url);
      expect([await events.head(), await events.purgedThrough()]).toEqual([2, 2]);
    });

    it("never gives a place twice", async () => {
      const events = await withRowsOfDays(1, 2);
      await events.purge(onDay(9), 100);
      await appendRows(events, [eventRow({ sessionId: "c" })]);
      expect(seqs(await events.read(WHOLE))).toEqual([3]);
      expect([await events.head(), await events.purgedThrough()]).toEqual([3, 2]);
    });
  });

  describe("a call of which the first revision was purged", () => {
    it("goes on counting, and is told at the first that is left", async () => {
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
