// Rules on tasks that run without calls.
import { describe, expect, it } from "vitest";
import { createNoCallConditions, MAX_ASKED, type Running, type TaskFacts } from "../../src/alerts/noCallConditions.ts";
import { instantOf } from "../../src/format/instant.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { callEnded, NOW } from "../events/callEnded.ts";
import { databases, postgres } from "../store/databases.ts";
import { silentLog } from "../support/silentLog.ts";
import { startGateway } from "../support/gateway.ts";
import { startSandbox, TIME_ZONE } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { minute, rulesOf } from "./judging.ts";
import { rulesFile } from "./ofGateway.ts";

const { gatewayOn, start, all, TIMES } = alertSetup;
type Gateway = Awaited<ReturnType<typeof gatewayOn>>;

const noCalls = (own: object = {}) => ({ name: "silence", kind: "noCalls", minutes: 20, ...own });
/** So many minutes after NOW. */
const at = (minutes: number) => NOW + minutes * MINUTE_MS;
const running = (since: number, isSure = true): Running => ({ kind: "running", since: at(since), isSure });
const stopped: Running = { kind: "notRunning", isDone: false };

/** A service whose task 7 runs since NOW, and whose list shows no call. */
function service(known = ["7"]) {
  return {
    clock: NOW,
    known,
    running: new Map<string, Running | Error>([["7", running(0)]]),
    listed: null as number | null | "unknown",
    asked: [] as string[],
  };
}
type Service = ReturnType<typeof service>;

function watching(gateway: Gateway, own: Service, rules: Awaited<ReturnType<typeof rulesOf>>) {
  const facts: TaskFacts = {
    known: async () => own.known,
    async lastEnds(taskIds, since) {
      const found = await gateway.store.lastEnds(taskIds, instantOf(since));
      return new Map([...found].map(([taskId, end]) => [taskId, Date.parse(end)]));
    },
    async running(taskId) {
      own.asked.push(taskId);
      const answer = own.running.get(taskId) ?? stopped;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    newestEnd: async () => own.listed,
  };
  const clock = () => own.clock;
  const conditions = createNoCallConditions({ facts, clock, log: silentLog });
  const begun = start(gateway, rules, { conditions: [conditions], clock });
  const looked = async () => {
    const before = begun.looks();
    // Each look is of calls, and of conditions.
    await until(() => begun.looks() > before + 4);
  };
  /** What the looks show at that minute. */
  const look = async (minutes: number) => {
    own.clock = at(minutes);
    await looked();
  };
  return { ...begun, look, conditions };
}

const end = ({ events }: Gateway, minutes: number, taskId = "7") =>
  events.append(
    callEnded({ sessionId: `call ${taskId} ${minutes}`, taskId, endAt: instantOf(at(minutes)) }),
    "WEBHOOK",
  );

describe.each(databases)("A rule on tasks without calls on %s", (_, { create }) => {
  const opened = async (own = service(), ...rules: object[]) => {
    const gateway = await gatewayOn((await create()).url);
    const used = await rulesOf(...(rules.length > 0 ? rules : [noCalls()]));
    return { gateway, own, ...watching(gateway, own, used) };
  };

  // https://github.com/VictoriaMetrics/VictoriaMetrics/issues/657, https://github.com/openobserve/openobserve/pull/14611
  it("is raised for a task that has never called, so many minutes after its hours began, and ends with the first call", async () => {
    const { gateway, look } = await opened();
    await look(19);
    expect(await all(gateway)).toEqual([]);
    await look(21);
    const raised = { kind: "noCalls", taskId: "7", raisedAt: minute(20), value: 20, threshold: 20, calls: 0 };
    expect(await all(gateway)).toMatchObject([{ ...raised, resolvedAt: null }]);
    await look(40);
    await end(gateway, 41);
    await look(42);
    expect(await all(gateway)).toMatchObject([{ ...raised, resolvedAt: minute(41), ending: "RECOVERED" }]);
    expect((await gateway.store.alerts.noticesAfter(0, 10)).map(({ kind }) => kind)).toEqual(["RAISED", "RESOLVED"]);
    await look(62);
    expect((await all(gateway)).map(({ raisedAt }) => raisedAt)).toEqual([minute(61), minute(20)]);
  });

  // https://github.com/prometheus/prometheus/issues/2882
  it("is told also where the silence began long before the gateway looked", async () => {
    const { gateway, look } = await opened(service(), noCalls({ tasks: ["7"] }));
    await look(600);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(20) }]);
    expect(await gateway.store.alerts.noticesAfter(0, 10)).toHaveLength(1);
  });

  it("is over when the task stops, and not raised again for the same silence", async () => {
    const { gateway, own, look } = await opened();
    await look(21);
    own.running.set("7", stopped);
    await look(25);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(25), ending: "NOT_RUNNING" }]);
    own.running.set("7", running(0));
    await look(35);
    expect(await all(gateway)).toHaveLength(1);
    own.running.set("7", running(36));
    await look(57);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(56), resolvedAt: null }, {}]);
  });

  it("is not raised where only webhooks are missing, and counts from the call that the service lists", async () => {
    const { gateway, own, look } = await opened();
    own.listed = at(15);
    await look(30);
    expect(await all(gateway)).toEqual([]);
    await look(36);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(35), resolvedAt: null }]);
    own.listed = at(50);
    await look(52);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(50), ending: "RECOVERED" }]);
  });

  it("says a doubt and raises nothing where hours or the list are not known, and keeps what is open", async () => {
    const { gateway, own, look, conditions } = await opened();
    const [rule] = await rulesOf(noCalls());
    const doubts = () => (rule ? conditions.doubts(rule) : []);
    own.listed = "unknown";
    await look(30);
    expect(doubts()).toEqual(["The calls of task 7 that the service lists cannot be read to their end."]);
    own.running.set("7", { kind: "unknown", doubt: "The hours of task 7 cannot be read." });
    await look(32);
    expect(doubts()).toEqual(["The hours of task 7 cannot be read."]);
    own.running.set("7", running(0, false));
    own.listed = null;
    await look(38);
    expect(doubts()).toEqual([expect.stringContaining("UPSTREAM_TASK_DAYS does not say whether it calls")]);
    expect(await all(gateway)).toEqual([]);
    // A call in these hours shows that it calls on this day.
    await end(gateway, 39);
    await look(60);
    expect(doubts()).toEqual([]);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(59), resolvedAt: null }]);
    own.listed = "unknown";
    await look(70);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: null }]);
  });

  it("is raised for the last of many silent tasks, also where those before it stay silent or fail", async () => {
    const taskIds = Array.from({ length: 3 * MAX_ASKED }, (_, index) => String(100 + index));
    const own = service(taskIds);
    for (const taskId of taskIds) own.running.set(taskId, running(0));
    for (const taskId of taskIds.slice(0, MAX_ASKED)) own.running.set(taskId, new Error("The service is away."));
    const last = taskIds.at(-1) ?? "";
    const { gateway } = await opened(own, noCalls({ minutes: 5 }), noCalls({ name: "longer", minutes: 6 }));
    own.clock = at(10);
    await until(async () => (await all(gateway)).some(({ taskId }) => taskId === last));
    // Once for both rules, and not again in the same minute.
    expect(new Set(own.asked).size).toBe(own.asked.length);
  });

  it("watches only the tasks that it names, and does not ask about one that calls", async () => {
    const own = service(["7", "8"]);
    own.running.set("8", running(0));
    const { gateway, look } = await opened(own, noCalls({ tasks: ["8", "9"] }));
    await end(gateway, 20, "8");
    await look(29);
    own.asked.length = 0;
    await look(30);
    expect(own.asked).not.toContain("8");
    await look(41);
    expect(await all(gateway)).toMatchObject([{ taskId: "8", raisedAt: minute(40) }]);
    expect(own.asked).not.toContain("7");
  });

  it("asks nothing more when the gateway has stopped", async () => {
    const own = service();
    const { stop } = await opened(own);
    own.running.set("7", new Error("The service is away."));
    own.clock = at(30);
    await until(() => own.asked.length > 0);
    await stop();
    const asked = own.asked.length;
    own.clock = at(60);
    expect(own.asked).toHaveLength(asked);
  });
});

