import { describe, expect, it } from "vitest";
import type { NewProposal } from "../../../src/store/tasks/proposalStore.ts";
import type { Approval } from "../../../src/store/tasks/proposalWrites.ts";
import type { Store } from "../../../src/store/store.ts";
import type { DatabaseUnderTest } from "../databases.ts";
import { ANY_QUOTA, submission, tempStore } from "../tempStore.ts";

const LI = "13800010001";
const BY = { actor: "boss", at: "2026-11-20T10:00:00.000Z" };
const noFiles = async () => undefined;
const match = {
  number: "", event: () => false,
  delivery: () => false,
  text: (text: string) => text.includes(LI),
  inputLine: (line: string) => line.includes(LI),
};
export const summary = {
  lineIds: ["60"],
  periods: [["09:00", "12:00"]],
  startDate: "2026-11-20",
  retryCount: 0,
  retryIntervalSeconds: 60,
  overridesAssistant: false,
  skipsDoNotCall: false,
};
const proposal = (own: Partial<NewProposal> = {}): NewProposal => ({
  expiresAt: "2026-11-21T09:30:00.000Z",
  summary,
  policy: "{}",
  input: `{}\n{"number":"${LI}"}`,
  maxWaiting: { count: 9, bytes: 9_000 },
  ...own,
});
const approval = (id: string, attempt = "1"): Approval => {
  return { id, attempt, by: BY, numberCount: 1, leftOutCount: 1, hasToken: false };
};

