// What happens between the choice of people and the instant at which the submission is stored.
import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/store/store.ts";
import { databases } from "../../store/databases.ts";
import { tempStore } from "../../store/tempStore.ts";
import { ANSWERED, callWorld, numbersOf, type CallWorld } from "./callWorld.ts";

/** `before`: runs once before the first submission is stored. */
function interrupted(store: Store, before: () => Promise<unknown>): Partial<Store> {
  const { submissions, proposals } = store;
  let isFirst = true;
  const once = async () => {
    if (!isFirst) return;
    isFirst = false;
    await before();
  };
  return {
    submissions: {
      ...submissions,
      claim: async (...args) => once().then(() => submissions.claim(...args)),
    },
    proposals: {
      ...proposals,
      approve: async (...args) => once().then(() => proposals.approve(...args)),
    },
  };
}

describe.each(databases)("The last instant before people are called again (%s)", (_, { create }) => {
  async function world(before: (made: CallWorld) => Promise<unknown>) {
    const store = await tempStore((await create()).url);
    let made: CallWorld | null = null;
    made = await callWorld(
      store,
      interrupted(store, async () => made && before(made)),
    );
    made.statuses.set("7", "done");
    await made.call({ callee: "13800010001", taskItemId: "70" });
    await made.call({ callee: "13800010002", taskItemId: "71" });
    return made;
  }
  const left = [["13800010002"]];

  it.each<[string, (made: CallWorld) => Promise<unknown>]>([
    ["is reached in another writing", ({ call }) => call({ callee: "+86 138 0001 0001", ...ANSWERED })],
    ["is reached by a call of an import", ({ call }) => call({ callee: "13800010001", ...ANSWERED }, "IMPORTED")],
    [
      "is reached by a call whose number is hidden",
      async ({ call }) => {
        await call({ callee: "138****0001", ...ANSWERED, taskItemId: "70" });
        await call({ callee: "13800010001", taskItemId: "70" });
      },
    ],
    [
      "is reached by a call that shows another number, and is known by the service's ID of the number",
      ({ call }) => call({ callee: "+12025550199", taskItemId: "70", ...ANSWERED }),
    ],
    ["is put on the never-call list", ({ list }) => list(["+8613800010001"])],
    ["is erased", ({ forget }) => forget("13800010001")],
  ])("leaves out somebody who %s", async (_title, before) => {
    const { again, sent } = await world(before);
    expect(await again("a")).toMatchObject({ errors: [], submission: { numberCount: 1 } });
    expect(sent.map(numbersOf)).toEqual(left);
  });

  it("leaves out somebody whom another submission took", async () => {
    const { again, sent } = await world(({ again: other }) =>
      other("other", "7", { until: "2026-11-20T00:02:00.000Z" }),
    );
    expect(await again("a")).toMatchObject({ errors: [], submission: { numberCount: 1 } });
    expect(sent.map(numbersOf)).toEqual([["13800010001"], ["13800010002"]]);
  });

  it("is not kept by calls to others", async () => {
    const { again, sent } = await world(({ call }) => call({ callee: "13800010009", taskItemId: "72", ...ANSWERED }));
    expect(await again("a")).toMatchObject({ submission: { numberCount: 2 } });
    expect(sent).toHaveLength(1);
  });

  it("calls nobody twice where ten submissions are made at the same time", async () => {
    const { again, sent, call } = await world(async () => undefined);
    for (let at = 3; at < 9; at += 1) await call({ callee: `1380001000${at}` });
    const results = await Promise.all(
      Array.from({ length: 10 }, async (__, at) => again(`key ${at}`, "7", {}, { name: `viewer ${at}` })),
    );
    expect(results.filter(({ submission }) => submission !== null)).toHaveLength(1);
    expect(results.filter(({ errors }) => errors[0]?.code === "NOBODY_TO_CALL")).toHaveLength(9);
    expect(sent.flatMap(numbersOf)).toHaveLength(8);
  });

  it("takes people out of a proposal when it is approved, and adds nobody", async () => {
    const made = await world(({ list }) => list(["13800010003"]));
    const { call, propose, approve, check, sent, store } = made;
    await call({ callee: "13800010003" });
    await call({ callee: "13800010004" });
    const { submission } = await propose("a");
    expect(submission).toMatchObject({ status: "PROPOSED", numberCount: 4 });
    expect(await check()).toMatchObject({ calledAgain: { leftOut: [{ reason: "ALREADY_BEING_CALLED", people: 4 }] } });
    await call({ callee: "+86 13800010001", ...ANSWERED });
    await call({ callee: "13800010005" });
    const approved = await approve(submission?.id ?? "");
    const leftOut = [
      { reason: "REACHED", people: 1 },
      { reason: "DO_NOT_CALL", people: 1 },
    ];
    const now = { numberCount: 2, calledAgain: { leftOut } };
    expect(approved).toMatchObject({ errors: [], submission: now });
    expect(await store.submissions.byId(submission?.id ?? "")).toMatchObject(now);
    expect(sent.map(numbersOf)).toEqual([["13800010002", "13800010004"]]);
    const entries = await store.audit.page({ after: null, limit: 10 });
    expect(entries.find(({ action }) => action === "TASK_APPROVED")).toMatchObject({ count: 2 });
  });

  it("declines a proposal of somebody who is erased, as any other", async () => {
    const { propose, approve, forget, again, sent } = await world(async () => undefined);
    const { submission } = await propose("a");
    await forget("13800010001");
    expect(await approve(submission?.id ?? "")).toMatchObject({ errors: [{ code: "DECLINED" }] });
    expect(await again("b")).toMatchObject({ submission: { numberCount: 1 } });
    expect(sent.map(numbersOf)).toEqual(left);
  });
});
