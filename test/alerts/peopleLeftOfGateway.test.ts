// A whole gateway in front of the sandbox, by a clock that the test sets on.
import { expect, it } from "vitest";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { startGateway } from "../support/gateway.ts";
import { startSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { rulesFile, storeOfLooks } from "./ofGateway.ts";
import { peopleLeft } from "./silentWorld.ts";

const NOON = Date.parse("2026-11-20T12:00:00Z");

it("A task of the service whose hours ended with people left raises an alert, and one that called all does not", async () => {
  await using sandbox = await startSandbox({ traffic: false, timeZone: "UTC" });
  const own = {
    total: 200,
    createdAt: NOON - 60 * MINUTE_MS,
    startDate: "2026-11-20",
    startTime: [["09:00", "13:00"]],
  };
  const [some, none, perhaps] = ["7001", "7002", "7003"];
  await sandbox.control("POST", "seed", {
    tasks: [
      { id: some, status: "running", progress: 75, ...own },
      { id: none, status: "done", progress: 100, ...own },
      { id: perhaps, status: "stop.timeout", progress: 100, updatedAt: NOON + 60 * MINUTE_MS, ...own },
    ],
  });
  const { env } = rulesFile(peopleLeft({ tasks: [some, none, perhaps], atLeast: 1 }));
  let now = NOON;
  const { store, look } = await storeOfLooks();
  const overrides = { store, clock: () => now, isClockSimulated: true, alertTimes: alertSetup.TIMES };
  await using gateway = await startGateway(sandbox, env, overrides);
  await look();
  now = NOON + 65 * MINUTE_MS;
  const query =
    "{ alerts(first: 10) { nodes { taskId kind unit value threshold text zh: text(language: ZH) resolvedAt raisedAt } } alertRules { kind doubts } }";
  const { data } = await until(async () => {
    const answer = await gateway.ask<{ alerts: { nodes: object[] } }>(query);
    return (answer.data?.alerts.nodes.length ?? 0) > 0 && answer;
  });
  expect(data).toEqual({
    alerts: {
      nodes: [
        {
          taskId: some,
          kind: "PEOPLE_LEFT",
          unit: "COUNT",
          value: 49,
          threshold: 1,
          text: "The hours of task 7001 are over, and at least 49 of its 200 people are still to be called.",
          zh: "任务 7001 的外呼时段已结束，200 人中至少还有 49 人待呼叫。",
          resolvedAt: null,
          raisedAt: "2026-11-20T13:05:00.000Z",
        },
      ],
    },
    alertRules: [
      { kind: "PEOPLE_LEFT", doubts: [expect.stringContaining("between 0 and 1 people are left") as string] },
    ],
  });
});
