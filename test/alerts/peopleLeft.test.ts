// Rules on people that are left when the hours of a task end, on both databases.
import { describe, expect, it } from "vitest";
import { alertText, overText } from "../../src/alerts/alertText.ts";
import { instantOf } from "../../src/format/instant.ts";
import type { TaskRecord } from "../../src/upstream/upstream.ts";
import { databases, postgres } from "../store/databases.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { minute } from "./judging.ts";
import { at, end, opened, peopleLeft, running, service, watching } from "./silentWorld.ts";

const { all } = alertSetup;
const DAY = [["09:00", "18:00"]];
/** NOW is 17:30. So many minutes later the hours of the next day begin, and end. */
const MORNING = 15.5 * 60;
const EVENING = MORNING + 9 * 60;

/** 1,000 people, of which 40 percent are done, by day. */
const left = (own: Partial<TaskRecord> = {}, periods = DAY, startDate?: string) =>
  running({ total: 1000, progress: 40, ...own }, periods, startDate);

describe.each(databases)("An alert on people that are left on %s", (_, { create }) => {
  const begun = async (task = left(), rule: object = {}, own = service()) => {
    own.tasks.set("7", task);
    const gateway = await opened((await create()).url, own);
    return { gateway, own, ...(await watching(gateway, own, [peopleLeft(rule)])) };
  };

  it("is raised once some minutes after the end of the hours, told, and over when the next hours begin", async () => {
    const { gateway, look } = await begun();
    // Calls that go on when the hours end may still reach somebody: https://github.com/GSA/notifications-api/pull/1506
    await look(0, 29, 30, 34);
    expect(await all(gateway)).toEqual([]);
    await look(35, 36, 60, 200);
    const raised = { kind: "peopleLeft", taskId: "7", raisedAt: minute(35), value: 591, threshold: 10 };
    expect(await all(gateway)).toMatchObject([{ ...raised, resolvedAt: null }]);
    await look(MORNING + 1);
    const over = { resolvedAt: minute(MORNING), ending: "PERIOD_OVER" };
    expect(await all(gateway)).toMatchObject([{ ...raised, ...over }]);
    expect((await gateway.store.alerts.noticesAfter(0, 10)).map(({ kind }) => kind)).toEqual(["RAISED", "RESOLVED"]);
    await look(EVENING + 5);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(EVENING + 5) }, over]);
  });

  it("is over when fewer are left than it asks for, or the task is done, and is not raised again of these hours", async () => {
    const { gateway, own, look } = await begun();
    await look(35);
    // Five people: some are left, and fewer than ten.
    own.tasks.set("7", left({ total: 100, progress: 95 }));
    await look(40);
    const over = { resolvedAt: minute(40), ending: "RECOVERED" };
    expect(await all(gateway)).toMatchObject([over]);
    own.tasks.set("7", left());
    await look(45);
    expect(await all(gateway)).toMatchObject([over]);
    await look(EVENING + 5);
    own.tasks.set("7", left({ status: "done", progress: 97 }));
    await look(EVENING + 6);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(EVENING + 6), ending: "RECOVERED" }, over]);
  });

  it.each(["running", "pending", "stop.timeout", "stop.abnormal"] as const)(
    "is raised of a task of which the service writes %s",
    async (status) => {
      const { gateway, look } = await begun(left({ status }));
      await look(35);
      expect(await all(gateway)).toMatchObject([{ resolvedAt: null }]);
    },
  );

  it("is not raised of a task that somebody stopped, that is done, that is gone, or that came after its hours", async () => {
    const { gateway, own, look } = await begun(left({ status: "stop.operate" }));
    await look(35);
    own.tasks.set("7", left({ status: "done" }));
    await look(36);
    own.tasks.delete("7");
    await look(37);
    own.tasks.set("7", left({ createdAt: instantOf(at(31)) }));
    await look(38);
    expect(await all(gateway)).toEqual([]);
    own.tasks.set("7", left());
    await look(39);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: null }]);
    own.tasks.set("7", left({ status: "stop.operate" }));
    await look(40);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(40), ending: "NOT_RUNNING" }]);
  });

  it("comes at the end of the day's last hours, and not in a break between two", async () => {
    const periods = [
      ["09:00", "17:00"],
      ["17:45", "18:00"],
    ];
    const { gateway, look } = await begun(left({}, periods));
    await look(0, 10, 20, 34);
    expect(await all(gateway)).toEqual([]);
    await look(35);
    expect(await all(gateway)).toHaveLength(1);
  });

  it("of hours over midnight comes in the morning, and not at midnight", async () => {
    const { gateway, look } = await begun(
      left({}, [
        ["00:00", "06:00"],
        ["18:00", "23:59"],
      ]),
    );
    // 23:58 to 0:06.
    await look(388, 389.5, 391, 396);
    expect(await all(gateway)).toEqual([]);
    await look(755);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(755) }]);
  });

  it("of a task that calls on its start date only ends after three days, where nobody does anything", async () => {
    const own = service();
    own.days = "first";
    const { gateway, look } = await begun(left({ status: "stop.timeout" }, DAY, "2026-11-20"), {}, own);
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
    await end(gateway, own, 28);
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

  it("is kept and told to nobody where it is found hours later, and one of hours of before is over then", async () => {
    const { gateway, own, look, stop } = await begun();
    await look(35);
    await stop();
    const second = await watching(gateway, own, [peopleLeft()]);
    await second.look(EVENING + 121);
    const over = { raisedAt: minute(35), resolvedAt: minute(MORNING), ending: "PERIOD_OVER" };
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(EVENING + 121), resolvedAt: null }, over]);
    expect((await gateway.store.alerts.noticesAfter(0, 10)).map(({ kind }) => kind)).toEqual(["RAISED", "RESOLVED"]);
  });

  it("goes on where the tasks or the number of its rule were changed", async () => {
    const { gateway, own, look, stop } = await begun();
    await look(35);
    await stop();
    const second = await watching(gateway, own, [peopleLeft({ tasks: ["7", "8"], atLeast: 20 })]);
    await second.look(37, 38);
    const found = await all(gateway);
    expect(found.map(({ ending }) => ending)).toEqual([null, "RULE_CHANGED"]);
  });
});

