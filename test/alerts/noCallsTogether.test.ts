// Rules on tasks that run without calls, where all tasks of a rule are watched together, on both databases.
import { describe, expect, it } from "vitest";
import { alertText } from "../../src/alerts/alertText.ts";
import { countingOf } from "../../src/alerts/judgeCall.ts";
import { databases } from "../store/databases.ts";
import { alertSetup } from "./contract.ts";
import { minute, rulesOf } from "./judging.ts";
import { end, from, noCalls, opened, running, service, watching } from "./silentWorld.ts";

const { all } = alertSetup;
const together = (...tasks: string[]) => noCalls({ of: "all", tasks });

describe.each(databases)("An alert on tasks that are silent together on %s", (_, { create }) => {
  const begun = async (tasks: string[], own = service()) => {
    for (const taskId of tasks) if (!own.tasks.has(taskId)) own.tasks.set(taskId, running({ taskId }));
    const gateway = await opened((await create()).url, own);
    return { gateway, own, ...(await watching(gateway, own, [together(...tasks)])) };
  };

  it("is one of all tasks, raised after the last call of any of them, and over with the next one of any", async () => {
    const { gateway, own, look } = await begun(["7", "8"]);
    await look(0, 4);
    await end(gateway, own, 5, { taskId: "8" });
    await look(8, 12, 16, 20, 24);
    expect(await all(gateway)).toEqual([]);
    await look(25);
    const raised = { kind: "noCalls", subject: "all", taskId: null, raisedAt: minute(25), value: 20 };
    expect(await all(gateway)).toMatchObject([{ ...raised, resolvedAt: null }]);
    const [alert] = await all(gateway);
    const text = (language: "en" | "zh") => alert && alertText(alert, language, (name) => name);
    expect(text("en")).toBe(
      "No call of the tasks 7, 8 has ended for 20 minutes, although one of them runs and is in its hours.",
    );
    expect(text("zh")).toBe("任务 7、8 已有 20 分钟没有通话结束，但其中有任务正在运行且处于外呼时段。");
    await end(gateway, own, 26, { taskId: "7" });
    await look(27);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(26), ending: "RECOVERED" }]);
  });

  it("goes on while one of them runs, whatever is not known of others, and is over when none does", async () => {
    const { gateway, own, look } = await begun(["7", "8", "9"]);
    own.tasks.set("9", new Error("The service is away."));
    await look(...from(0, 2).map((each) => each * 4));
    own.tasks.set("7", running({ status: "stop.operate" }));
    await look(12, 16, 20);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(20), resolvedAt: null }]);
    own.tasks.set("9", running({ taskId: "9", status: "done" }));
    own.tasks.set("8", running({ taskId: "8", status: "done" }));
    await look(22);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(22), ending: "NOT_RUNNING" }]);
  });

  it("is neither raised nor over where none is known to run, and one is not known", async () => {
    const { gateway, own, look, doubts } = await begun(["7", "8"]);
    own.tasks.set("7", running({ status: "done" }));
    own.tasks.set("8", running({ taskId: "8", status: null }));
    await look(...from(0, 6).map((each) => each * 4));
    expect(await all(gateway)).toEqual([]);
    expect(await doubts()).toEqual(["The status of task 8 cannot be read."]);
  });

  it("begins to count anew where the tasks of its rule are others", async () => {
    const { gateway, own, look, stop } = await begun(["7", "8"]);
    own.tasks.set("8", running({ taskId: "8", status: "stop.operate" }));
    await look(0, 4, 8, 12, 16);
    await stop();
    own.tasks.set("8", running({ taskId: "8" }));
    const second = await watching(gateway, own, [together("8")]);
    await second.look(20, 24, 28, 32, 36);
    expect(await all(gateway)).toEqual([]);
    await second.look(40);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(40) }]);
  });

  it("has what looks have seen of a list of tasks deleted with events of that age", async () => {
    const { gateway, look, stop } = await begun(["7", "8"]);
    await look(0, 4);
    await stop();
    const [rule] = await rulesOf(together("7", "8"));
    const kept = async () => (await gateway.store.taskLooks.runs([`${rule ? countingOf(rule) : ""} all`])).size;
    await gateway.store.alerts.purge(minute(4), 10);
    expect(await kept()).toBe(1);
    await gateway.store.alerts.purge(minute(5), 10);
    expect(await kept()).toBe(0);
  });

  it("asks the list of the service for all of its tasks, ten at a time", async () => {
    const tasks = from(1, 23).map(String);
    const { gateway, own, look } = await begun(tasks);
    own.listed = 1;
    await look(...from(0, 5).map((each) => each * 4));
    expect(await all(gateway)).toEqual([]);
    own.listed = 0;
    await look(25);
    expect(await all(gateway)).toHaveLength(1);
    expect(own.lists.every((ids) => ids.length <= 10)).toBe(true);
    expect(new Set(own.lists.flat())).toEqual(new Set(tasks));
  });
});

it("The text of an alert on many tasks names some of them, and how many more there are", () => {
  const tasks = from(1, 8).map(String);
  const about = { kind: "noCalls", subject: "all", value: 20, threshold: 20, calls: 0 };
  const alert = { ...about, detail: JSON.stringify({ unit: "MINUTES", tasks }) };
  expect(alertText(alert, "en", (name) => name)).toContain("tasks 1, 2, 3, 4, 5 and 3 more has ended");
});
