import { describe, expect, it } from "vitest";
import type { DatabaseUnderTest } from "../databases.ts";
import { ANY_QUOTA, submission, tempStore } from "../tempStore.ts";

const FACTS = {
  taskId: "70",
  name: "Reminder",
  assistantId: "9007199254740993123",
  total: 2,
  submittedFrom: "2026-11-20T09:29:00.000Z",
  submittedUntil: "2026-11-20T09:31:00.999Z",
  submittedUntilWithClockError: "2026-11-20T09:46:00.000Z",
};

export function submissionContract({ create }: DatabaseUnderTest): void {
  async function storeWith(...own: Parameters<typeof submission>[0][]) {
    const store = await tempStore((await create()).url);
    for (const one of own) await store.submissions.claim(submission({ idempotencyKey: one.id, ...one }), ANY_QUOTA);
    return store;
  }

  describe("A submission", () => {
    it("leaves PENDING and UNCONFIRMED, and keeps a settled status", async () => {
      const { submissions } = await storeWith({ id: "a" });
      const statusAfter = async (change: Promise<unknown>) => {
        await change;
        return (await submissions.byId("a"))?.status;
      };
      expect(await statusAfter(submissions.settle("a", "UNCONFIRMED"))).toBe("UNCONFIRMED");
      expect(await statusAfter(submissions.settle("a", "ACCEPTED"))).toBe("ACCEPTED");
      expect(await statusAfter(submissions.settle("a", "UNCONFIRMED"))).toBe("ACCEPTED");
      expect(await submissions.resolve("a", "7")).toBe("resolved");
      expect(await statusAfter(submissions.settle("a", "REJECTED"))).toBe("RESOLVED");
      expect(await statusAfter(submissions.release("a"))).toBe("RESOLVED");
    });

    it("is resolved once, not by another task, and not after a rejection", async () => {
      const { submissions } = await storeWith({ id: "a" }, { id: "b", status: "REJECTED" });
      expect(await submissions.resolve("a", "7")).toBe("resolved");
      expect(await submissions.resolve("a", "7")).toBe("known");
      expect(await submissions.resolve("a", "8")).toBe("contradicted");
      expect(await submissions.resolve("b", "9")).toBe("contradicted");
      expect(await submissions.resolve("c", "9")).toBe("unknown");
      expect(await submissions.byId("a")).toMatchObject({ status: "RESOLVED", taskId: "7" });
      expect(await submissions.byId("b")).toMatchObject({ status: "REJECTED", taskId: null });
      expect(await submissions.hasOpen()).toBe(false);
    });

    it("is found by its id, and not by a text with a NUL", async () => {
      const { submissions } = await storeWith({ id: "a" });
      const found = await Promise.all(["a", "b", "a\0"].map((id) => submissions.byId(id)));
      expect(found.map((one) => one?.id)).toEqual(["a", undefined, undefined]);
    });

    it("is found by its key only for its own viewer", async () => {
      const { submissions } = await storeWith({ id: "a" }, { id: "b", viewer: "ops", idempotencyKey: "a" });
      expect((await submissions.byKey("web", "a"))?.id).toBe("a");
      expect((await submissions.byKey("ops", "a"))?.id).toBe("b");
      expect(await submissions.byKey("ops", "b")).toBeNull();
    });

    it("claims its key or learns the holder, also while others release the key", async () => {
      const { submissions } = await storeWith();
      const contend = async (id: string) => {
        for (let round = 0; round < 60; round += 1) {
          const claim = await submissions.claim(submission({ id: `${id}${round}`, idempotencyKey: "one" }), ANY_QUOTA);
          if (claim.claimed) await submissions.release(`${id}${round}`);
          else expect(claim.holder?.idempotencyKey).toBe("one");
        }
      };
      await Promise.all(["a", "b", "c", "d"].map(contend));
    });

    it("is listed newest first, page by page", async () => {
      const at = (minute: number) => `2026-11-20T09:${minute}:00.000Z`;
      const { submissions } = await storeWith(
        { id: "a", submittedAt: at(11) },
        { id: "c", submittedAt: at(12) },
        { id: "b", submittedAt: at(12) },
        { id: "d", submittedAt: at(10) },
      );
      const page = async (after: { submittedAt: string; id: string } | null, limit = 2) =>
        (await submissions.page({ after, limit })).map(({ id }) => id);
      expect(await page(null)).toEqual(["c", "b"]);
      expect(await page({ submittedAt: at(12), id: "b" })).toEqual(["a", "d"]);
      expect(await page({ submittedAt: at(10), id: "d" })).toEqual([]);
    });

    it("frees its key when it is purged", async () => {
      const { submissions } = await storeWith({ id: "a" }, { id: "b", submittedAt: "2026-11-21T00:00:00.000Z" });
      expect(await submissions.purge("2026-11-20T10:00:00.000Z", 10)).toBe(1);
      expect((await submissions.page({ after: null, limit: 10 })).map(({ id }) => id)).toEqual(["b"]);
      expect(await submissions.claim(submission({ id: "c", idempotencyKey: "a" }), ANY_QUOTA)).toEqual({ claimed: true });
    });
  });

  describe("matchedBy of a submission", () => {
    const matchOf = async (store: Awaited<ReturnType<typeof storeWith>>) => {
      const { status, taskId, matchedBy } = (await store.submissions.byId("a")) ?? {};
      return [status, taskId, matchedBy];
    };

    it("is null until the task is found, then MARK or COMPARISON", async () => {
      const store = await storeWith({ id: "a" }, { id: "b", name: "Other" });
      expect(await matchOf(store)).toEqual(["PENDING", null, null]);
      await store.taskComparisons.compare(FACTS);
      expect(await matchOf(store)).toEqual(["RESOLVED", "70", "COMPARISON"]);
      await store.submissions.resolve("b", "71");
      expect(await store.submissions.byId("b")).toMatchObject({ matchedBy: "MARK" });
    });

    it.each(["70", "71"])(
      "becomes MARK if the token names task %s after a comparison found task 70",
      async (taskId) => {
        const store = await storeWith({ id: "a" });
        await store.taskComparisons.compare(FACTS);
        expect(await store.submissions.resolve("a", taskId)).toBe("resolved");
        expect(await matchOf(store)).toEqual(["RESOLVED", taskId, "MARK"]);
        expect(await store.submissions.resolve("a", "72")).toBe("contradicted");
      },
    );
  });

  describe("A submission without a correlation token", () => {
    const withoutToken = (own: Parameters<typeof submission>[0]) => ({
      hasToken: false,
      status: "ACCEPTED" as const,
      ...own,
    });

    it("is matched by comparison to a task without a token", async () => {
      const { taskComparisons, submissions } = await storeWith(withoutToken({ id: "a" }), {
        id: "withToken",
        status: "ACCEPTED",
      });
      await taskComparisons.add(["70"], { at: "2026", candidates: "withoutToken" });
      expect(await taskComparisons.listWaiting(10)).toEqual(["70"]);
      expect(await taskComparisons.compare(FACTS)).toEqual({ kind: "found", submissionId: "a" });
      expect(await submissions.byId("withToken")).toMatchObject({ status: "ACCEPTED", taskId: null });
      expect(await taskComparisons.listWaiting(10)).toEqual([]);
    });

    it("is the only kind that is compared with a task without a token", async () => {
      const { taskComparisons } = await storeWith({ id: "withToken", status: "ACCEPTED" });
      await taskComparisons.add(["70"], { at: "2026", candidates: "any" });
      await taskComparisons.add(["70"], { at: "2026", candidates: "withoutToken" });
      expect(await taskComparisons.compare(FACTS)).toEqual({ kind: "none" });
    });

    it.each([
      ["its own creation is unconfirmed", [withoutToken({ id: "a", status: "UNCONFIRMED" })]],
      [
        "the creation of an equal one is unconfirmed",
        [withoutToken({ id: "a" }), withoutToken({ id: "b", status: "UNCONFIRMED" })],
      ],
      [
        "the request of an equal one is in flight",
        [withoutToken({ id: "a" }), withoutToken({ id: "b", status: "PENDING" })],
      ],
      ["its name differs in a letter's case", [withoutToken({ id: "a", name: "reminder" })]],
      ["its name differs in a blank", [withoutToken({ id: "a", name: "Reminder " })]],
      ["it has one number fewer", [withoutToken({ id: "a", numberCount: 1 })]],
      ["its assistant differs in the last digit", [withoutToken({ id: "a", assistantId: "9007199254740993124" })]],
      [
        "it was made a millisecond after the task's second",
        [withoutToken({ id: "a", submittedAt: "2026-11-20T09:31:01.000Z" })],
      ],
      ["it was made long before the task", [withoutToken({ id: "a", submittedAt: "2026-11-20T09:28:59.999Z" })]],
    ])("is not matched if %s", async (_, own) => {
      const { taskComparisons, submissions } = await storeWith(...own);
      const before = await submissions.byId("a");
      await taskComparisons.add(["70"], { at: "2026", candidates: "withoutToken" });
      expect(await taskComparisons.compare(FACTS)).toEqual({ kind: "none" });
      expect(await submissions.byId("a")).toEqual(before);
    });

    it("is compared again later while its request is in flight", async () => {
      const { taskComparisons, submissions } = await storeWith(withoutToken({ id: "a", status: "PENDING" }));
      await taskComparisons.add(["70"], { at: "2026", candidates: "withoutToken" });
      expect(await taskComparisons.compare(FACTS)).toEqual({ kind: "beingSent" });
      await submissions.settle("a", "ACCEPTED");
      expect(await taskComparisons.listWaiting(10)).toEqual(["70"]);
      expect(await taskComparisons.compare(FACTS)).toEqual({ kind: "found", submissionId: "a" });
    });

    it("loses its task when a second one matches, and gets none afterwards", async () => {
      const { taskComparisons, submissions } = await storeWith(withoutToken({ id: "a" }));
      expect(await taskComparisons.compare(FACTS)).toEqual({ kind: "found", submissionId: "a" });
      expect(await taskComparisons.compare({ ...FACTS, taskId: "71" })).toEqual({ kind: "none" });
      expect(await submissions.byId("a")).toMatchObject({ status: "ACCEPTED", taskId: null, matchedBy: null });
      expect(await taskComparisons.compare({ ...FACTS, taskId: "72" })).toEqual({ kind: "none" });
      expect(await submissions.byId("a")).toMatchObject({ status: "ACCEPTED", taskId: null });
    });
  });

  describe("A task that is compared with submissions", () => {
    it("is compared once, and not if its submission is known", async () => {
      const { taskComparisons } = await storeWith();
      await taskComparisons.add(["1", "2"], { at: "2026", candidates: "any" });
      await taskComparisons.add(["2", "3"], { at: "2026", candidates: "none" });
      await taskComparisons.add(["2", "3"], { at: "2027", candidates: "any" });
      expect(await taskComparisons.listWaiting(10)).toEqual(["1"]);
      expect(await taskComparisons.compare({ ...FACTS, taskId: "1" })).toEqual({ kind: "none" });
      await taskComparisons.add(["1"], { at: "2027", candidates: "any" });
      expect(await taskComparisons.listWaiting(10)).toEqual([]);
      expect(await taskComparisons.purge("2026-06", 10)).toBe(3);
    });

    it("is matched to the only open submission that fits", async () => {
      const { taskComparisons, submissions } = await storeWith({ id: "a" }, { id: "b", name: "Other" });
      expect(await taskComparisons.compare(FACTS)).toEqual({ kind: "found", submissionId: "a" });
      expect(await submissions.byId("a")).toMatchObject({ status: "RESOLVED", taskId: "70" });
    });

    it.each([
      ["two submissions fit", [{ id: "a" }, { id: "b" }]],
      ["a second one fits if its clock is ahead", [{ id: "a" }, { id: "b", submittedAt: "2026-11-20T09:31:02.000Z" }]],
      ["another submission has the task", [{ id: "a" }, { id: "b", status: "RESOLVED", taskId: "70" }]],
      ["the only submission is rejected", [{ id: "a", status: "REJECTED" }]],
      ["the only submission has a task", [{ id: "a", status: "RESOLVED", taskId: "7" }]],
      ["the name differs", [{ id: "a", name: "reminder" }]],
      ["the assistant differs", [{ id: "a", assistantId: "9007199254740993124" }]],
      ["the count of numbers differs", [{ id: "a", numberCount: 3 }]],
      ["the submission is later than the task", [{ id: "a", submittedAt: "2026-11-20T09:31:01.000Z" }]],
      ["the submission is much earlier than the task", [{ id: "a", submittedAt: "2026-11-20T09:28:59.999Z" }]],
    ] as const)("is matched to no submission if %s", async (_, own) => {
      const { taskComparisons, submissions } = await storeWith(...own);
      const before = await submissions.byId("a");
      expect(await taskComparisons.compare(FACTS)).toEqual({ kind: "none" });
      expect(await submissions.byId("a")).toEqual(before);
    });
  });
}
