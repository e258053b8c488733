// Nobody who was reached is called again, in any two writings of one number that other products took for two people.
import { describe, expect, it } from "vitest";
import { samePeople } from "../../corpus/samePeople.ts";
import { tempStore } from "../../store/tempStore.ts";
import { ANSWERED, callWorld, type CallWorld } from "./callWorld.ts";

/** A task of its own for each pair, because several pairs are of one person. */
const pairs = samePeople
  .flatMap(({ one, other }) => [
    [one, other],
    [other, one],
  ])
  .map(([missed = "", reached = ""], at) => ({ taskId: String(100_000 + at), missed, reached }));

const NOBODY = { submission: null, errors: [{ code: "NOBODY_TO_CALL" }] };

async function world(own: Parameters<typeof callWorld>[1] = {}): Promise<CallWorld> {
  const made = await callWorld(await tempStore(), own);
  for (const { taskId } of pairs) made.statuses.set(taskId, "done");
  return made;
}

describe("Somebody who was reached is not called again in another writing", () => {
  it("that the same task called, too", async () => {
    const { call, again, sent } = await world();
    for (const { taskId, missed, reached } of pairs) {
      await call({ taskId, callee: reached, taskItemId: "1", ...ANSWERED });
      await call({ taskId, callee: missed, taskItemId: "2" });
    }
    for (const { taskId, missed, reached } of pairs)
      expect([missed, reached, await again(taskId, taskId)]).toMatchObject([missed, reached, NOBODY]);
    expect(sent).toEqual([]);
  });

  it("that the log has of the call in a later round, whether the next one begins at the first or at the last task", async () => {
    const { call, again, link, statuses, sent } = await world();
    for (const { taskId, missed, reached } of pairs) {
      await call({ taskId, callee: missed });
      const { submission, errors } = await again(taskId, taskId);
      expect([missed, errors]).toEqual([missed, []]);
      const later = sent.at(-1)?.taskId ?? "";
      await link(submission?.id ?? "", later);
      statuses.set(later, "done");
      await call({ taskId: later, callee: missed });
      await call({ taskId: later, callee: reached, ...ANSWERED });
      for (const from of [taskId, later])
        expect([missed, reached, await again(`${taskId} ${from}`, from)]).toMatchObject([missed, reached, NOBODY]);
    }
    expect(sent).toHaveLength(pairs.length);
  });

  it("that the log has of a call that ends just before the submission is stored", async () => {
    const store = await tempStore();
    const { submissions } = store;
    let before: (() => Promise<void>) | null = null;
    const made = await callWorld(store, {
      submissions: {
        ...submissions,
        async claim(...args) {
          const ends = before;
          before = null;
          await ends?.();
          return submissions.claim(...args);
        },
      },
    });
    for (const { taskId, missed, reached } of pairs) {
      made.statuses.set(taskId, "done");
      await made.call({ taskId, callee: missed });
      before = () => made.call({ taskId, callee: reached, ...ANSWERED });
      expect([missed, reached, await made.again(taskId, taskId)]).toMatchObject([missed, reached, NOBODY]);
    }
    expect(made.sent).toEqual([]);
  });
});
