import { afterEach, describe, expect, it } from "vitest";
import { databases } from "../../store/databases.ts";
import { createTaskInput, optionWith } from "../input.ts";
import { now } from "../office.ts";
import { idOf, keyWith, ofToken, proposalOffice, told, viewer, type ProposalOffice } from "./office.ts";

const START = now.ms;
afterEach(() => void (now.ms = START));

const people = (count: number) => ({
  numbers: Array.from({ length: count }, (_, at) => ({ number: `+8613800010${100 + at}` })),
});

describe.each(databases)("The limits of a proposed task (%s)", (_, database) => {
  const start = async (own: Omit<ProposalOffice, "url"> = {}) =>
    proposalOffice({ ...own, url: (await database.create()).url });

  it("counts when it is approved, by the limits that its key has then", async () => {
    const keys = keyWith({ numbersPerDay: 5 });
    const { propose, approve, submit, limits, sent, store } = await start({ keys });
    const id = idOf(await propose(people(3)));
    expect(told(await propose({ ...people(6), idempotencyKey: "too many" }))).toEqual([null, false, "LIMIT_EXCEEDED"]);
    await submit("web", createTaskInput({ ...people(3), idempotencyKey: "at once" }));
    const refused = await approve(id);
    expect(told(refused)).toEqual(["PROPOSED", false, "LIMIT_EXCEEDED"]);
    expect(refused.errors[0]?.limit).toMatchObject({ limit: "numbersPerDay", used: 3, left: 2 });
    expect(await store.usage.of("web")).toMatchObject({ dayTasks: 1, dayNumbers: 3 });
    // Midnight in Shanghai.
    now.ms = Date.parse("2026-11-20T16:00:00.000Z");
    expect(told(await approve(id))).toEqual(["ACCEPTED", false]);
    expect(await store.usage.of("web")).toMatchObject({ dayTasks: 1, dayNumbers: 3 });
    expect([sent.length, await limits("boss")]).toEqual([2, []]);
  });

  it("is refused if its key lost a line, a scope, its access to tasks or itself meanwhile, and waits on", async () => {
    const keys = keyWith({ lineIds: ["1", "2"] });
    const { propose, approve, sent } = await start({ keys });
    const id = idOf(await propose());
    keys.set("web", { limits: { lineIds: ["1"] } });
    const refused = await approve(id);
    expect([told(refused), refused.errors[0]?.path]).toEqual([
      ["PROPOSED", false, "NOT_ALLOWED"],
      ["option", "lineIds", "1"],
    ]);
    keys.set("web", { limits: null, scopes: ["calls:read"] });
    expect(told(await approve(id))).toEqual(["PROPOSED", false, "NOT_ALLOWED"]);
    keys.set("web", { limits: null, access: { taskIds: ["7"], submittedBy: "self" } });
    expect(told(await approve(id))).toEqual(["PROPOSED", false, "NOT_ALLOWED"]);
    keys.delete("web");
    expect(told(await approve(id))).toEqual(["PROPOSED", false, "NOT_ALLOWED"]);
    expect(sent).toEqual([]);
    keys.set("web", { limits: null, access: { submittedBy: "self" } });
    expect(told(await approve(id))).toEqual(["ACCEPTED", false]);
  });

  it("has the limits of the token that proposed it", async () => {
    const { propose, approve, submit, sent } = await start();
    const id = idOf(await propose(people(2), ofToken("web", { tasksPerDay: 1 })));
    await submit("web", createTaskInput({ idempotencyKey: "at once" }));
    expect(told(await approve(id))).toEqual(["PROPOSED", false, "LIMIT_EXCEEDED"]);
    expect(sent).toHaveLength(1);
  });

  it("is refused where the policies of tokens changed since a token proposed it, and waits on", async () => {
    const policies = { version: "first" };
    const { propose, approve, sent } = await start({ policies });
    const id = idOf(await propose({}, ofToken("web", null)));
    policies.version = "second";
    const refused = await approve(id);
    expect([told(refused), refused.errors[0]?.message]).toEqual([
      ["PROPOSED", false, "NOT_ALLOWED"],
      expect.stringContaining("TOKEN_POLICY_FILE"),
    ]);
    expect(sent).toEqual([]);
    policies.version = "first";
    expect(told(await approve(id))).toEqual(["ACCEPTED", false]);
  });

  it("is sent although an earlier version of the gateway stored the limits of its token alone", async () => {
    const { propose, approve } = await start({
      policies: { version: "first" },
      broken: (real) => ({
        add: (submission, proposal) => real.add(submission, { ...proposal, policy: '{"isKey":false,"limits":null}' }),
      }),
    });
    expect(told(await approve(idOf(await propose({}, ofToken("web", null)))))).toEqual(["ACCEPTED", false]);
  });

  it("is compared with the never-call list again", async () => {
    const neverCalled = new Set<string>();
    const { propose, approve, sent } = await start({ neverCalled });
    const refusing = idOf(await propose());
    const skipping = idOf(await propose({ idempotencyKey: "skips", skipDoNotCall: true }));
    neverCalled.add("13800010002");
    expect(told(await approve(refusing))).toEqual(["PROPOSED", false, "DO_NOT_CALL"]);
    const sentOne = await approve(skipping);
    expect(sentOne.submission).toMatchObject({ status: "ACCEPTED", numberCount: 1, leftOutCount: 1 });
    expect(sent.map(({ numbers }) => numbers.map(({ number }) => number))).toEqual([["13800010001"]]);
  });

  it("is refused like createTask, and beyond 100 that wait", async () => {
    const { propose, decline } = await start();
    const invalid = await propose(optionWith({ retryCount: -1 }));
    expect(told(invalid)).toEqual([null, false, "INVALID_INPUT"]);
    const first = await propose({ idempotencyKey: "0" });
    for (let at = 1; at < 100; at += 1) await propose({ idempotencyKey: String(at) });
    expect(told(await propose({ idempotencyKey: "100" }))).toEqual([null, false, "TOO_MANY_PROPOSALS"]);
    expect(told(await propose({ idempotencyKey: "100" }, viewer("other")))).toEqual(["PROPOSED", false]);
    expect(told(await propose({ idempotencyKey: "0" }))).toEqual(["PROPOSED", true]);
    await decline(idOf(first));
    expect(told(await propose({ idempotencyKey: "100" }))).toEqual(["PROPOSED", false]);
  });
});
