import { describe, expect, it, vi } from "vitest";
import type { CreateTaskOutcome } from "../../../src/upstream/upstream.ts";
import { databases, postgres } from "../../store/databases.ts";
import { until } from "../../support/until.ts";
import { ACCEPTED, now, UNAVAILABLE } from "../office.ts";
import { idOf, keyWith, proposalOffice, told, type ProposalOffice } from "./office.ts";

describe.each(databases)("A proposed task that is approved (%s)", (_, database) => {
  const start = async (own: Omit<ProposalOffice, "url"> = {}) =>
    proposalOffice({ ...own, url: (await database.create()).url });

  it("waits on if the service could not be reached, and is not counted then", async () => {
    const outcomes = [UNAVAILABLE, ACCEPTED];
    const { propose, approve, sent, store, audit, desk } = await start({ send: () => outcomes.shift() ?? ACCEPTED });
    const id = idOf(await propose());
    expect(told(await approve(id))).toEqual(["PROPOSED", false, "UNAVAILABLE"]);
    expect(await desk.byId(id)).toMatchObject({ status: "PROPOSED", sentAt: null, proposal: { decidedBy: null } });
    expect([await store.usage.of("web"), await audit()]).toMatchObject([
      { dayTasks: 0, dayNumbers: 0 },
      [["TASK_PROPOSED", "web", 2]],
    ]);
    expect(told(await approve(id))).toEqual(["ACCEPTED", false]);
    expect(sent).toHaveLength(2);
  });

  it("is final if the service rejects it, and unconfirmed if its answer is unclear", async () => {
    const outcomes: CreateTaskOutcome[] = [{ kind: "rejected", status: 422 }, { kind: "unconfirmed" }];
    const { propose, approve, sent, store } = await start({ send: () => outcomes.shift() ?? ACCEPTED });
    for (const [key, expected] of [
      ["a", ["REJECTED", false, "REJECTED"]],
      ["b", ["UNCONFIRMED", false]],
    ] as const) {
      const id = idOf(await propose({ idempotencyKey: key }));
      expect(told(await approve(id))).toEqual(expected);
      expect(told(await approve(id))).toEqual([expected[0], true, ...expected.slice(2)]);
      expect(await store.proposals.inputOf(id)).toBeNull();
    }
    expect(sent).toHaveLength(2);
  });

  it("is not sent again if the gateway ended while it sent it", async () => {
    const { url } = await database.create();
    const killed = await proposalOffice({ url, isKilled: true });
    const id = idOf(await killed.propose());
    const by = { actor: "boss", at: new Date(now.ms).toISOString() };
    const approval = { id, attempt: "1", by, numberCount: 2, leftOutCount: 0, hasToken: false };
    const periods = { hourStart: by.at, dayStart: by.at };
    expect(await killed.store.proposals.approve(approval, { periods, allows: () => true })).toBe("approved");
    await killed.store[Symbol.asyncDispose]();
    const { approve, decline, propose, sent, store } = await proposalOffice({ url });
    expect(told(await approve(id))).toEqual(["UNCONFIRMED", true]);
    expect(told(await decline(id))).toEqual(["UNCONFIRMED", false, "APPROVED"]);
    expect(told(await propose())).toEqual(["UNCONFIRMED", true]);
    expect([sent, await store.proposals.inputOf(id)]).toEqual([[], null]);
  });

  it("is sent once, however often it is approved at the same time", async () => {
    const { propose, approve, sent, audit } = await start();
    const id = idOf(await propose());
    const results = await Promise.all(Array.from({ length: 20 }, (__, at) => approve(id, `boss${at}`)));
    expect(new Set(results.map(({ submission }) => submission?.status))).toEqual(new Set(["ACCEPTED"]));
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect([sent.length, (await audit()).length]).toEqual([1, 2]);
  });

  it("is either declined or sent, if both are asked for at the same time", async () => {
    const { propose, approve, decline, sent } = await start();
    for (let at = 0; at < 10; at += 1) {
      const id = idOf(await propose({ idempotencyKey: String(at) }));
      const before = sent.length;
      const [approved, declined] = await Promise.all([approve(id), decline(id)]);
      const isSent = sent.length > before;
      expect(told(approved)[0]).toBe(isSent ? "ACCEPTED" : "DECLINED");
      expect(declined.errors.map(({ code }) => code)).toEqual(isSent ? ["APPROVED"] : []);
    }
  });
});

