import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ErasureMatch } from "../../../src/store/events/erasureMatch.ts";
import type { Revise } from "../../../src/store/events/eventStore.ts";
import type { DatabaseUnderTest } from "../databases.ts";
import { eachRevises, eventRow, firstOnly, open, tempStore } from "../tempStore.ts";

type Row = ReturnType<typeof eventRow> & { body: Uint8Array | null };

const delivery = (sessionId: string, body: string | Uint8Array | null, day = 20): Row => ({
  ...eventRow({ sessionId, receivedAt: `2026-11-${day}T09:30:00.000Z` }),
  body: typeof body === "string" ? Buffer.from(body) : body,
});
const revise: Revise<Row> = (earlier, row) => eachRevises(earlier, row);
const once: Revise<Row> = (earlier, row) => firstOnly(earlier, row);
/** Matches calls by their session id, and bodies by their text. */
const matching = (call: string, text: string): ErasureMatch => ({
  number: "", event: (data) => data.includes(call),
  delivery: (body) => Buffer.from(body).includes(text),
  text: () => false,
  inputLine: () => false,
});
const noFiles = async () => undefined;
const BY = { actor: "ops", at: "2026-11-20T09:40:00.000Z" };
const textOf = (body: Uint8Array | null) => (body === null ? null : Buffer.from(body).toString());

