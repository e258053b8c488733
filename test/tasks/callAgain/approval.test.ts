// What an approval checks of a proposal that calls people of a task again, and what is kept of its people.
import { describe, expect, it } from "vitest";
import type { Scope, Viewer } from "../../../src/auth/scopes.ts";
import { databases } from "../../store/databases.ts";
import { tempStore } from "../../store/tempStore.ts";
import { ANSWERED, callWorld, numbersOf } from "./callWorld.ts";

const [A, B, C] = ["13800010001", "13800010002", "13800010003"] as const;

describe.each(databases)("A proposal that calls people again (%s)", (_, { create }) => {
  async function world(own: Parameters<typeof callWorld>[1] = {}) {
    const made = await callWorld(await tempStore((await create()).url), own);
    made.statuses.set("7", "done");
    for (const callee of [A, B]) await made.call({ callee });
    return made;
  }

  it("is not readable for an earlier version of the gateway, which would not look at who was reached", async () => {
    const { propose, approve, store, desk } = await world();
    const id = (await propose("a")).submission?.id ?? "";
    const first = (await store.proposals.inputOf(id))?.input.split("\n")[0] ?? "{}";
    expect(() => void JSON.parse(first)).toThrow(SyntaxError);
    expect(await desk.submissions.overrideOf(id)).toMatchObject({ globalConfig: {} });
    expect(await approve(id)).toMatchObject({ errors: [], submission: { numberCount: 2 } });
  });

  it("is not sent where its key may not read calls any more", async () => {
    const scopes: Scope[] = ["tasks:propose", "calls:read"];
    const key = (): Viewer => ({ name: "web", limits: null, access: null, scopes: new Set(scopes) });
    const { propose, approve, sent } = await world({ viewerOfKey: key });
    const id = (await propose("a", "7", {}, key())).submission?.id ?? "";
    scopes.pop();
    expect(await approve(id)).toMatchObject({ errors: [{ code: "NOT_ALLOWED" }] });
    expect(sent).toEqual([]);
    scopes.push("calls:read");
    expect(await approve(id)).toMatchObject({ errors: [] });
  });

  it("is not sent where an earlier version of the gateway kept it, which did not keep what its token saw", async () => {
    const store = await tempStore((await create()).url);
    const policies = ['{"isKey":false,"limits":null}'];
    const proposals: typeof store.proposals = {
      ...store.proposals,
      add: (submission, { policy, ...others }) =>
        store.proposals.add(submission, { ...others, policy: policies.pop() ?? policy }),
    };
    const { propose, approve, call, statuses, sent } = await callWorld(store, { proposals });
    statuses.set("7", "done");
    await call({ callee: A });
    const early = (await propose("a")).submission?.id ?? "";
    expect(await approve(early)).toMatchObject({
      submission: { status: "PROPOSED" },
      errors: [{ code: "NOT_ALLOWED" }],
    });
    expect(sent).toEqual([]);
    await call({ callee: B });
    const later = (await propose("b")).submission?.id ?? "";
    expect(await approve(later)).toMatchObject({ errors: [] });
  });

  it("does not keep people from being called whom it leaves out", async () => {
    const { again, propose, approve, list, doNotCall, sent } = await world();
    await list([A]);
    await again("a");
    await doNotCall.remove([A], "admin");
    const { submission } = await propose("b");
    expect(submission).toMatchObject({ numberCount: 1, calledAgain: { leftOut: [{ people: 1 }] } });
    expect(await approve(submission?.id ?? "")).toMatchObject({ errors: [] });
    expect(sent.map(numbersOf)).toEqual([[B], [A]]);
  });

  it("counts each record of somebody who was reached as reached", async () => {
    const { call, check } = await world();
    await call({ callee: C, ...ANSWERED });
    for (const callee of ["+1 4155550101", "+44 4155550101"]) await call({ callee });
    await call({ callee: `+86${C}`, taskItemId: "3" });
    const { calledAgain } = await check();
    expect(calledAgain?.leftOut.map(({ reason }) => reason)).toEqual(["REACHED"]);
  });

  it("is sent while a task of others has calls whose numbers cannot be read", async () => {
    const store = await tempStore((await create()).url);
    const { submissions } = store;
    let hidden: () => Promise<void> = async () => undefined;
    const made = await callWorld(store, {
      submissions: { ...submissions, claim: (...args) => hidden().then(() => submissions.claim(...args)) },
    });
    made.statuses.set("7", "done");
    for (const callee of [A, B]) await made.call({ callee });
    const { submission } = await made.again("a", "7", { until: "2026-11-20T00:02:00.000Z" });
    await made.link(submission?.id ?? "", "1000");
    hidden = () => made.call({ taskId: "1000", callee: "138****0001", taskItemId: "1", ...ANSWERED });
    expect(await made.again("b")).toMatchObject({ errors: [], submission: { numberCount: 1 } });
    hidden = () => made.call({ callee: "138****0001", ...ANSWERED });
    await made.call({ callee: C });
    expect(await made.again("c")).toMatchObject({ errors: [], submission: { numberCount: 1 } });
    expect(made.sent.map(numbersOf)).toEqual([[A], [B], [C]]);
  });
});