it("Two gateways raise an alert on people that are left once", async () => {
  const { url } = await postgres.create();
  const own = service();
  own.tasks.set("7", left());
  const [one, other] = [await opened(url, own), await opened(url, own)];
  const first = await watching(one, own, [peopleLeft()]);
  await first.look(30);
  const second = await watching(other, own, [peopleLeft()]);
  await first.look(35);
  await until(async () => (await all(one)).length > 0);
  await first.stop();
  await second.look(36, 37);
  expect(await all(other)).toMatchObject([{ raisedAt: instantOf(at(35)) }]);
  expect(await other.store.alerts.noticesAfter(0, 10)).toHaveLength(1);
});

it("An alert on people that are left says what is known of their number, in both languages", () => {
  const about = { kind: "peopleLeft", subject: "task 7", threshold: 10, calls: 0 };
  const told = (value: number, most: number, total: number) => {
    const alert = { ...about, value, detail: JSON.stringify({ unit: "COUNT", total, most }) };
    return (["en", "zh"] as const).map((language) => alertText(alert, language, (name) => name));
  };
  expect(told(591, 609, 1000)).toEqual([
    "The hours of task 7 are over, and at least 591 of its 1000 people are still to be called.",
    "任务 7 的外呼时段已结束，1000 人中至少还有 591 人待呼叫。",
  ]);
  expect(told(1, 1, 6)[0]).toBe("The hours of task 7 are over, and 1 of its 6 people is still to be called.");
  const over = { kind: "peopleLeft", ending: "PERIOD_OVER" };
  expect(overText(over, "en")).toBe(
    "Closed, because the next hours of the task have begun, or three days have passed:",
  );
});
