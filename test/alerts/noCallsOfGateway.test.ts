// A whole gateway in front of the sandbox, by a clock that the test sets on.
import { expect, it } from "vitest";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway } from "../support/gateway.ts";
import { startSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { rulesFile, storeOfLooks } from "./ofGateway.ts";
import { noCalls } from "./silentWorld.ts";

it("A task of the service that runs without calls raises an alert, and one that calls or has stopped does not", async () => {
  await using sandbox = await startSandbox({ traffic: false, timeZone: "UTC" });
  const hours = {
    startTime: [
      ["00:00", "12:00"],
      ["12:00", "00:00"],
    ],
  };
  const [silent, calling, stopped] = ["7001", "7002", "7003"];
  await sandbox.control("POST", "seed", {
    tasks: [
      { id: silent, status: "running", ...hours },
      { id: calling, status: "running", ...hours },
      { id: stopped, status: "stop.operate", ...hours },
    ],
  });
  const { env } = rulesFile(noCalls({ tasks: [silent, calling, stopped] }));
  let ahead = 0;
  const clock = () => Date.now() + ahead * MINUTE_MS;
  const { store, look } = await storeOfLooks();
  const overrides = { store, clock, isClockSimulated: true, alertTimes: alertSetup.TIMES };
  await using gateway = await startGateway(sandbox, { ...env, UPSTREAM_TASK_DAYS: "daily" }, overrides);
  for (const minutes of [0, 4, 8, 12, 16, 20, 24]) {
    ahead = minutes;
    if (minutes === 12) {
      const end_at = new Date(clock()).toISOString().slice(0, 19).replace("T", " ");
      await gateway.deliver(callEndedEvent({ task_id: Number(calling), start_at: end_at, answer_at: end_at, end_at }));
    }
    await look();
  }
  const query =
    "{ alerts(first: 10) { nodes { taskId kind unit threshold text resolvedAt } } alertRules { kind doubts } }";
  const { data } = await until(async () => {
    const answer = await gateway.ask<{ alerts: { nodes: object[] } }>(query);
    return (answer.data?.alerts.nodes.length ?? 0) > 0 && answer;
  });
  const text = /^No call of task 7001 has ended for \d+ minutes, although it runs and is in its hours\.$/;
  const found = { taskId: silent, kind: "NO_CALLS", unit: "MINUTES", threshold: 20, resolvedAt: null };
  expect(data).toEqual({
    alerts: { nodes: [{ ...found, text: expect.stringMatching(text) as string }] },
    alertRules: [{ kind: "NO_CALLS", doubts: [] }],
  });
});