export function rawDeliveryContract({ create }: DatabaseUnderTest): void {
  const fresh = async () => tempStore((await create()).url);

  describe("Raw deliveries", () => {
    it("are kept byte by byte with the entries that they brought, in the same commit", async () => {
      const { events, rawDeliveries } = await fresh();
      const bytes = randomBytes(3000);
      const rows = [delivery("a", bytes), delivery("b", null), delivery("a", "again"), delivery("c", "{}")];
      await events.append(rows, once);
      const failing = () => {
        throw new Error("no");
      };
      await expect(events.append([delivery("d", "lost")], failing)).rejects.toThrow();
      await events.append([delivery("e", "{5}")], once);
      const kept = await Promise.all([1, 2, 3, 4, 5, 99].map((seq) => rawDeliveries.at(seq)));
      expect(Buffer.from(kept[0] ?? []).equals(bytes)).toBe(true);
      expect(kept.slice(1).map(textOf)).toEqual([null, "{}", "{5}", null, null]);
    });

    it("are read in pages, each call with all of its kept deliveries", async () => {
      const { events, rawDeliveries } = await fresh();
      await events.append([delivery("a", "a1"), delivery("b", "b1")], revise);
      for (let commit = 0; commit < 20; commit += 1) await events.append([delivery(`c${commit}`, "c")], revise);
      await events.append([delivery("a", "a2"), delivery("b", null)], revise);
      const first = await rawDeliveries.page(0);
      expect(first).toMatchObject({ read: 21, damaged: 0, through: 21, hasMore: true });
      expect(first.calls[0]?.deliveries.map(({ revision, body }) => [revision, textOf(body)])).toEqual([
        [1, "a1"],
        [2, "a2"],
      ]);
      const last = await rawDeliveries.page(22);
      expect(last).toMatchObject({ read: 1, through: 23, hasMore: false });
      expect(last.calls.map(({ sessionId }) => sessionId)).toEqual(["a"]);
      expect((await rawDeliveries.page(1)).calls[0]?.sessionId).toBe("b");
      expect(await rawDeliveries.page(23)).toMatchObject({ calls: [], read: 0, through: 23, hasMore: false });
    });

    it("are counted once where the disk has damaged the last frame of a page", async () => {
      const { url, ask } = await create();
      const before = await open(url);
      for (let commit = 0; commit < 19; commit += 1) await before.events.append([delivery(`c${commit}`, "c")], revise);
      await before.events.append([delivery("d", "d"), delivery("e", "e")], revise);
      await before.events.append([delivery("f", "f")], revise);
      await before[Symbol.asyncDispose]();
      const zero = url.startsWith("file:") ? "x'00'" : "'\\x00'";
      await ask(`update raw_deliveries set bodies = ${zero} where first_seq = 20`);
      const { rawDeliveries } = await tempStore(url);
      const first = await rawDeliveries.page(0);
      expect(first).toMatchObject({ read: 19, damaged: 1, hasMore: true });
      expect(await rawDeliveries.page(first.through)).toMatchObject({ read: 1, damaged: 0, hasMore: false });
    });

    it("stay within a frame's size, also where bodies are large", async () => {
      const { url, ask } = await create();
      const store = await open(url);
      await store.events.append(
        Array.from({ length: 9 }, (_, at) => delivery(`s${at}`, randomBytes(256 * 1024))),
        revise,
      );
      expect((await store.rawDeliveries.at(9))?.byteLength).toBe(256 * 1024);
      await store[Symbol.asyncDispose]();
      const frames = await ask("select first_seq from raw_deliveries order by first_seq");
      expect(frames.map((row) => Number(row["first_seq"]))).toEqual([1, 5, 9]);
    });

    it("are purged oldest first, and their entries stay", async () => {
      const { events, rawDeliveries } = await fresh();
      for (const day of [10, 11, 12]) await events.append([delivery(`s${day}`, "x", day)], revise);
      expect(await rawDeliveries.purge("2026-11-12T00:00:00.000Z", 1)).toBe(1);
      expect(await rawDeliveries.purge("2026-11-12T00:00:00.000Z", 100)).toBe(1);
      expect(await Promise.all([1, 2, 3].map(async (seq) => textOf(await rawDeliveries.at(seq))))).toEqual([
        null,
        null,
        "x",
      ]);
      expect(await events.head()).toBe(3);
    });

    it("are kept if they came at the very instant before which others are purged", async () => {
      const { events, rawDeliveries } = await fresh();
      await events.append([{ ...delivery("a", "x"), receivedAt: "2026-11-12T00:00:00.000Z" }], revise);
      expect(await rawDeliveries.purge("2026-11-12T00:00:00.000Z", 100)).toBe(0);
      expect(await rawDeliveries.purge("2026-11-12T00:00:00.001Z", 100)).toBe(1);
    });

    it("are not shown once their entry is purged", async () => {
      const { events, rawDeliveries } = await fresh();
      await events.append([delivery("a", "x"), delivery("b", "y")], revise);
      await events.purge("2026-11-30", 1);
      expect([await rawDeliveries.at(1), textOf(await rawDeliveries.at(2))]).toEqual([null, "y"]);
      expect((await rawDeliveries.page(0)).calls.map(({ sessionId }) => sessionId)).toEqual(["b"]);
    });
  });

  describe("Erasing a number", () => {
    it("erases the deliveries of its calls, and each other body that holds it, and nothing else", async () => {
      const { events, eraser, rawDeliveries } = await fresh();
      const bodies = ["plain", "also plain", "holds Li", "plain"];
      await events.append(
        bodies.map((body, at) => delivery(`call-${at}`, body)),
        revise,
      );
      await events.append([delivery("call-0", "later"), delivery("call-9", "Li too")], revise);
      const late = async () => void (await events.append([delivery("call-10", "late Li")], revise));
      const erased = await eraser.erase(matching("call-0", "Li"), late, BY);
      expect(erased).toMatchObject({ sessionIds: ["call-0"], events: 2, rawDeliveries: 5 });
      const { calls } = await rawDeliveries.page(0);
      const left = calls.map(({ sessionId, deliveries: [first] }) => [sessionId, textOf(first?.body ?? null)]);
      expect(left).toEqual([
        ["call-1", "also plain"],
        ["call-3", "plain"],
      ]);
      expect(await events.head()).toBe(7);
      expect(await eraser.erase(matching("call-0", "Li"), noFiles, BY)).toMatchObject({ events: 0, rawDeliveries: 0 });
    });

    it("erases an old delivery of its calls beside a newer one that holds it", async () => {
      const { events, eraser, rawDeliveries } = await fresh();
      await events.append([delivery("call-0", "plain")], revise);
      await events.append([delivery("call-1", "holds Li")], revise);
      expect(await eraser.erase(matching("call-0", "Li"), noFiles, BY)).toMatchObject({ events: 1, rawDeliveries: 2 });
      expect((await rawDeliveries.page(0)).calls).toEqual([]);
    });

    it("erases deliveries that the disk has damaged, because nobody knows what they hold", async () => {
      const { url, ask } = await create();
      const before = await open(url);
      for (const id of ["a", "b"]) await before.events.append([delivery(id, id)], revise);
      await before[Symbol.asyncDispose]();
      const zero = url.startsWith("file:") ? "x'00'" : "'\\x00'";
      await ask(`update raw_deliveries set bodies = ${zero} where first_seq = 1`);
      const { eraser, rawDeliveries } = await tempStore(url);
      expect(await rawDeliveries.page(0)).toMatchObject({ read: 1, damaged: 1 });
      expect(await rawDeliveries.at(1)).toBeNull();
      expect((await eraser.erase(matching("-", "-"), noFiles, BY)).rawDeliveries).toBe(1);
      expect(await rawDeliveries.page(0)).toMatchObject({ read: 1, damaged: 0 });
    });
  });
}
