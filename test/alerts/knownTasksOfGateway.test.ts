// A whole gateway whose rules name no task, in front of the sandbox, by a clock that the test sets on.
import { expect, it } from "vitest";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway } from "../support/gateway.ts";
import { startSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { rulesFile } from "./ofGateway.ts";
import { noCalls } from "./silentWorld.ts";

const ALERTS = "{ alerts(first: 10) { nodes { taskId assistantId rule resolvedAt } } alertRules { name doubts } }";
interface Answer {
  alerts: { nodes: { taskId: string | null; assistantId: string | null; rule: string }[] };
  alertRules: { name: string; doubts: string[] }[];
}

it("A gateway watches a task from when somebody asks for it or it calls, and one that nobody has seen never", async () => {
  await using sandbox = await startSandbox({ traffic: false, timeZone: "UTC" });
  const { assistants } = await sandbox.control<{ assistants: { id: string }[] }>("GET", "");
  const [ownId = "", otherId = ""] = assistants.map(({ id }) => id);
  const startTime = [
    ["00:00", "12:00"],
    ["12:00", "00:00"],
  ];
  const task = (id: string, assistantId: string) => ({ id, assistantId, status: "running", startTime });
  const [asked, called, unseen] = ["7001", "7002", "7003"];
  await sandbox.control("POST", "seed", { tasks: [task(asked, ownId), task(called, otherId), task(unseen, ownId)] });
  const { env } = rulesFile(
    noCalls({ name: "any", tasks: undefined }),
    noCalls({ name: "own", tasks: undefined, assistants: [ownId], of: "assistant" }),
  );
  let ahead = 0;
  const clock = () => Date.now() + ahead * MINUTE_MS;
  const overrides = { clock, isClockSimulated: true, alertTimes: alertSetup.TIMES };
  await using gateway = await startGateway(sandbox, { ...env, UPSTREAM_TASK_DAYS: "daily" }, overrides);
  const read = async () => (await gateway.ask<Answer>(ALERTS)).data;
  const rules = (...doubts: string[][]) => ["any", "own"].map((name, at) => ({ name, doubts: doubts[at] ?? [] }));
  const notShown = `No task or call has shown an assistant ${ownId}.`;
  const none = (of = "") => [`The gateway knows no task${of} that was active in the last 14 days.`];
  await until(
    async () =>
      JSON.stringify((await read())?.alertRules) ===
      JSON.stringify(rules(none(), [notShown, ...none(" of its assistants")])),
  );

  await gateway.ask("query($id: ID!) { task(taskId: $id) { name } }", { id: asked });
  const end_at = new Date(clock()).toISOString().slice(0, 19).replace("T", " ");
  await gateway.deliver(callEndedEvent({ task_id: Number(called), start_at: end_at, answer_at: end_at, end_at }));
  for (const minutes of [0, 4, 8, 12, 16, 20, 24]) {
    ahead = minutes;
    for (const taskId of [asked, called]) {
      await sandbox.forget();
      const asks = async () => (await sandbox.requests()).filter(({ path }) => path.endsWith(`/tasks/${taskId}`));
      await until(async () => (await asks()).length > 2);
    }
  }
  const { alerts, alertRules } = await until(async () => {
    const answer = await read();
    return (answer?.alerts.nodes.length ?? 0) > 2 && answer?.alertRules[1]?.doubts.length === 0 && answer;
  });
  const byName = alerts.nodes.toSorted((a, b) => `${a.rule} ${a.taskId}`.localeCompare(`${b.rule} ${b.taskId}`));
  expect(byName).toEqual([
    { rule: "any", taskId: asked, assistantId: null, resolvedAt: null },
    { rule: "any", taskId: called, assistantId: null, resolvedAt: null },
    { rule: "own", taskId: null, assistantId: ownId, resolvedAt: null },
  ]);
  expect(alertRules).toEqual(rules());
  expect((await sandbox.requests()).some(({ path }) => path.endsWith(`/tasks/${unseen}`))).toBe(false);
});
