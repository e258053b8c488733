import { describe, expect, it } from "vitest";
import { databases } from "../../store/databases.ts";
import { tempStore } from "../../store/tempStore.ts";
import { ANSWERED, callWorld, numbersOf } from "./callWorld.ts";

describe.each(databases)("Calling people of a task again (%s)", (_, { create }) => {
  const world = async (own: Parameters<typeof callWorld>[1] = {}) => {
    const made = await callWorld(await tempStore((await create()).url), own);
    made.statuses.set("7", "done");
    return made;
  };

  it("calls those who were not reached, with their variables, and says why the others are left out", async () => {
    const { call, again, check, list, sent } = await world();
    await call({ callee: "13800010001", extra: { 姓名: "张三" } });
    await call({ callee: "13800010002", ...ANSWERED });
    await call({ callee: "+86 138 0001 0002" });
    await call({ callee: "13800010003", hangupReason: "busy" });
    await call({ callee: "138****0004" });
    await call({ callee: "13800010005" });
    await list(["+86 138 0001 0005"]);
    const calledAgain = {
      taskId: "7",
      leftOut: [
        { reason: "REACHED", people: 1 },
        { reason: "DO_NOT_CALL", people: 1 },
        { reason: "UNREADABLE", people: 1 },
      ],
      withoutVariables: 1,
    };
    expect(await check()).toMatchObject({ errors: [], people: 2, calledAgain });
    const { submission, errors } = await again("a");
    expect(errors).toEqual([]);
    expect(submission).toMatchObject({ numberCount: 2, calledAgain });
    expect(sent.map(({ request }) => request.numbers)).toMatchObject([
      [
        { number: "13800010001", extra: { 姓名: "张三" } },
        { number: "13800010003", extra: {} },
      ],
    ]);
  });

  it("calls by the filter, and takes variables from an earlier call where the last one has none", async () => {
    const { call, again, sent } = await world();
    await call({ callee: "13800010001", hangupReason: "busy", extra: { name: "Li" } });
    await call({ callee: "13800010001", hangupReason: "busy" }, "RECONCILED");
    await call({ callee: "13800010002" });
    await again("a", "7", { outcomes: ["BUSY"] });
    expect(sent.map(({ request }) => request.numbers)).toMatchObject([
      [{ number: "13800010001", extra: { name: "Li" } }],
    ]);
  });

  it("answers a repeated key with the first submission, whoever was called since", async () => {
    const { call, again, sent } = await world();
    await call({ callee: "13800010001" });
    const first = await again("a");
    await call({ callee: "13800010002" });
    expect(await again("a")).toMatchObject({
      replayed: true,
      submission: { id: first.submission?.id, numberCount: 1 },
    });
    expect(await again("a", "7", { outcomes: ["BUSY"] })).toMatchObject({ errors: [{ code: "IDEMPOTENCY_CONFLICT" }] });
    expect(sent).toHaveLength(1);
  });

  it("refuses a task that is not over, and one that the service does not have", async () => {
    const { call, again, check, statuses, sent } = await world();
    await call({ callee: "13800010001" });
    await call({ callee: "13800010001", taskId: "8" });
    for (const status of ["pending", "running"] as const) {
      statuses.set("7", status);
      expect(await again("a")).toMatchObject({ submission: null, errors: [{ code: "STILL_CALLING" }] });
    }
    expect(await check()).toMatchObject({ errors: [{ code: "STILL_CALLING" }], people: 0, calledAgain: null });
    expect(await again("b", "8")).toMatchObject({ errors: [{ code: "INVALID_INPUT", path: ["from", "taskId"] }] });
    expect(sent).toEqual([]);
  });

  it.each(["stop.operate", "stop.timeout", "stop.abnormal"] as const)(
    "waits some minutes after the last call of a task that is %s, because calls that run go on",
    async (status) => {
      const { call, again, clock, statuses, sent } = await world();
      await call({ callee: "13800010001" });
      statuses.set("7", status);
      expect(await again("a")).toMatchObject({ submission: null, errors: [{ code: "STILL_CALLING" }] });
      clock.ms += 15 * 60_000;
      expect(await again("a")).toMatchObject({ submission: { numberCount: 1 }, errors: [] });
      expect(sent).toHaveLength(1);
    },
  );

  it("says that nobody is left, and why", async () => {
    const { call, again, check } = await world();
    await call({ callee: "13800010001", ...ANSWERED });
    expect(await again("a")).toMatchObject({ submission: null, errors: [{ code: "NOBODY_TO_CALL", path: ["from"] }] });
    expect(await check()).toMatchObject({ calledAgain: { leftOut: [{ reason: "REACHED", people: 1 }] } });
  });

  it("does not call somebody who is in another task of the campaign until that is over", async () => {
    const { call, again, check, link, statuses, sent } = await world();
    await call({ callee: "13800010001" });
    await call({ callee: "13800010002" });
    const { submission } = await again("a");
    const busy = { calledAgain: { leftOut: [{ reason: "ALREADY_BEING_CALLED", people: 2 }] } };
    expect(await check()).toMatchObject(busy);
    expect(await again("b")).toMatchObject({ errors: [{ code: "NOBODY_TO_CALL" }] });
    await link(submission?.id ?? "", "1000");
    expect(await check()).toMatchObject(busy);
    statuses.set("1000", "done");
    await call({ taskId: "1000", callee: "+8613800010001", ...ANSWERED });
    await call({ taskId: "1000", callee: "13800010002" });
    expect(await again("c", "1000")).toMatchObject({ errors: [], submission: { numberCount: 1 } });
    // The third round came from the second one, and is of the same campaign.
    expect(await check()).toMatchObject({
      calledAgain: {
        leftOut: [
          { reason: "REACHED", people: 1 },
          { reason: "ALREADY_BEING_CALLED", people: 1 },
        ],
      },
    });
    expect(sent.map(numbersOf)).toEqual([["13800010001", "13800010002"], ["13800010002"]]);
  });

  it("knows the campaign of a task by the tokens of its calls, before the correlator has read them", async () => {
    const { call, again, store, sent, statuses } = await world();
    await call({ callee: "13800010001" });
    await call({ callee: "13800010002" });
    await again("a");
    const { request } = sent[0] ?? { request: { numbers: [] } };
    statuses.set("1000", "done");
    await call({ taskId: "1000", callee: "13800010001", extra: request.numbers[0]?.extra ?? null });
    await call({ taskId: "7", callee: "13800010001", ...ANSWERED });
    expect(await again("b", "1000")).toMatchObject({ errors: [{ code: "NOBODY_TO_CALL" }] });
    expect(await store.submissions.page({ after: null, limit: 9, sourceTaskId: "7" })).toMatchObject([
      // The correlator stores it when it reads the call.
      { taskId: null, status: "ACCEPTED" },
    ]);
  });

  it("sends nothing where the people are not made up to the end of the log", async () => {
    const { call, again, check, endProjections, sent } = await world({ waitMs: 20 });
    await call({ callee: "13800010001" });
    await endProjections();
    await call({ callee: "13800010002" });
    const refusal = { code: "STORE_UNAVAILABLE" };
    await expect(again("a")).rejects.toMatchObject(refusal);
    await expect(check()).rejects.toMatchObject(refusal);
    expect(sent).toEqual([]);
  });
});
