// What destinations get of alerts.
import { writeFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { alertLanguages, overText } from "../../src/alerts/alertText.ts";
import { endings } from "../../src/alerts/callWindow.ts";
import { SECRET, startReceiver, status, type Receiver } from "../destinations/receiver.ts";
import { postgres } from "../store/databases.ts";
import { tempFile, tempStore } from "../store/tempStore.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { answerRate } from "./judging.ts";
import { miss, rulesFile, type RulesFile } from "./ofGateway.ts";
import { seedAlerts } from "./seeded.ts";

const TIMES = {
  retries: { delaysMs: [1] as [number], forMs: 3 * 86_400_000, random: () => 0 },
  times: { pollMs: 20, leaseMs: 20 },
};

const settings = (receiver: Receiver, ...destinations: object[]) =>
  settingsOf(rulesFile(answerRate()), receiver, destinations);

function settingsOf({ env }: Pick<RulesFile, "env">, receiver: Receiver, destinations: readonly object[]) {
  const file = tempFile("destinations.json");
  const own = { name: "on-call", url: receiver.url };
  writeFileSync(file, JSON.stringify(destinations.map((each) => ({ ...own, ...each }))));
  const all = { ...env, PUBLIC_URL: "https://calls.example.com/" };
  return { ...all, DESTINATIONS_FILE: file, DESTINATION_HOSTS: receiver.host };
}

const event = { kind: "event", alerts: true, filter: { taskIds: [] }, secrets: [SECRET] };
const TEXT = "The answer rate of task 7 is 0 %, below 50 %: the last 4 calls.";

/** Calls that nobody answers, until the receiver got something. */
async function missUntilTold(env: Record<string, string>, receiver: Receiver, messages = 1) {
  await using gateway = await startGateway(NO_SERVICE, env, { alertDeliveryTimes: TIMES });
  await until(async () => {
    await miss(gateway, 1);
    return receiver.messages.length >= messages;
  });
  const { data } = await gateway.ask<{ alerts: { nodes: { id: string }[] } }>(
    "{ alerts(first: 10) { nodes { id raisedAt } } }",
  );
  return data?.alerts.nodes ?? [];
}

describe("A destination", () => {
  it("of the kind event gets an alert once, signed, with a text and a link into the console", async () => {
    const receiver = await startReceiver();
    const [alert] = await missUntilTold(settings(receiver, event), receiver);
    expect(receiver.messages).toHaveLength(1);
    const [message] = receiver.messages;
    const { body = "", headers = {} } = message ?? {};
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toMatchObject({
      type: "alert",
      data: {
        ...alert,
        status: "raised",
        rule: "answers",
        kind: "ANSWER_RATE",
        text: TEXT,
        taskId: "7",
        url: "https://calls.example.com/tasks?task=7",
        resolvedAt: null,
      },
    });
    expect(message?.id).toMatch(/^alert_\d+_raised$/);
  });

  it("gets an alert that it did not take again, with the same id", async () => {
    const receiver = await startReceiver();
    receiver.answerWith((message, response, count) => status(count < 3 ? 503 : 204)(message, response, count));
    await missUntilTold(settings(receiver, event), receiver, 3);
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(1);
    expect(new Set(receiver.messages.map(({ body }) => body)).size).toBe(1);
  });

  it("is told of an end that is no recovery in other words", async () => {
    const receiver = await startReceiver();
    const slack = { kind: "slack", language: "en" };
    const { ALERTS_FILE, ...env } = { ...settings(receiver, slack), DATABASE_URL: `file:${tempFile()}` };
    await missUntilTold({ ...env, ALERTS_FILE }, receiver);
    await using _ = await startGateway(NO_SERVICE, env, { alertDeliveryTimes: TIMES });
    await until(() => receiver.messages.length > 1);
    const { text } = JSON.parse(receiver.messages[1]?.body ?? "") as { text: string };
    expect(text).toContain(`Closed, because its rule no longer applies: ${TEXT}`);
  });

  it("that is paused gets no alert before it goes on", async () => {
    const receiver = await startReceiver();
    await using gateway = await startGateway(NO_SERVICE, settings(receiver, event), { alertDeliveryTimes: TIMES });
    const change = (mutation: string) =>
      until(async () => (await gateway.ask(`mutation { ${mutation} }`)).errors === undefined);
    await change('pauseDestination(name: "on-call") { state }');
    await until(async () => {
      await miss(gateway, 1);
      const { data } = await gateway.ask<{ alerts: { nodes: unknown[] } }>("{ alerts(first: 10) { nodes { id } } }");
      return (data?.alerts.nodes.length ?? 0) > 0;
    });
    expect(receiver.messages).toEqual([]);
    await change('resumeDestination(name: "on-call") { state }');
    await until(() => receiver.messages.length > 0);
    expect(JSON.parse(receiver.messages[0]?.body ?? "")).toMatchObject({ type: "alert" });
  });

  it("of the kind slack gets a text that a person understands, and no calls", async () => {
    const receiver = await startReceiver();
    await missUntilTold(settings(receiver, { kind: "slack", language: "zh" }), receiver);
    expect(receiver.messages.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { text: "任务 7 的接通率为 0 %，低于 50 %（最近 4 通）。\n<https://calls.example.com/tasks?task=7>" },
    ]);
  });
});