it("Two gateways raise an alert on a silent task once", async () => {
  const { url } = await postgres.create();
  const [one, other] = [await gatewayOn(url), await gatewayOn(url)];
  const rules = await rulesOf(noCalls());
  const [first, second] = [service(), service()];
  const begun = watching(one, first, rules);
  const waiting = watching(other, second, rules);
  [first.clock, second.clock] = [at(21), at(22)];
  await until(async () => (await all(one)).length > 0);
  await begun.stop();
  await waiting.look(23);
  expect(await all(other)).toHaveLength(1);
  expect(await other.store.alerts.noticesAfter(0, 10)).toHaveLength(1);
});

it("A gateway tells of a task that runs in its hours and calls nobody, in words", async () => {
  await using sandbox = await startSandbox({ traffic: false });
  const hours = {
    startDate: "2026-11-01",
    startTime: [
      ["00:00", "12:00"],
      ["12:00", "00:00"],
    ],
  };
  await sandbox.control("POST", "seed", { tasks: [{ id: 501, name: "Silent", status: "running", ...hours }] });
  const { env } = rulesFile(noCalls({ minutes: 1, tasks: ["501"] }));
  const own = { ...env, UPSTREAM_TIME_ZONE: TIME_ZONE, UPSTREAM_TASK_DAYS: "daily" };
  await using gateway = await startGateway(sandbox, own, { alertTimes: TIMES });
  const query = "{ alerts(first: 5) { nodes { kind unit value text zh: text(language: ZH) } } }";
  const nodes = await until(async () => {
    const { data } = await gateway.ask<{ alerts: { nodes: unknown[] } }>(query);
    return (data?.alerts.nodes.length ?? 0) > 0 && data?.alerts.nodes;
  });
  expect(nodes).toEqual([
    {
      kind: "NO_CALLS",
      unit: "MINUTES",
      value: 1,
      text: "No call of task 501 has ended for 1 minutes, although it runs.",
      zh: "任务 501 正在运行，但已有 1 分钟没有通话结束。",
    },
  ]);
});
