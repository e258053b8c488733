// Rules on people that are left when the hours of a task end, on both databases.
import { describe, expect, it } from "vitest";
import { alertText, overText } from "../../src/alerts/alertText.ts";
import { CONDITIONS, judgeConditions, keysOf } from "../../src/alerts/conditions.ts";
import { instantOf } from "../../src/format/instant.ts";
import { databases, postgres } from "../store/databases.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { minute, rulesOf } from "./judging.ts";
import { begunOn, EVENING, left, MORNING } from "./leftWorld.ts";
import { at, end, opened, peopleLeft, service, watching } from "./silentWorld.ts";

const { all } = alertSetup;
describe.each(databases)("An alert on people that are left on %s", (_, { create }) => {
  const begun = (task = left(), rule: object = {}, own = service()) => begunOn({ create }, task, { rule, own });

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
    own.tasks.set("7", left({ status: "done", progress: 100 }));
    await look(EVENING + 6);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(EVENING + 6), ending: "RECOVERED" }, over]);
  });

  it("is raised of a task that still waits for its first call", async () => {
    const { gateway, look } = await begun(left({ status: "pending", progress: 0 }));
    await look(35);
    expect(await all(gateway)).toMatchObject([{ value: 991, resolvedAt: null }]);
  });

  it("is over where the hours are made longer, and comes again at their new end", async () => {
    const { gateway, own, look } = await begun();
    await look(35);
    own.tasks.set("7", left({}, [["09:00", "20:00"]]));
    await look(60);
    const over = { raisedAt: minute(35), resolvedAt: minute(60), ending: "PERIOD_OVER" };
    expect(await all(gateway)).toMatchObject([over]);
    await look(155);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(155), resolvedAt: null }, over]);
    own.tasks.set("7", left({}, [["09:00", "20:30"]]));
    await look(185);
    expect(await all(gateway)).toMatchObject([
      { raisedAt: minute(185), resolvedAt: null },
      { raisedAt: minute(155), ending: "PERIOD_OVER" },
      over,
    ]);
  });

  it("stays as it is where the hours of another day are made shorter in the evening, and longer again", async () => {
    const { gateway, own, look } = await begun();
    await look(35);
    own.tasks.set("7", left({}, [["09:00", "17:00"]]));
    await look(70);
    own.tasks.set("7", left());
    await look(71, 200);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(35), resolvedAt: null }]);
    expect(await gateway.store.alerts.noticesAfter(0, 10)).toHaveLength(1);
  });

  it("waits for five minutes after the last call that ended", async () => {
    const { gateway, own, look } = await begun();
    await end(gateway, own, 34);
    await look(35, 38);
    expect(await all(gateway)).toEqual([]);
    await look(39);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(39) }]);
  });

  it("is not raised of a task that somebody stopped, that is done, that is gone, or that came after its hours", async () => {
    const { gateway, own, look } = await begun(left({ status: "stop.operate" }));
    await look(35);
    own.tasks.set("7", left({ status: "done", progress: 100 }));
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
    "Closed, because the task may call again, its next hours are over, or three days have passed:",
  );
});

it("Two gateways that find people left at the same time, because one has lost its lease, raise one alert", async () => {
  const { url } = await postgres.create();
  const own = service();
  const both = [await opened(url, own), await opened(url, own)];
  const [rule] = await rulesOf(peopleLeft());
  if (!rule) throw new Error("There is a rule.");
  const about = { value: 591, threshold: 10, detail: { unit: "COUNT", total: 1000, most: 609 } };
  const looks = both.map(({ store }, later) => {
    const condition = { at: at(35 + later), of: at(30), ...about };
    const found = { findings: [{ rule, subject: "task 7", taskId: "7", condition }], covered: [] };
    return store.alerts.settle(
      CONDITIONS,
      ({ states }) => judgeConditions(found, states, at(35 + later)),
      keysOf(found),
    );
  });
  const told = await Promise.all(looks);
  expect(told.reduce((sum, notices) => sum + notices, 0)).toBe(1);
  for (const gateway of both) expect(await all(gateway)).toHaveLength(1);
});
