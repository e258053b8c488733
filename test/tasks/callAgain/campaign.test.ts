// Which submissions are of one campaign, when their tasks become known late, or their submissions expire.
import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/store/store.ts";
import { databases } from "../../store/databases.ts";
import { tempStore } from "../../store/tempStore.ts";
import { ANSWERED, callWorld, numbersOf, type CallWorld } from "./callWorld.ts";

const [A, B] = ["13800010001", "13800010002"] as const;
const NOBODY = { errors: [{ code: "NOBODY_TO_CALL" }] };

describe.each(databases)("A campaign (%s)", (_, { create }) => {
  /** Two people of task 7 are called again by task 1000, whose submission is not known to have made it. */
  async function unlinked(own: (store: Store, made: () => CallWorld) => Partial<Store> = () => ({})) {
    const store = await tempStore((await create()).url);
    let world: CallWorld | null = null;
    const made = () => world as CallWorld;
    world = await callWorld(store, own(store, made));
    const { statuses, call, again } = world;
    statuses.set("7", "done");
    for (const callee of [A, B]) await call({ callee });
    const { submission } = await again("first");
    for (const callee of [A, B]) await call({ taskId: "1000", callee });
    statuses.set("1000", "done");
    return { ...world, first: submission?.id ?? "" };
  }

  it("calls nobody of a task again whose submission is not known, and all when it is", async () => {
    const { again, link, first, sent } = await unlinked();
    expect(await again("from the new task", "1000")).toMatchObject(NOBODY);
    expect(await again("from the old task")).toMatchObject(NOBODY);
    await link(first, "1000");
    expect(await again("second", "1000")).toMatchObject({ submission: { numberCount: 2 } });
    expect(await again("third")).toMatchObject(NOBODY);
    expect(sent).toHaveLength(2);
  });

  it("keeps people of a submission that was made before the tasks were known to belong together", async () => {
    const { call, again, link, first, statuses, sent } = await unlinked();
    await call({ taskId: "1000", callee: "13800010003" });
    const { submission: second } = await again("second", "1000");
    expect(sent.map(numbersOf)).toEqual([[A, B], ["13800010003"]]);
    await link(first, "1000");
    await call({ callee: "13800010003" });
    expect(await again("of the first task")).toMatchObject({ submission: { numberCount: 2 } });
    expect(sent.slice(2).map(numbersOf)).toEqual([[A, B]]);
    statuses.set("1001", "done");
    await link(second?.id ?? "", "1001");
    await call({ taskId: "1001", callee: "+86 13800010003", ...ANSWERED });
    expect(await again("once more")).toMatchObject(NOBODY);
  });

  it("keeps people of a proposal that waits since before the tasks were known to belong together", async () => {
    const { call, again, propose, approve, link, first, sent } = await unlinked();
    await call({ taskId: "1000", callee: "13800010003" });
    const { submission } = await propose("second", "1000");
    expect(submission).toMatchObject({ status: "PROPOSED", numberCount: 1 });
    await link(first, "1000");
    await call({ callee: "13800010003" });
    expect(await again("other")).toMatchObject({ submission: { numberCount: 2 } });
    expect(await approve(submission?.id ?? "")).toMatchObject({ submission: { numberCount: 1 } });
    expect(sent.slice(1).map(numbersOf)).toEqual([[A, B], ["13800010003"]]);
  });

  it("is looked at once more where a task becomes known just before a submission is stored", async () => {
    let isFirst = true;
    const { call, again, first, sent } = await unlinked(({ submissions }, made) => ({
      submissions: {
        ...submissions,
        async claim(...args) {
          if (made().sent.length === 1 && isFirst) {
            isFirst = false;
            await made().link((await submissions.byKey("web", "first"))?.id ?? "", "1000");
          }
          return submissions.claim(...args);
        },
      },
    }));
    await call({ taskId: "1000", callee: "13800010003" });
    // Meanwhile the first task reached somebody whom only the new one would call.
    await call({ callee: "13800010003", ...ANSWERED });
    expect(await again("second", "1000")).toMatchObject({ errors: [], submission: { numberCount: 2 } });
    expect(sent.map(numbersOf)).toEqual([
      [A, B],
      [A, B],
    ]);
    expect(first).not.toBe("");
  });

  it("is known while the log has calls of its tasks, after its submissions have expired", async () => {
    const { again, link, first, statuses, sent, store, call } = await unlinked();
    await link(first, "1000");
    const { submission } = await again("second", "1000");
    await link(submission?.id ?? "", "1001");
    await call({ taskId: "1001", callee: A });
    expect(await store.submissions.purge("2030-01-01T00:00:00.000Z", 10)).toBe(0);
    expect(await again("third", "1000")).toMatchObject(NOBODY);
    expect(await again("fourth")).toMatchObject(NOBODY);
    statuses.set("1001", "done");
    await call({ taskId: "1001", callee: A, ...ANSWERED });
    expect(await again("fifth")).toMatchObject({ submission: { numberCount: 1 } });
    expect(sent.map(numbersOf).slice(2)).toEqual([[B]]);
  });

  it("expires where the log has no calls of its tasks any more", async () => {
    const { store } = await unlinked();
    const { latest } = { latest: "2030-01-01T00:00:00.000Z" };
    await store.events.purge(latest, 100, latest);
    expect(await store.submissions.purge(latest, 10)).toBe(1);
  });
});
