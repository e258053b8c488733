import { expect, it } from "vitest";
import type { Read } from "../../src/store/scheduling/viewerReads.ts";
import { createDoNotCallList } from "../../src/tasks/doNotCallList.ts";
import { createTimeSlices } from "../../src/util/timeSlices.ts";
import { tempStore } from "../store/tempStore.ts";

/** A list with one number, and the viewers in whose turns the database was read. */
async function listOf(number: string) {
  const store = await tempStore();
  const readers: string[] = [];
  const queuedRead: Read = (owner, key, query) => {
    readers.push(owner.name);
    return store.queuedRead(owner, key, query);
  };
  const list = createDoNotCallList({ store: store.doNotCall, queuedRead, slices: createTimeSlices(), clock: Date.now });
  await list.add([number], "ops");
  return { list, readers };
}

const spentMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Processor time of the longest turn of the event loop, and in total, while the work runs. */
async function turnsDuring(work: () => Promise<void>) {
  let longestMs = 0;
  let isOver = false;
  const begin = spentMs();
  let last = begin;
  const watch = () => {
    const now = spentMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  await work();
  isOver = true;
  return { longestMs, totalMs: spentMs() - begin };
}

it("A list of 100,000 numbers is looked up in many short turns of the event loop, and in the viewer's turns of the database", async () => {
  const { list, readers } = await listOf("+12025550101");
  const numbers = Array.from({ length: 100_000 }, (_, at) => `+1202${String(5_500_000 + at)}`);
  const { longestMs, totalMs } = await turnsDuring(async () => {
    expect(await list.find([...numbers, "2025550101"], "creator")).toEqual([50_101, 100_000]);
  });
  expect(longestMs).toBeLessThan(totalMs / 4);
  expect(new Set(readers)).toEqual(new Set(["creator"]));
});

it("Many spellings of one number are looked up once", async () => {
  const { list, readers } = await listOf("+12025550101");
  const spellings = Array.from({ length: 20_000 }, (_, at) => `+1 202 555 0101${" ".repeat(at % 10)}`);
  expect(await list.find(spellings, "creator")).toHaveLength(20_000);
  expect(readers).toHaveLength(2);
});

it("A number without + protects both of its readings, until it is removed", async () => {
  const { list } = await listOf("33612345678");
  const writings = ["33612345678", "+33 6 12 34 56 78", "06 12 34 56 78", "0033612345678"];
  expect(await list.find(writings, "creator")).toEqual([0, 1, 2, 3]);
  await list.remove(["33612345678"], "ops");
  expect(await list.find(writings, "creator")).toEqual([]);
});

it.each([
  ["+34 911123456", "7911123456"],
  ["+376 123456", "690123456"],
  ["911123456", "34911123456"],
])("The entry %s stays when somebody removes %s, which ends alike", async (entry, removed) => {
  const { list } = await listOf(entry);
  await list.add([removed], "ops");
  await list.remove([removed], "ops");
  expect(await list.find([entry], "creator")).toEqual([0]);
});
