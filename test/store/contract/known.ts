import { describe, expect, it } from "vitest";
import { createQueryOwner } from "../../../src/store/scheduling/queryOwner.ts";
import type { SeenLine } from "../../../src/store/tasks/lineStore.ts";
import type { KnownTask } from "../../../src/store/tasks/taskStore.ts";
import type { DatabaseUnderTest } from "../databases.ts";
import { ANY_QUOTA, submission, tempStore } from "../tempStore.ts";

const at = (minute: number) => `2026-11-20T09:${String(minute).padStart(2, "0")}:00.000Z`;
const task = (taskId: string, minute: number, own: Partial<KnownTask> = {}): KnownTask => ({
  taskId,
  activeAt: at(minute),
  seenAt: at(minute),
  ...own,
});
const version = (assistantId: string, versionId: string, minute: number, data = `{"of":"${versionId}"}`) => ({
  assistantId,
  versionId,
  seenAt: at(minute),
  data,
});

export function knownContract({ create }: DatabaseUnderTest): void {
  const fresh = async () => tempStore((await create()).url);

  describe("Saving known tasks", () => {
    it("keeps the latest activity of a task, in any order of saves", async () => {
      const { knownTasks } = await fresh();
      await knownTasks.save([task("7", 5)]);
      await knownTasks.save([task("7", 3), task("8", 4)]);
      await knownTasks.save([task("7", 9, { seenAt: at(2) })]);
      await knownTasks.save([]);
      expect(await knownTasks.page({ after: null, limit: 9 })).toEqual([
        { taskId: "7", activeAt: at(9), seenAt: at(5) },
        { taskId: "8", activeAt: at(4), seenAt: at(4) },
      ]);
    });

    it("lists only the given tasks, and none of an empty list", async () => {
      const { knownTasks } = await fresh();
      await knownTasks.save([task("7", 1), task("8", 2), task("9", 3)]);
      const page = (taskIds: string[]) => knownTasks.page({ after: null, limit: 9, taskIds });
      expect((await page(["7", "9", "10"])).map(({ taskId }) => taskId)).toEqual(["9", "7"]);
      expect(await page([])).toEqual([]);
    });

    it("keeps the latest activity when several gateways save the same tasks at once", async () => {
      const { url } = await create();
      const stores = await Promise.all(
        (url.startsWith("file:") ? [url] : [url, url, url]).map((each) => tempStore(each)),
      );
      const all = Array.from({ length: 200 }, (_, index) => `${1 + (index % 50)}`);
      await Promise.all(
        Array.from({ length: 30 }, (_, index) => {
          const { knownTasks } = stores[index % stores.length] as (typeof stores)[number];
          const ids = [...new Set(index % 2 ? all : all.toReversed())];
          return knownTasks.save(ids.map((id) => task(id, index)));
        }),
      );
      const page = await stores[0]?.knownTasks.page({ after: null, limit: 100 });
      expect(page).toHaveLength(50);
      expect(new Set(page?.map(({ activeAt }) => activeAt))).toEqual(new Set([at(29)]));
    });

    it("lists each task once over all pages, by activity", async () => {
      const { knownTasks } = await fresh();
      await knownTasks.save([task("1", 1), task("10", 5), task("9", 5), task("2", 9)]);
      const order: string[] = [];
      for (let after: KnownTask | null = null; ;) {
        const [next]: KnownTask[] = await knownTasks.page({ after, limit: 1 });
        if (!next) break;
        order.push(next.taskId);
        after = next;
      }
      expect(order).toEqual(["2", "9", "10", "1"]);
    });
  });

  describe("Saving versions of assistants", () => {
    it("keeps versions apart, each as it was seen last", async () => {
      const { knownAssistants } = await fresh();
      await knownAssistants.save([version("1", "10", 1), version("1", "11", 2), version("2", "10", 3)]);
      await knownAssistants.save([version("1", "10", 0, "older"), version("2", "10", 4, "newer")]);
      const found = await knownAssistants.byVersions([
        { assistantId: "1", versionId: "10" },
        { assistantId: "2", versionId: "10" },
        { assistantId: "2", versionId: "11" },
      ]);
      expect(found.map(({ assistantId, data }) => `${assistantId} ${data}`).toSorted()).toEqual([
        '1 {"of":"10"}',
        "2 newer",
      ]);
      expect(await knownAssistants.byVersions([])).toEqual([]);
    });

    it("gives the version that was seen last as the latest", async () => {
      const { knownAssistants } = await fresh();
      await knownAssistants.save([version("1", "99", 1), version("1", "100", 5), version("1", "9", 3)]);
      expect(await knownAssistants.latest("1")).toMatchObject({ versionId: "100" });
      expect(await knownAssistants.latest("3")).toBeNull();
    });
  });

  describe("Listing known assistants", () => {
    const web = createQueryOwner("web");
    const ids = (found: readonly { assistantId: string }[]) => found.map(({ assistantId }) => assistantId);

    it("joins the versions of tasks with accepted submissions, the last seen first", async () => {
      const { knownAssistants, submissions } = await fresh();
      await knownAssistants.save([version("1", "10", 1), version("1", "9", 5), version("2", "20", 3)]);
      for (const [id, assistantId, status, minute] of [
        ["a", "1", "ACCEPTED", 9],
        ["b", "3", "ACCEPTED", 4],
        ["c", "4", "REJECTED", 4],
        ["d", "5", "UNCONFIRMED", 4],
      ] as const) {
        await submissions.claim(submission({ id, idempotencyKey: id, assistantId, submittedAt: at(minute) }), ANY_QUOTA);
        await submissions.settle(id, status);
      }
      await submissions.claim(submission({ id: "e", idempotencyKey: "e", assistantId: "6", submittedAt: at(4) }), ANY_QUOTA);
      expect(await knownAssistants.list(web, { first: [], limit: 9 })).toEqual([
        { assistantId: "1", seenAt: at(9), fromTask: true, fromSubmission: true, versionIds: ["9", "10"] },
        { assistantId: "3", seenAt: at(4), fromTask: false, fromSubmission: true, versionIds: [] },
        { assistantId: "2", seenAt: at(3), fromTask: true, fromSubmission: false, versionIds: ["20"] },
      ]);
      expect(await submissions.resolve("d", "77")).toBe("resolved");
      expect(ids(await knownAssistants.list(web, { first: [], limit: 9 }))).toEqual(["1", "5", "3", "2"]);
    });

    it("is bounded, with the wanted ones before the others, and ten versions each", async () => {
      const { knownAssistants } = await fresh();
      const versions = Array.from({ length: 12 }, (_, place) => version("1", `${place}`, place));
      await knownAssistants.save([...versions, version("2", "1", 20), version("3", "1", 30)]);
      const found = await knownAssistants.list(web, { first: ["1", "404"], limit: 2 });
      expect(ids(found)).toEqual(["1", "3"]);
      expect(found[0]?.versionIds).toEqual(["11", "10", "9", "8", "7", "6", "5", "4", "3", "2"]);
      expect(await (await fresh()).knownAssistants.list(web, { first: [], limit: 2 })).toEqual([]);
    });
  });

  describe("Saving known lines", () => {
    const line = (lineId: string, minute: number, own: Partial<SeenLine> = {}): SeenLine => ({
      lineId,
      seenAt: at(minute),
      fromTask: true,
      fromSubmission: false,
      ...own,
    });

    it("keeps the latest instant and both origins of a line, in any order of saves", async () => {
      const { knownLines } = await fresh();
      await knownLines.save([]);
      await knownLines.save([line("60", 5), line("61", 7)]);
      await knownLines.save([line("60", 3, { fromTask: false, fromSubmission: true })]);
      await knownLines.save([line("62", 7)]);
      expect(await knownLines.newest(9)).toEqual([
        line("62", 7),
        line("61", 7),
        line("60", 5, { fromSubmission: true }),
      ]);
      expect(await knownLines.newest(1)).toEqual([line("62", 7)]);
      expect(await knownLines.byIds(["61", "404"])).toEqual([line("61", 7)]);
      expect(await knownLines.byIds([])).toEqual([]);
    });

    it("keeps a line that was seen since the instant of a purge", async () => {
      const { knownLines } = await fresh();
      await knownLines.save([1, 2, 3, 4].map((minute) => line(`${minute}`, minute)));
      const purge = () => knownLines.purge(at(4), 2);
      expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0]);
      expect(await knownLines.newest(9)).toEqual([line("4", 4)]);
    });

    it("loses a line whose ID is an erased phone number", async () => {
      const { knownLines, eraser } = await fresh();
      await knownLines.save([line("13800010001", 1), line("60", 1)]);
      const text = (given: string) => given === "13800010001";
      const match = { number: "", event: () => false, delivery: () => false, text, inputLine: () => false };
      await eraser.erase(match, async () => undefined, { actor: "ops", at: "2026-11-20T09:40:00.000Z" });
      expect(await knownLines.newest(9)).toEqual([line("60", 1)]);
    });
  });

  describe("Purging known tasks and assistants", () => {
    it("deletes only what was last seen before the instant", async () => {
      const { knownTasks, knownAssistants } = await fresh();
      await knownTasks.save([1, 2, 3, 4].map((minute) => task(`${minute}`, minute)));
      await knownAssistants.save([1, 2, 3, 4].map((minute) => version("1", `${minute}`, minute)));
      for (const store of [knownTasks, knownAssistants]) {
        expect([await store.purge(at(4), 2), await store.purge(at(4), 2), await store.purge(at(4), 2)]).toEqual([
          2, 1, 0,
        ]);
      }
      expect((await knownTasks.page({ after: null, limit: 9 })).map(({ taskId }) => taskId)).toEqual(["4"]);
      expect(await knownAssistants.latest("1")).toMatchObject({ versionId: "4" });
    });
  });
}
