// Rules on tasks that name none, on both databases.
import { describe, expect, it } from "vitest";
import { alertText } from "../../src/alerts/alertText.ts";
import { DAY_MS, MINUTE_MS } from "../../src/util/durations.ts";
import { databases } from "../store/databases.ts";
import { ANY_QUOTA, submission } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { minute } from "./judging.ts";
import { any, forget, fours, know, NONE, of, taskIdsOf } from "./knownWorld.ts";
import { left } from "./leftWorld.ts";
import { end, from, noCalls, opened, peopleLeft, running, service, watching } from "./silentWorld.ts";

const { all } = alertSetup;

describe.each(databases)("A rule on tasks that names none on %s", (_, { create }) => {
  const begun = async (rules: readonly object[] = [any()], own = service()) => {
    const gateway = await opened((await create()).url, own);
    const tasks = (...taskIds: string[]) =>
      taskIds.forEach((taskId) => own.tasks.has(taskId) || own.tasks.set(taskId, running({ taskId })));
    return { gateway, own, tasks, ...(await watching(gateway, own, rules)) };
  };

  // https://www.robustperception.io/absent-alerting-for-jobs
  it("says that it watches none while none is known, and watches each from when it is known", async () => {
    const { gateway, tasks, look, doubts } = await begun();
    await look(0, 4);
    expect(await doubts()).toEqual([NONE]);
    tasks("7", "8");
    await know(gateway, 5, "7");
    await look(8, 12, 16, 20, 24);
    expect(await all(gateway)).toEqual([]);
    expect(await doubts()).toEqual([]);
    await know(gateway, 25, "8");
    await look(28);
    expect(await all(gateway)).toMatchObject([{ taskId: "7", raisedAt: minute(28) }]);
    await look(32, 36, 40, 44, 48);
    expect((await all(gateway)).map(({ taskId, raisedAt }) => [taskId, raisedAt])).toEqual([
      ["8", minute(48)],
      ["7", minute(28)],
    ]);
  });

  // https://github.com/grafana/grafana/issues/36645, https://github.com/ercole-io/ercole/issues/694
  it("ends the alert of a task that no gateway knows any more, or that was not active for two weeks", async () => {
    const { gateway, tasks, look, doubts } = await begun();
    tasks("8");
    await know(gateway, 0, "7");
    await know(gateway, 0, "8");
    await look(...fours(20));
    expect(await all(gateway)).toHaveLength(2);
    await forget(gateway);
    await know(gateway, 22, "8");
    await look(24);
    const over = { resolvedAt: minute(24), ending: "RULE_CHANGED" };
    expect((await all(gateway)).find(({ taskId }) => taskId === "7")).toMatchObject(over);
    expect((await all(gateway)).find(({ taskId }) => taskId === "8")).toMatchObject({ resolvedAt: null });
    const later = 22 + (14 * DAY_MS) / MINUTE_MS;
    await look(later);
    expect((await all(gateway)).map(({ resolvedAt }) => resolvedAt)).toContain(minute(later));
    expect(await doubts()).toEqual([NONE]);
  });

  // https://github.com/elastic/kibana/issues/247418
  it("keeps alerts open while the service is away, with a doubt of each task, and goes on when it is back", async () => {
    const { gateway, own, tasks, look, doubts } = await begun();
    tasks("8");
    await know(gateway, 0, "7", "8");
    await look(...fours(20));
    for (const taskId of ["7", "8"]) own.tasks.set(taskId, new Error("The service is away."));
    await look(24, 28, 32, 36);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: null }, { resolvedAt: null }]);
    expect(await doubts()).toHaveLength(2);
    own.tasks.set("7", running({ status: "stop.operate" }));
    own.tasks.set("8", running({ taskId: "8" }));
    await end(gateway, own, 38, { taskId: "8" });
    await look(40);
    expect(await taskIdsOf(gateway, ({ ending }) => ending === "NOT_RUNNING")).toEqual(["7"]);
    expect(await taskIdsOf(gateway, ({ ending }) => ending === "RECOVERED")).toEqual(["8"]);
    expect(await doubts()).toEqual([]);
  });

  // https://github.com/influxdata/kapacitor/issues/2108
  it("asks about tasks that have ended, or that the service does not have, once an hour, and tells nothing of them", async () => {
    const { gateway, own, tasks, look, doubts } = await begun([any(), peopleLeft({ tasks: undefined })]);
    tasks("7");
    const ended = from(10, 20).map(String);
    for (const taskId of ended) own.tasks.set(taskId, left({ taskId, status: "done", updatedAt: minute(-60) }));
    await know(gateway, -30, "7", "9", ...ended);
    await look(0);
    expect(await doubts()).toEqual([]);
    await look(1, 2, 3, 4);
    own.asked.length = 0;
    await look(...fours(40, 8));
    expect(new Set(own.asked)).toEqual(new Set(["7"]));
    expect(await doubts()).toEqual([]);
    await look(61, 62, 63, 64, 65, 66, 67, 68);
    expect(new Set(own.asked)).toEqual(new Set(["7", "9", ...ended]));
    expect((await all(gateway)).map(({ taskId }) => taskId)).not.toContain("9");
  });

  it("finds that a task goes on which was stopped, at once with a call, and without one within an hour", async () => {
    const { gateway, own, tasks, look } = await begun();
    for (const taskId of ["7", "8"]) own.tasks.set(taskId, running({ taskId, status: "stop.operate" }));
    await know(gateway, -60, "7", "8");
    await look(0, 4);
    own.tasks.clear();
    tasks("7", "8");
    await know(gateway, 5, "7");
    await look(...fours(56, 8));
    expect((await all(gateway)).map(({ taskId }) => taskId)).toEqual(["7"]);
    await look(...fours(92, 60));
    expect((await all(gateway)).map(({ taskId }) => taskId)).toEqual(["8", "7"]);
  });

  it("watches only tasks of its assistants, and says of which the assistant cannot be read", async () => {
    const { gateway, own, look, doubts } = await begun([any({ assistants: ["70"] })]);
    own.tasks.set("7", running(of("70")));
    own.tasks.set("8", running({ taskId: "8", ...of("80") }));
    own.tasks.set("9", running({ taskId: "9" }));
    await know(gateway, 0, "7", "8", "9");
    await look(0, 1, 2, 3);
    own.asked.length = 0;
    await look(...fours(20, 4));
    expect(await all(gateway)).toMatchObject([{ taskId: "7", raisedAt: minute(20) }]);
    expect(await doubts()).toEqual(["The assistant of task 9 cannot be read."]);
    expect(new Set(own.asked)).toEqual(new Set(["7", "9"]));
    own.tasks.set("7", running(of("80")));
    await look(24);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(24), ending: "RULE_CHANGED" }]);
  });

  it("takes the tasks of each assistant together, and names assistant and tasks", async () => {
    const { gateway, own, look } = await begun([any({ of: "assistant" })]);
    for (const [taskId, assistantId] of [
      ["7", "70"],
      ["8", "70"],
      ["9", "80"],
    ] as const)
      own.tasks.set(taskId, running({ taskId, ...of(assistantId) }));
    await know(gateway, 0, "7", "8", "9");
    await look(0, 4, 8);
    await end(gateway, own, 9, { taskId: "9" });
    await look(12, 16, 20);
    const raised = { kind: "noCalls", subject: "assistant 70", taskId: null, assistantId: "70", raisedAt: minute(20) };
    expect(await all(gateway)).toMatchObject([{ ...raised, resolvedAt: null }]);
    const [alert] = await all(gateway);
    const text = (language: "en" | "zh") => alert && alertText(alert, language, (name) => name);
    expect(text("en")).toBe(
      "No call of the tasks 7, 8 of assistant 70 has ended for 20 minutes, although one of them runs and is in its hours.",
    );
    expect(text("zh")).toBe("助手 70 的任务 7、8 已有 20 分钟没有通话结束，但其中有任务正在运行且处于外呼时段。");
    await end(gateway, own, 21, { taskId: "8" });
    await look(22);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(21), ending: "RECOVERED" }]);
  });

  it("goes on with the alerts of one that named its tasks, as far as it watches them, and the other way round", async () => {
    const { gateway, own, tasks, look, stop } = await begun([noCalls({ tasks: ["7", "8"] })]);
    tasks("7", "8", "9");
    await know(gateway, 0, "8", "9");
    await look(...fours(20));
    expect(await all(gateway)).toHaveLength(2);
    await stop();
    const second = await watching(gateway, own, [any()]);
    await second.look(22);
    const open = () => taskIdsOf(gateway, ({ resolvedAt }) => resolvedAt === null);
    expect(await open()).toEqual(["8"]);
    await second.look(...fours(44, 24));
    expect(await open()).toEqual(["8", "9"]);
    await second.stop();
    const third = await watching(gateway, own, [noCalls({ tasks: ["9"] })]);
    await third.look(46);
    await until(async () => (await open()).length === 1);
    expect(await open()).toEqual(["9"]);
  });

  it("tells of people that are left of each known task, also of one that the service has stopped", async () => {
    const { gateway, own, look } = await begun([peopleLeft({ tasks: undefined })]);
    own.tasks.set("7", left());
    own.tasks.set("8", left({ taskId: "8", progress: 100, total: 5 }));
    own.tasks.set("9", left({ taskId: "9" }));
    await know(gateway, 0, "7", "8", "9");
    await look(0, 20, 24);
    own.tasks.set("9", left({ taskId: "9", status: "stop.abnormal", updatedAt: minute(24) }));
    await look(25, 30, 36);
    expect(await taskIdsOf(gateway)).toEqual(["7", "9"]);
  });

  it("says so while a task that was created through the gateway has shown no call, and is not known", async () => {
    const { gateway, own, look, doubts, stop } = await begun();
    const { submissions } = gateway.store;
    await know(gateway, 0, "7");
    const created = { name: "New", assistantId: "70", status: "ACCEPTED", submittedAt: minute(0) } as const;
    await submissions.claim(submission({ id: "one", idempotencyKey: "one", ...created }), ANY_QUOTA);
    await look(0, 40);
    expect(await doubts()).toEqual([]);
    await look(61);
    expect(await doubts()).toEqual([expect.stringContaining("No call has shown yet which tasks were created")]);
    await stop();
    const second = await watching(gateway, own, [
      any({ assistants: ["80"] }),
      any({ name: "own", assistants: ["70"] }),
    ]);
    own.tasks.set("7", running(of("80")));
    own.tasks.set("8", running({ taskId: "8", ...of("70") }));
    await know(gateway, 62, "8");
    await second.look(64);
    expect(await second.doubts()).toHaveLength(1);
    await submissions.resolve("one", "8");
    await second.look(66);
    expect(await second.doubts()).toEqual([]);
  });

  // https://github.com/grafana/grafana/pull/132714
  it("keeps nothing of tasks that come and go", async () => {
    const { gateway, tasks, look } = await begun();
    for (const each of from(1, 6)) {
      await forget(gateway);
      tasks(String(each));
      await know(gateway, each * 2, String(each));
      await look(each * 2);
    }
    expect([...(await gateway.store.taskLooks.notes()).keys()]).toEqual(["6"]);
  });
});