describe("A database that fails while a proposal is approved", () => {
  it("takes an approval back that was stored without an answer, and sends nothing", async () => {
    const disk = { isBroken: true };
    const { propose, approve, sent, desk, audit } = await proposalOffice({
      broken: (real) => ({
        async approve(...args) {
          const result = await real.approve(...args);
          if (disk.isBroken) throw new Error("no answer");
          return result;
        },
      }),
    });
    const id = idOf(await propose());
    await expect(approve(id)).rejects.toThrow("no answer");
    await until(async () => (await desk.byId(id))?.status === "PROPOSED");
    expect([sent, await audit()]).toEqual([[], [["TASK_PROPOSED", "web", 2]]]);
    disk.isBroken = false;
    expect(told(await approve(id))).toEqual(["ACCEPTED", false]);
    expect(sent).toHaveLength(1);
  });
});

describe("Three gateways that approve the same proposals at the same time", () => {
  it("send each of them once, and count it once", async () => {
    const { url } = await postgres.create();
    const keys = keyWith({ numbersPerDay: 19 });
    const gateways = await Promise.all([1, 2, 3].map(() => proposalOffice({ url, keys })));
    const [one] = gateways;
    if (!one) throw new Error("There is no gateway.");
    const ids: string[] = [];
    for (let at = 0; at < 10; at += 1) ids.push(idOf(await one.propose({ idempotencyKey: String(at) })));
    const approvals = ids.flatMap((id) =>
      gateways.flatMap(({ approve }) => [1, 2].map(async () => ({ id, result: await approve(id) }))),
    );
    const results = await Promise.all(approvals);
    // 2 numbers each: the limit allows nine tasks, whichever they are.
    expect(gateways.flatMap(({ sent }) => sent)).toHaveLength(9);
    const sentIds = ids.filter((id) => results.some((each) => each.id === id && each.result.errors.length === 0));
    expect(sentIds).toHaveLength(9);
    for (const id of sentIds) expect((await one.desk.byId(id))?.status).toBe("ACCEPTED");
    expect(await one.store.usage.of("web")).toMatchObject({ dayTasks: 9, dayNumbers: 18 });
    expect((await one.audit()).filter(([action]) => action === "TASK_APPROVED")).toHaveLength(9);
    expect(new Set(results.flatMap(({ result }) => result.errors.map(({ code }) => code)))).toEqual(
      new Set(["LIMIT_EXCEEDED"]),
    );
  });
});

describe("A gateway that waits for another gateway's approval", () => {
  it("says that the proposal waits on, if the other one could not reach the service", async () => {
    const { url } = await postgres.create();
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<CreateTaskOutcome>();
    const send = () => {
      asked.resolve();
      return answer.promise;
    };
    const [sender, waiter] = await Promise.all([proposalOffice({ url, send }), proposalOffice({ url })]);
    const id = idOf(await sender.propose());
    const first = sender.approve(id, "boss");
    await asked.promise;
    const asking = vi.spyOn(waiter.store.leases, "withLease");
    const second = waiter.approve(id, "other");
    // It has found the submission PENDING, and the lease with the other one.
    await until(() => asking.mock.settledResults[0]?.type === "fulfilled");
    answer.resolve(UNAVAILABLE);
    const unreached = ["PROPOSED", false, "UNAVAILABLE"];
    expect([told(await first), told(await second), waiter.sent]).toEqual([unreached, unreached, []]);
  });
});