it("Each end of an alert has words of its own, and only a recovery is called one", () => {
  for (const language of alertLanguages) {
    const texts = endings.map((ending) => overText({ ending, kind: "answerRate" }, language));
    expect(new Set(texts).size).toBe(endings.length);
    expect(texts.filter((text) => /recovered|恢复/i.test(text))).toEqual([
      overText({ ending: "RECOVERED", kind: "answerRate" }, language),
    ]);
  }
});

it("The end of an alert on recordings for want of any does not speak of calls", () => {
  const over = { ending: "NO_CALLS", kind: "recordingsLost" };
  expect(overText(over, "en")).toBe("Closed, because no recording was stored or lost for a day:");
  expect(overText(over, "zh")).toBe("已关闭（一天内没有录音被保存或丢失）：");
});

// A message that came late told of the end alone: https://github.com/prometheus/alertmanager/issues/2510
it("A destination that gets an alert after its end hears of the raise as it was, and then of the end", async () => {
  const { url } = await postgres.create();
  const store = await tempStore(url);
  const receiver = await startReceiver();
  const env = { ...settings(receiver, event), DATABASE_URL: url };
  await using _ = await startGateway(NO_SERVICE, env, { alertDeliveryTimes: TIMES });
  await until(() => store.readers.readCursor("alerts to on-call"));
  await seedAlerts(store, { rule: "answers", subject: "task 7", resolvedAt: "2026-11-20T10:00:00.000Z" });
  await until(() => receiver.messages.length >= 2);
  const told = receiver.messages.map(({ body }) => (JSON.parse(body) as { data: object }).data);
  expect(told).toMatchObject([
    { status: "raised", resolvedAt: null, ending: null },
    { status: "resolved", resolvedAt: "2026-11-20T10:00:00.000Z", ending: "RECOVERED" },
  ]);
});

// https://github.com/grafana/grafana/issues/71203
it("Two gateways on one database tell a destination each alert once, and one goes on where the other stops", async () => {
  const { url } = await postgres.create();
  const store = await tempStore(url);
  const receiver = await startReceiver();
  const file = rulesFile(answerRate(), answerRate({ name: "second" }), answerRate({ name: "all", of: "all" }));
  const env = { ...settingsOf(file, receiver, [event]), DATABASE_URL: url };
  const first = await startGateway(NO_SERVICE, env, { alertDeliveryTimes: TIMES });
  await using second = await startGateway(NO_SERVICE, env, { alertDeliveryTimes: TIMES });
  const ids = () => receiver.messages.map(({ id }) => id);
  await until(async () => {
    await miss(first, 1);
    await miss(second, 1);
    return ids().length >= 3;
  });
  // What was taken is noted before it stops.
  await until(async () => Number(await store.readers.readCursor("alerts to on-call")) >= 3);
  await first[Symbol.asyncDispose]();
  file.write(
    answerRate(),
    answerRate({ name: "second" }),
    answerRate({ name: "all", of: "all" }),
    answerRate({ name: "later" }),
  );
  await until(async () => {
    await miss(second, 1);
    return ids().length >= 4;
  });
  expect(new Set(ids()).size).toBe(4);
  expect(ids()).toHaveLength(4);
});