export function proposalContract({ name, create }: DatabaseUnderTest): void {
  async function storeWith(...own: { id: string; input?: string; name?: string }[]) {
    const store = await tempStore((await create()).url);
    for (const { id, name = "Reminder", ...rest } of own) {
      const proposed = submission({ id, name, idempotencyKey: id, status: "PROPOSED" });
      expect(await store.proposals.add(proposed, proposal(rest))).toEqual({ added: true });
    }
    const statusOf = async (id: string) => (await store.submissions.byId(id))?.status;
    const inputOf = async (id: string) => (await store.proposals.inputOf(id))?.input ?? null;
    return { ...store, statusOf, inputOf };
  }

  describe("A proposal", () => {
    it("is not settled, released, compared or purged like a submission that was sent", async () => {
      const { submissions, statusOf, inputOf } = await storeWith({ id: "a" });
      await submissions.settle("a", "UNCONFIRMED");
      await submissions.release("a");
      expect(await submissions.resolve("a", "7")).toBe("contradicted");
      expect([await submissions.hasOpen(), await submissions.hasWithoutToken()]).toEqual([false, false]);
      expect(await submissions.purge("2027", 9)).toBe(0);
      expect([await statusOf("a"), await inputOf("a")]).toEqual(["PROPOSED", proposal().input]);
    });

    it("is approved by one of many, and taken back only by that one", async () => {
      const { proposals, statusOf, audit, usage, inputOf } = await storeWith({ id: "a" });
      const attempts = ["1", "2", "3"];
      const results = await Promise.all(
        attempts.map((attempt) => proposals.approve(approval("a", attempt), ANY_QUOTA)),
      );
      expect(results.filter((result) => result === "decided")).toHaveLength(2);
      const winner = attempts[results.indexOf("approved")] ?? "";
      for (const attempt of attempts.filter((each) => each !== winner)) await proposals.takeBack("a", attempt);
      expect([await statusOf("a"), await inputOf("a")]).toEqual(["PENDING", proposal().input]);
      await proposals.takeBack("a", winner);
      expect(await statusOf("a")).toBe("PROPOSED");
      expect(await usage.of("web")).toMatchObject({ hourTasks: 0, hourNumbers: 0, dayTasks: 0, dayNumbers: 0 });
      expect((await audit.page({ after: null, limit: 9 })).map(({ action }) => action)).toEqual(["TASK_PROPOSED"]);
      await proposals.takeBack("a", winner);
      expect(await proposals.approve(approval("a", "4"), ANY_QUOTA)).toBe("approved");
      await proposals.takeBack("a", winner);
      expect(await statusOf("a")).toBe("PENDING");
    });

    it("loses its input with each outcome", async () => {
      const { proposals, submissions, taskComparisons, inputOf } = await storeWith(
        { id: "settled" },
        { id: "token" },
        { id: "compared", name: "Compared" },
      );
      for (const id of ["settled", "token", "compared"]) await proposals.approve(approval(id), ANY_QUOTA);
      await submissions.settle("settled", "REJECTED");
      await submissions.resolve("token", "7");
      const facts = { taskId: "8", name: "Compared", assistantId: submission({ id: "" }).assistantId, total: 1 };
      const at = (minutes: string) => `2026-11-20T${minutes}:00.000Z`;
      // It was proposed at 9:30 and sent at 10:00.
      const times = { submittedFrom: at("09:59"), submittedUntil: at("10:01"), submittedUntilWithClockError: at("10:02") };
      await taskComparisons.add(["8"], { at: "2026", candidates: "any" });
      expect(await taskComparisons.compare({ ...facts, ...times })).toEqual({ kind: "beingSent" });
      await submissions.settle("compared", "ACCEPTED");
      expect(await taskComparisons.compare({ ...facts, ...times })).toEqual({ kind: "found", submissionId: "compared" });
      for (const id of ["settled", "token", "compared"]) expect(await inputOf(id)).toBeNull();
    });

    it("waits for a viewer up to a number, however many gateways store proposals at once (A90)", async () => {
      const { url } = await create();
      const stores = [await tempStore(url)];
      if (name === "PostgreSQL") stores.push(await tempStore(url));
      const ids = Array.from({ length: 24 }, (_, at) => String(at));
      const add = async (id: string, at: number, viewer: string) => {
        const { proposals } = stores[at % stores.length] as Store;
        const proposed = submission({ id: `${viewer}-${id}`, viewer, idempotencyKey: id, status: "PROPOSED" });
        return await proposals.add(proposed, proposal());
      };
      const added = await Promise.all(ids.map((id, at) => add(id, at, "web")));
      expect(added.filter((each) => each.added)).toHaveLength(9);
      expect(added.filter((each) => !each.added)).toEqual(
        Array.from({ length: 15 }, () => ({ added: false, holder: null, exceeded: "count" })),
      );
      // Nothing of a refused one stays, and another viewer has its own number.
      expect(await stores[0]?.submissions.page({ after: null, limit: 99 })).toHaveLength(9);
      expect(await add("0", 0, "other")).toEqual({ added: true });
    });

    it("waits for a viewer up to a number of bytes, which a decided one gives back (A90)", async () => {
      const { proposals, submissions } = await storeWith();
      const add = (id: string, input: string) =>
        proposals.add(submission({ id, idempotencyKey: id, status: "PROPOSED" }), proposal({ input }));
      // Two bytes each.
      expect(await add("a", "é".repeat(3_000))).toEqual({ added: true });
      expect(await add("b", "é".repeat(1_501))).toEqual({ added: false, holder: null, exceeded: "bytes" });
      expect(await submissions.byId("b")).toBeNull();
      expect(await add("c", "é".repeat(1_500))).toEqual({ added: true });
      await proposals.decline("a", BY, null);
      expect(await add("b", "é".repeat(1_501))).toEqual({ added: true });
    });

    it("gives the first line of its input while it waits", async () => {
      const { proposals } = await storeWith({ id: "a", input: '{"name":"é"}\n{"number":"1"}\n{"number":"2"}' }, { id: "b", input: "{}" });
      expect([await proposals.headOf("a"), await proposals.headOf("b")]).toEqual(['{"name":"é"}', "{}"]);
      await proposals.decline("a", BY, null);
      expect([await proposals.headOf("a"), await proposals.headOf("unknown")]).toEqual([null, null]);
    });

    it("is purged by the time at which it was sent", async () => {
      const { proposals, submissions, statusOf } = await storeWith({ id: "a" });
      await proposals.approve(approval("a"), ANY_QUOTA);
      await submissions.settle("a", "ACCEPTED");
      expect(await submissions.purge("2026-11-20T09:59:00.000Z", 9)).toBe(0);
      expect(await submissions.purge("2026-11-20T10:01:00.000Z", 9)).toBe(1);
      expect([await statusOf("a"), await proposals.inputOf("a")]).toEqual([undefined, null]);
    });

    it("is found when its time is over, oldest first", async () => {
      const { proposals } = await storeWith({ id: "a" }, { id: "b" }, { id: "c" });
      await proposals.decline("a", BY, null);
      const end = proposal().expiresAt;
      expect(await proposals.listDue("2026-11-21T09:29:59.999Z", 9)).toEqual([]);
      expect((await proposals.listDue(end, 9)).toSorted()).toEqual(["b", "c"]);
      const expired = await Promise.all([1, 2, 3].map(() => proposals.expire("b", end)));
      expect(expired.filter(Boolean)).toEqual([true]);
      expect(await proposals.listDue(end, 9)).toEqual(["c"]);
      const approved = await proposals.approve({ ...approval("c"), by: { ...BY, at: end } }, ANY_QUOTA);
      expect(approved).toBe("decided");
    });
  });

  describe("Erasing a number that a proposal would call", () => {
    it("declines it, erases its input, and leaves others", async () => {
      const other = '{}\n{"number":"13800010002"}';
      const store = await storeWith({ id: "a" }, { id: "b", input: other });
      const erased = await store.eraser.erase(match, noFiles, BY);
      expect(erased.proposals).toBe(1);
      expect([await store.statusOf("a"), await store.inputOf("a")]).toEqual(["DECLINED", null]);
      expect([await store.statusOf("b"), await store.inputOf("b")]).toEqual(["PROPOSED", other]);
      expect((await store.submissions.byId("a"))?.proposal).toMatchObject({
        decidedBy: "boss",
        declineReason: "A phone number of the task was erased.",
      });
      expect((await store.audit.page({ after: null, limit: 9 })).map(({ action }) => action)).toEqual([
        "PHONE_FORGOTTEN",
        "TASK_DECLINED",
        "TASK_PROPOSED",
        "TASK_PROPOSED",
      ]);
    });

    it("erases the input while it is sent, so that it is declined if nothing was sent", async () => {
      const store = await storeWith({ id: "a" });
      await store.proposals.approve(approval("a"), ANY_QUOTA);
      expect((await store.eraser.erase(match, noFiles, BY)).proposals).toBe(0);
      expect([await store.statusOf("a"), await store.inputOf("a")]).toEqual(["PENDING", null]);
      await store.proposals.takeBack("a", "1");
      expect(await store.submissions.byId("a")).toMatchObject({
        status: "DECLINED",
        sentAt: null,
        proposal: {
          decidedAt: BY.at,
          decidedBy: null,
          declineReason: "Its numbers were erased while it was approved. Nothing was sent.",
        },
      });
      expect((await store.audit.page({ after: null, limit: 9 })).map(({ action }) => action)).toEqual([
        "TASK_DECLINED",
        "PHONE_FORGOTTEN",
        "TASK_PROPOSED",
      ]);
    });

    it("declines one that is stored while the files of recordings are removed", async () => {
      const store = await storeWith({ id: "a" });
      const propose = async () => {
        const proposed = submission({ id: "late", idempotencyKey: "late", status: "PROPOSED" });
        await store.proposals.add(proposed, proposal());
      };
      expect((await store.eraser.erase(match, propose, BY)).proposals).toBe(2);
      expect([await store.statusOf("late"), await store.inputOf("late")]).toEqual(["DECLINED", null]);
    });

    it("never leaves a proposal with an erased input, whatever happens at the same time", async () => {
      const ids = Array.from({ length: 8 }, (_, at) => String(at));
      const store = await storeWith(...ids.map((id) => ({ id })));
      const approveAndTakeBack = async (id: string) => {
        await store.proposals.approve(approval(id), ANY_QUOTA);
        await store.proposals.takeBack(id, "1");
      };
      await Promise.all([...ids.map(approveAndTakeBack), store.eraser.erase(match, noFiles, BY)]);
      for (const id of ids) expect([await store.statusOf(id), await store.inputOf(id)]).toEqual(["DECLINED", null]);
    });

    it("blanks the summary and the reason of a proposal", async () => {
      const store = await storeWith({ id: "a", input: "{}" });
      const odd = { ...summary, lineIds: [LI, "60"], startDate: `from ${LI}`, periods: [[LI, "12:00"]] };
      const proposed = submission({ id: "b", idempotencyKey: "b", status: "PROPOSED" });
      await store.proposals.add(proposed, proposal({ input: "{}", summary: odd }));
      await store.proposals.decline("a", BY, `Ask ${LI}`);
      await store.eraser.erase(match, noFiles, BY);
      expect((await store.submissions.byId("a"))?.proposal?.declineReason).toBe("(forgotten)");
      expect((await store.submissions.byId("b"))?.proposal?.summary).toEqual({
        ...summary,
        lineIds: ["(forgotten)", "60"],
        startDate: "(forgotten)",
        periods: [["(forgotten)", "12:00"]],
      });
    });
  });
}
