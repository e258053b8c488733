// What went wrong where other products call people again, each with its source.
import { describe, expect, it } from "vitest";
import { databases } from "../../store/databases.ts";
import { tempStore } from "../../store/tempStore.ts";
import { ANSWERED, callWorld, numbersOf, PROPOSER } from "./callWorld.ts";

const [A, B, C] = ["+8613800010001", "+8613800010002", "+8613800010003"] as const;

describe.each(databases)("A second round (%s)", (_, { create }) => {
  async function world() {
    const made = await callWorld(await tempStore((await create()).url));
    made.statuses.set("7", "done");
    return made;
  }

  // https://github.com/juspay/clairvoyance/pull/668
  it("calls each person once where many proposals of the same people are approved at the same time", async () => {
    const { call, propose, approve, sent } = await world();
    for (const callee of [A, B, C]) await call({ callee });
    const filters = [{ outcomes: ["NO_ANSWER"] }, {}, { maxAttempts: 1 }] as const;
    const proposed = await Promise.all(
      filters.map((filter, at) => propose(`key ${at}`, "7", filter, { ...PROPOSER, name: `viewer ${at}` })),
    );
    const ids = proposed.flatMap(({ submission }) => submission?.id ?? []);
    await Promise.all([...ids, ...ids].map((id) => approve(id)));
    expect(sent.flatMap(numbersOf).toSorted()).toEqual([A, B, C]);
  });

  // https://vicifast.com/glossary/list-reset
  it("that begins anew at the first task calls nobody who was reached or listed since, however many rounds there were", async () => {
    const { call, again, link, list, statuses, sent } = await world();
    for (const callee of [A, B, C]) await call({ callee });
    const { submission } = await again("first");
    await link(submission?.id ?? "", "1000");
    statuses.set("1000", "done");
    await call({ taskId: "1000", callee: A, ...ANSWERED });
    await list([B]);
    const { errors } = await again("second");
    expect(errors).toEqual([]);
    expect(sent.map(numbersOf)).toEqual([[A, B, C], [C]]);
  });

  // https://github.com/PYPE-AI-MAIN/whispey/pull/494
  it("counts the calls to a person together, whatever the reason of each was", async () => {
    const { call, again, sent } = await world();
    for (const hangupReason of ["busy", "no answer", "rejected"]) await call({ callee: A, hangupReason });
    await call({ callee: B });
    await again("a", "7", { maxAttempts: 2 });
    expect(sent.map(numbersOf)).toEqual([[B]]);
  });

  // https://github.com/juspay/clairvoyance/pull/1035
  it("leaves numbers out that cannot be called, and says how many", async () => {
    const { call, again, sent } = await world();
    for (const callee of [A, "anonymous", "unknown", "138****0002", null]) await call({ callee });
    const { submission } = await again("a");
    expect(submission?.calledAgain?.leftOut).toEqual([{ reason: "UNREADABLE", people: 4 }]);
    expect(sent.map(numbersOf)).toEqual([[A]]);
  });

  // https://github.com/codeforamerica/vita-min/pull/1771
  it("knows a person by the number, in whatever form each call has it", async () => {
    const { call, again, sent } = await world();
    for (const callee of [A, "138 0001 0001", "008613800010001", "138-0001-0001"]) await call({ callee });
    await call({ callee: B });
    await call({ callee: "13800010002", ...ANSWERED });
    await again("a");
    expect(sent.flatMap(numbersOf)).toHaveLength(1);
  });
});
