// Alerts on people that are left: what is not known, and how long they are open and told, on both databases.
import { describe, expect, it } from "vitest";
import { databases } from "../store/databases.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { minute } from "./judging.ts";
import { begunOn, DAY, EVENING, left, MORNING } from "./leftWorld.ts";
import { end, noCalls, opened, peopleLeft, running, service, watching } from "./silentWorld.ts";

const { all } = alertSetup;
describe.each(databases)("An alert on people that are left, later and in doubt, on %s", (_, { create }) => {
  const begun = (task = left(), rule: object = {}, own = service()) => begunOn({ create }, task, { rule, own });

  it("of a task that calls on its start date only ends after three days, where nobody does anything", async () => {
    const own = service();
    own.days = "first";
    const { gateway, look } = await begun(left({}, DAY, "2026-11-20"), {}, own);
    const days = (count: number) => count * 24 * 60 + 30;
    await look(35, days(1), days(2), days(3) - 1);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(35), resolvedAt: null }]);
    await look(days(3));
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(days(3)), ending: "PERIOD_OVER" }]);
  });

  it("comes after the start date where a setting or a call says that the task calls on that day", async () => {
    const own = service();
    own.days = null;
    const { gateway, look, doubts } = await begun(left(), {}, own);
    await look(35);
    expect(await all(gateway)).toEqual([]);
    expect(await doubts()).toEqual([expect.stringContaining("UPSTREAM_TASK_DAYS does not say")]);
    // No look at an earlier minute goes on: it would find the call, too.
    await look(38);
    await end(gateway, own, 38, { endAt: minute(28) });
    await look(38);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(38) }]);
    expect(await doubts()).toEqual([]);
  });

  // https://github.com/microsoft/lage/issues/879, https://github.com/pycondor/pycondor/issues/51, https://github.com/FredHutch/motuz/issues/355
  it("is neither raised nor over where a percentage does not say whether enough people are left", async () => {
    const { gateway, own, look, doubts } = await begun(left({ total: 10_000, progress: 100 }), { atLeast: 1 });
    await look(35);
    expect(await all(gateway)).toEqual([]);
    expect(await doubts()).toEqual([expect.stringContaining("between 0 and 99 people are left")]);
    own.tasks.set("7", left({ total: 10_000, progress: 99 }));
    await look(36);
    expect(await all(gateway)).toMatchObject([{ value: 1, resolvedAt: null }]);
    own.tasks.set("7", left({ total: 10_000, progress: 100 }));
    await look(37);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: null }]);
    expect(await doubts()).toHaveLength(1);
  });

  // https://github.com/grafana/grafana/issues/8130
  it.each([
    ["whose status cannot be read", left({ status: null })],
    ["whose hours cannot be read", left({}, [["x", "y"]])],
    ["that cannot be read", new Error("The service is away.")],
    ["whose people are not counted", left({ total: null })],
    ["whose percentage cannot be read", left({ progress: null })],
    ["whose percentage cannot be one", left({ progress: 140 })],
    ["whose begin cannot be read", left({ createdAt: null })],
    ["that is done by its status and not by its percentage", left({ status: "done" })],
  ])("of a task %s is neither raised nor over", async (_unread, task) => {
    const { gateway, own, look, doubts } = await begun();
    own.tasks.set("7", task);
    await look(35);
    expect(await all(gateway)).toEqual([]);
    expect(await doubts()).toHaveLength(1);
    own.tasks.set("7", left());
    await look(36);
    own.tasks.set("7", task);
    await look(37);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: null }]);
  });

  it.each([
    ["told", "twelve hours", 12 * 60, ["RAISED", "RESOLVED", "RAISED"]],
    ["told to nobody", "more than twelve hours", 12 * 60 + 1, ["RAISED", "RESOLVED"]],
  ])(
    "is kept, and %s where it is found after %s, and one of before is over then",
    async (_told, _after, later, kinds) => {
      const { gateway, own, look, stop } = await begun();
      await look(35);
      await stop();
      const second = await watching(gateway, own, [peopleLeft()]);
      await second.look(EVENING + later);
      const over = { raisedAt: minute(35), resolvedAt: minute(MORNING), ending: "PERIOD_OVER" };
      expect(await all(gateway)).toMatchObject([{ raisedAt: minute(EVENING + later), resolvedAt: null }, over]);
      expect((await gateway.store.alerts.noticesAfter(0, 10)).map(({ kind }) => kind)).toEqual(kinds);
    },
  );

  it("does not wait for ever for lists of calls that a rule on silence asks for", async () => {
    const own = service();
    own.tasks.set("8", running({ taskId: "8" })).set("7", left());
    own.listed = "never";
    const gateway = await opened((await create()).url, own);
    const rules = [noCalls({ tasks: ["8"], minutes: 1 }), peopleLeft()];
    const { look, doubts } = await watching(gateway, own, rules);
    await look(34, 35);
    expect(own.lists).not.toEqual([]);
    expect(await all(gateway)).toMatchObject([{ kind: "peopleLeft", raisedAt: minute(35) }]);
    expect(await doubts()).toEqual(["The calls of task 8 could not be listed."]);
  });

  it("goes on where its rule names other tasks, too, and ends where it does not name its task any more", async () => {
    const { gateway, own, look, stop } = await begun();
    await look(35);
    await stop();
    const second = await watching(gateway, own, [peopleLeft({ tasks: ["7", "8"], atLeast: 20 })]);
    await second.look(37, 38);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(35), resolvedAt: null }]);
    await second.stop();
    await watching(gateway, own, [peopleLeft({ tasks: ["8"] })]);
    await until(async () => (await all(gateway))[0]?.ending === "RULE_CHANGED");
    expect(await gateway.store.alerts.noticesAfter(0, 10)).toHaveLength(2);
  });
});
