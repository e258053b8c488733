import { describe, expect, it } from "vitest";
import { eventRow, tempFile, tempStore } from "./tempStore.ts";
import { openStore } from "../../src/store/store.ts";

const all = { filter: {}, after: null, order: "oldestFirst", limit: 1000 } as const;

describe("a call is in the log once", () => {
  it("whatever comes again, and whatever it says then", async () => {
    const { events } = await tempStore();
    const first = eventRow({ sessionId: "a", data: '{"n":1}' });
    expect(await events.append([first])).toEqual([true]);
    expect(await events.append([{ ...first, data: '{"n":2}', assistantIds: ["1"] }])).toEqual([false]);
    expect(await events.read(all)).toEqual([{ seq: 1, receivedAt: first.receivedAt, data: '{"n":1}' }]);
  });

  it("also within one group", async () => {
    const { events } = await tempStore();
    const rows = ["a", "b", "a", "c", "b"].map((sessionId) => eventRow({ sessionId, assistantIds: ["1", "1", "2"] }));
    expect(await events.append(rows)).toEqual([true, true, false, true, false]);
    expect((await events.read(all)).map(({ data }) => data)).toEqual(
      ["a", "b", "c"].map((sessionId) => JSON.stringify({ sessionId })),
    );
  });

  it.each([
    ["upper and lower case", "a", "A"],
    ["a space behind", "a", "a "],
    ["what follows a NUL", "a\0b", "a\0c"],
    ["another normal form", "é", "e\u0301"],
    ["leading zeros", "7", "07"],
  ])("and calls that differ by %s are two", async (_, a, b) => {
    const { events } = await tempStore();
    expect(await events.append([eventRow({ sessionId: a }), eventRow({ sessionId: b })])).toEqual([true, true]);
    expect((await events.bySession(a))?.seq).toBe(1);
    expect((await events.bySession(b))?.seq).toBe(2);
  });
});

describe("a group is kept whole or not at all", () => {
  it("when one of it cannot be written", async () => {
    const { events } = await tempStore();
    const broken = eventRow({ sessionId: "b", data: null as unknown as string });
    const group = [eventRow({ sessionId: "a" }), broken];
    await expect(events.append(group)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await events.read(all)).toEqual([]);
    expect(await events.append([eventRow({ sessionId: "a" })])).toEqual([true]);
  });

  it("and none is one too", async () => {
    const { events } = await tempStore();
    expect(await events.append([])).toEqual([]);
    expect(await events.head()).toBe(0);
  });
});

describe("rows are read in the order they were appended", () => {
  it("from any place, in both directions, so many at a time", async () => {
    const { events } = await tempStore();
    await events.append(Array.from({ length: 9 }, (_, at) => eventRow({ sessionId: `s${at}` })));
    const seqs = async (after: number | null, order: "oldestFirst" | "newestFirst", limit: number) =>
      (await events.read({ filter: {}, after, order, limit })).map(({ seq }) => seq);
    expect(await seqs(null, "oldestFirst", 3)).toEqual([1, 2, 3]);
    expect(await seqs(7, "oldestFirst", 3)).toEqual([8, 9]);
    expect(await seqs(9, "oldestFirst", 3)).toEqual([]);
    expect(await seqs(null, "newestFirst", 3)).toEqual([9, 8, 7]);
    expect(await seqs(3, "newestFirst", 3)).toEqual([2, 1]);
    expect(await seqs(1, "newestFirst", 3)).toEqual([]);
    expect(await seqs(0, "newestFirst", 3)).toEqual([]);
  });

  it("and a place is never given twice, not even after its row is gone", async () => {
    const file = tempFile();
    const store = await openStore(file);
    await store.events.append([eventRow({ sessionId: "a" }), eventRow({ sessionId: "b" })]);
    await store[Symbol.asyncDispose]();
    const { DatabaseSync } = await import("node:sqlite");
    {
      using database = new DatabaseSync(file);
      database.exec("delete from events");
    }
    const { events } = await tempStore(file);
    await events.append([eventRow({ sessionId: "c" })]);
    expect((await events.bySession("c"))?.seq).toBe(3);
  });
});

describe("what was written is read as it was", () => {
  it("ids beyond 2^53, any script, and any length", async () => {
    const { events } = await tempStore();
    const data = JSON.stringify({ taskId: "9007199254740993123", extra: { 姓名: "张\0三\ud83d\ude00", __proto__: 1 } });
    await events.append([
      eventRow({ sessionId: "号", taskId: "9007199254740993123", data: data + " ".repeat(300_000) }),
    ]);
    const [row] = await events.read({ ...all, filter: { taskIds: ["9007199254740993123"] } });
    expect(row?.data.trim()).toBe(data);
    expect(await events.read({ ...all, filter: { taskIds: ["9007199254740993000"] } })).toEqual([]);
  });

  it("and quotes are no SQL", async () => {
    const { events } = await tempStore();
    const sessionId = "'; drop table events; --";
    await events.append([eventRow({ sessionId, caller: sessionId })]);
    expect(await events.bySession(sessionId)).not.toBeNull();
    expect(await events.read({ ...all, filter: { phone: sessionId } })).toHaveLength(1);
    expect(await events.read({ ...all, filter: { phone: "' or 1=1 --" } })).toEqual([]);
  });
});
