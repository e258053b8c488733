// Rules on what keys have used of their limits.
import { afterEach, describe, expect, it } from "vitest";
import { alertText } from "../../src/alerts/alertText.ts";
import type { ViewerLimits } from "../../src/auth/viewerPolicy.ts";
import { createLimitConditions } from "../../src/gateway/usedLimits.ts";
import { maskText } from "../../src/privacy/maskPhone.ts";
import { databases, postgres } from "../store/databases.ts";
import { startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, sha256Of, keyOf } from "../support/keys.ts";
import { startSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { taskInputFor } from "../e2e/submitting.ts";
import { input, people } from "../tasks/limitedOffice.ts";
import { now, office, TIME_ZONE } from "../tasks/office.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { alertSetup } from "./contract.ts";
import { rulesOf } from "./judging.ts";
import { rulesFile } from "./ofGateway.ts";

const { gatewayOn, start, all, TIMES } = alertSetup;
type Gateway = Awaited<ReturnType<typeof gatewayOn>>;

/** 17:30 in Shanghai. */
const AFTERNOON = now.ms;
const HOUR_END = "2026-11-20T10:00:00.000Z";
const DAY_END = "2026-11-20T16:00:00.000Z";
afterEach(() => void (now.ms = AFTERNOON));

const limitRule = (own: object = {}) => ({ name: "limits", kind: "keyLimit", atLeast: 0.8, ...own });

/** A gateway that watches the key "web", and sends tasks in its name. */
async function watching(gateway: Gateway, limits: ViewerLimits, ...rules: object[]) {
  const key = { name: "web", scopes: new Set<never>(), access: null, limits };
  const { usage } = gateway.store;
  const find = createLimitConditions({ keys: () => [key], usage, timeZone: TIME_ZONE, clock: () => now.ms });
  const running = start(gateway, await rulesOf(...rules), { conditions: [find], clock: () => now.ms });
  const { submit } = await office(undefined, undefined, gateway.store, new Map([["web", limits]]));
  /** Sends a task with so many numbers. */
  const send = async (count = 1) => expect((await submit("web", input(people(count)))).errors).toEqual([]);
  const looked = async () => {
    const before = running.looks();
    await until(() => running.looks() > before + 3);
  };
  return { ...running, send, looked };
}

describe.each(databases)("A rule on the limits of keys on %s", (_, { create }) => {
  const opened = async () => gatewayOn((await create()).url);

  // https://github.com/erayendes/mimir/pull/63
  it("is raised once in a day from its share on, and is over with the day", async () => {
    const gateway = await opened();
    const { send, looked } = await watching(gateway, { tasksPerDay: 5, numbersPerTask: 1 }, limitRule());
    for (let sent = 0; sent < 3; sent += 1) await send();
    await looked();
    expect(await all(gateway)).toEqual([]);
    await send();
    await until(async () => (await all(gateway)).length > 0);
    const raised = { kind: "keyLimit", subject: "key tasksPerDay web", value: 0.8, threshold: 0.8, taskId: null };
    expect(await all(gateway)).toMatchObject([{ ...raised, resolvedAt: null }]);
    now.ms += 60_000;
    await send();
    await looked();
    expect(await all(gateway)).toHaveLength(1);
    now.ms = Date.parse(DAY_END);
    await until(async () => (await all(gateway))[0]?.resolvedAt);
    expect(await all(gateway)).toMatchObject([{ ...raised, resolvedAt: DAY_END, ending: "PERIOD_OVER" }]);
    const notices = await gateway.store.alerts.noticesAfter(0, 10);
    expect(notices.map(({ kind }) => kind)).toEqual(["RAISED", "RESOLVED"]);
  });

  // https://github.com/getlago/lago-api/pull/6132
  it("is raised again in the next hour where that is used, too", async () => {
    const gateway = await opened();
    const { send, looked } = await watching(gateway, { numbersPerHour: 4 }, limitRule({ limits: ["numbersPerHour"] }));
    await send(4);
    await until(async () => (await all(gateway)).length > 0);
    now.ms = Date.parse(HOUR_END);
    await send(3);
    await until(async () => (await all(gateway))[0]?.resolvedAt);
    await looked();
    expect(await all(gateway)).toHaveLength(1);
    await send(1);
    await until(async () => (await all(gateway)).length > 1);
    expect(await all(gateway)).toMatchObject([
      { raisedAt: HOUR_END, value: 1, resolvedAt: null },
      { resolvedAt: HOUR_END, ending: "PERIOD_OVER" },
    ]);
  });

  it("goes on after a restart, watches the keys and limits that it names alone, and ends with its rule", async () => {
    const gateway = await opened();
    const rules = [limitRule({ keys: ["web"], limits: ["tasksPerHour"] }), limitRule({ name: "other", keys: ["app"] })];
    const limits = { tasksPerHour: 1, numbersPerDay: 1 };
    const first = await watching(gateway, limits, ...rules);
    await first.send();
    await until(async () => (await all(gateway)).length > 0);
    await first.stop();
    const second = await watching(gateway, limits, ...rules);
    await second.looked();
    expect(await all(gateway)).toMatchObject([{ rule: "limits", subject: "key tasksPerHour web", resolvedAt: null }]);
    await second.stop();
    await watching(gateway, limits, limitRule({ name: "renamed", keys: ["app"] }));
    await until(async () => (await all(gateway))[0]?.resolvedAt);
    expect(await all(gateway)).toMatchObject([{ ending: "RULE_CHANGED" }]);
  });
});

it("Two gateways raise an alert on a limit once", async () => {
  const { url } = await postgres.create();
  const [one, other] = [await gatewayOn(url), await gatewayOn(url)];
  const limits = { tasksPerDay: 1 };
  const first = await watching(one, limits, limitRule());
  const second = await watching(other, limits, limitRule());
  await first.send();
  await until(async () => (await all(one)).length > 0);
  await first.stop();
  await second.looked();
  expect(await all(other)).toHaveLength(1);
  expect(await other.store.alerts.noticesAfter(0, 10)).toHaveLength(1);
});

it("An alert on a limit names the key and never shows it, nor a phone number in its name", async () => {
  await using sandbox = await startSandbox();
  await using directory = await temporaryDirectory();
  const name = "app of 13800010001";
  const file = join(directory.path, "keys.json");
  const scopes = ["calls:read", "tasks:create", "admin"];
  const limits = { tasksPerDay: 1 };
  await writeFile(file, JSON.stringify([{ name, sha256: sha256Of(keyOf("app")), scopes, limits }]));
  const { env } = rulesFile(limitRule(), limitRule({ name: "typo", keys: ["wep"] }));
  const own = { ...env, UPSTREAM_TIME_ZONE: TIME_ZONE, DATABASE_URL: directory.database, API_KEYS_FILE: file };
  await using gateway = await startGateway(sandbox, own, { alertTimes: TIMES });
  const headers = { authorization: bearer("app") };
  const task = taskInputFor("11");
  const create = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { errors { message } } }";
  expect(await gateway.ask(create, { input: task }, headers)).toMatchObject({
    data: { createTask: { errors: [] } },
  });
  const query = "{ alerts(first: 5) { nodes { kind key value text zh: text(language: ZH) } } alertRules { doubts } }";
  const { data } = await until(async () => {
    const answer = await gateway.ask<{ alerts: { nodes: { text: string }[] } }>(query, {}, headers);
    return (answer.data?.alerts.nodes.length ?? 0) > 0 && answer;
  });
  expect(JSON.stringify(data)).not.toMatch(/13800010001|key-of-/);
  expect(data).toMatchObject({
    alerts: { nodes: [{ kind: "KEY_LIMIT", key: maskText(name), value: 1 }] },
    alertRules: [
      { doubts: [] },
      { doubts: ['API_KEYS_FILE has no key "wep".', "No key that it names has a limit that it watches."] },
    ],
  });
});

it("The text of an alert on a limit says what is used, of what, and until when", () => {
  const detail = { limit: "numbersPerDay", size: 1000, used: 850, freeAt: DAY_END };
  const alert = {
    kind: "keyLimit",
    subject: "key numbersPerDay web app",
    value: 0.85,
    threshold: 0.57,
    calls: 0,
    detail: JSON.stringify(detail),
  };
  expect(alertText(alert, "en", (name) => name)).toBe(
    "The key web app has used 850 of its 1000 numbers in a day (85 %, the limit is 57 %). All are free again at 2026-11-20 16:00 UTC.",
  );
  expect(alertText(alert, "zh", (name) => name)).toBe(
    "密钥 web app 的每天号码数已使用 850/1000（85 %，限值为 57 %），2026-11-20 16:00 UTC 恢复。",
  );
});
