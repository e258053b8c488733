// Chats, which get alerts and no calls: they are seen, paused and counted as the others are.
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SECRET, startReceiver, status, type Receiver } from "../destinations/receiver.ts";
import { tempFile } from "../store/tempStore.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { answerRate } from "./judging.ts";
import { miss, rulesFile } from "./ofGateway.ts";

const TIMES = {
  retries: { delaysMs: [1] as [number], forMs: 3 * 86_400_000, random: () => 0 },
  times: { pollMs: 20, leaseMs: 20 },
};

const FIELDS = `{ name kind getsCalls url state disabledFor cursor lag waitingAlerts failures failingSince delivered waitingLetters
  lastAnswer { status text } }`;

interface Shown {
  name: string;
  state: string | null;
  waitingAlerts: number | null;
  delivered: number;
  lag: number;
  cursor: string | null;
  failures: number;
  lastAnswer: { status: number | null } | null;
}

/** A gateway that tells a chat of two rules. */
async function started(
  receiver: Receiver,
  rules: object[] = [answerRate(), answerRate({ name: "second" })],
  own: object = {},
) {
  const file = tempFile("destinations.json");
  const chat = { name: "on-call", kind: "slack", url: `${receiver.url}/services/canary-of-the-chat`, ...own };
  const define = (...destinations: object[]) => writeFileSync(file, JSON.stringify(destinations));
  define(chat);
  const env = { DESTINATIONS_FILE: file, DESTINATION_HOSTS: receiver.host, METRICS_PORT: "0" };
  const gateway = await startGateway(NO_SERVICE, { ...rulesFile(...rules).env, ...env }, { alertDeliveryTimes: TIMES });
  const { port } = await gateway.line(({ msg }) => msg === "metrics are served");
  const list = async () =>
    (await gateway.ask<{ destinations: Shown[] }>(`{ destinations ${FIELDS} }`)).data?.destinations;
  return {
    gateway,
    chat,
    define,
    /** What is shown of the destination when it is as asked. */
    shown: (isRight: (shown: Shown) => boolean, name = "on-call") =>
      until(async () => (await list())?.find((each) => each.name === name && isRight(each))),
    async change(mutation: string) {
      const { data, errors } = await gateway.ask<Record<string, Shown>>(`mutation { ${mutation} }`);
      return { changed: Object.values(data ?? {})[0], message: errors?.[0]?.message };
    },
    async raised(alerts: number) {
      await until(async () => {
        await miss(gateway, 1);
        const { data } = await gateway.ask<{ alerts: { nodes: unknown[] } }>("{ alerts(first: 10) { nodes { id } } }");
        return (data?.alerts.nodes.length ?? 0) >= alerts;
      });
    },
    metrics: async () => (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text(),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

const PAUSE = `pauseDestination(name: "on-call") ${FIELDS}`;
const resume = (place = "") => `resumeDestination(name: "on-call"${place}) ${FIELDS}`;

describe("A chat that gets alerts", () => {
  it("is listed with its state and last answer, without a place in the log, and its alerts wait while it is paused", async () => {
    const receiver = await startReceiver();
    await using world = await started(receiver);
    const begun = await world.shown(({ state }) => state !== null);
    expect(begun).toMatchObject({
      kind: "slack",
      getsCalls: false,
      url: `http://${receiver.host}/…`,
      state: "ACTIVE",
      cursor: null,
      lag: 0,
      waitingAlerts: 0,
    });
    expect((await world.change(PAUSE)).changed).toMatchObject({ state: "PAUSED" });
    await world.raised(2);
    expect(await world.shown(({ waitingAlerts }) => waitingAlerts === 2)).toMatchObject({ lag: 0, delivered: 0 });
    expect(receiver.messages).toEqual([]);
    expect((await world.change(resume())).changed).toMatchObject({ state: "ACTIVE" });
    const told = await world.shown(({ delivered }) => delivered === 2);
    expect(told).toMatchObject({ lastAnswer: { status: 204, text: null }, failures: 0 });
    await world.shown(({ waitingAlerts }) => waitingAlerts === 0);
    expect(receiver.messages).toHaveLength(2);
  });

  it("shows what it answered and since when it fails, and gets what waits as soon as somebody lets it go on", async () => {
    const receiver = await startReceiver(status(500, {}, "no 13800010001"));
    await using world = await started(receiver, [answerRate()]);
    await world.raised(1);
    const failing = await world.shown((each) => each.waitingAlerts === 1 && each.state === "ACTIVE");
    expect(failing).toMatchObject({ delivered: 0 });
    const shown = await until(async () => {
      const each = (await world.shown(() => true)) as Shown & { failures: number };
      return each.failures > 1 && each;
    });
    expect(shown).toMatchObject({
      failingSince: expect.any(String) as string,
      lastAnswer: { status: 500, text: expect.stringMatching(/^no [\d*]*\*{4}/) as string },
    });
    const sent = receiver.messages.length;
    receiver.answerWith(status(204));
    // Before it the next attempt may have been taken, and then it counts anew.
    await world.change(resume());
    const over = await world.shown(({ waitingAlerts, failures }) => waitingAlerts === 0 && failures === 0);
    expect(over).toMatchObject({ failingSince: null });
    expect(receiver.messages.length).toBeGreaterThan(sent);
  });

  it("that refuses an alert for good does not count as failing, and shows its last answer", async () => {
    const receiver = await startReceiver(status(404, {}, "no_service"));
    await using world = await started(receiver, [answerRate()]);
    await world.raised(1);
    const shown = await world.shown(({ waitingAlerts }) => waitingAlerts === 0);
    await until(() => receiver.messages.length === 5);
    const over = await world.shown(({ lastAnswer, failures }) => lastAnswer !== null && failures === 0);
    expect(shown.state).toBe("ACTIVE");
    expect(over).toMatchObject({ failingSince: null, lastAnswer: { status: 404, text: "no_service" }, delivered: 0 });
    expect(await world.metrics()).toMatch(/^switchboard_destination_failing_seconds\{destination="on-call"\} 0$/m);
  });

  // https://github.com/integrations/slack/issues/197
  it("that answers 410 is disabled, and its alerts wait until somebody lets it go on", async () => {
    const receiver = await startReceiver(status(410, {}, "channel_is_archived"));
    await using world = await started(receiver);
    await world.raised(2);
    const gone = await world.shown(({ state }) => state === "DISABLED");
    expect(gone).toMatchObject({ disabledFor: "GONE", lastAnswer: { status: 410, text: "channel_is_archived" } });
    expect(receiver.messages).toHaveLength(1);
    receiver.answerWith(status(200, {}, "ok"));
    await world.change(resume());
    await world.shown((each) => each.delivered === 2 && each.waitingAlerts === 0);
  });

  // Robots answer 200 to what they refuse: https://github.com/oryx-labs/oryxos/issues/341. A signature that is made once ends within the
  // hour: https://github.com/labulakalia/crocodile/issues/37, https://github.com/leitingting08/ding-bot-sdk/issues/3
  it("of DingTalk that refuses an alert with 200 gets it again, signed anew, and shows why", async () => {
    const secret = "SECcanary-of-the-robot";
    const refusal = '{"errcode":130101,"errmsg":"send too fast"}';
    const receiver = await startReceiver(status(200, {}, refusal));
    const url = `${receiver.url}?access_token=canary-of-the-robot`;
    await using world = await started(receiver, [answerRate()], { kind: "dingtalk", url, secret, language: "zh" });
    await world.raised(1);
    const failing = await world.shown(({ failures, waitingAlerts }) => failures > 1 && waitingAlerts === 1);
    expect(failing).toMatchObject({ delivered: 0, state: "ACTIVE", lastAnswer: { status: 200, text: refusal } });
    expect(JSON.stringify(failing)).not.toContain("canary");
    const tested = await world.change('testDestination(name: "on-call") { status text }');
    expect(tested.changed).toEqual({ status: 200, text: refusal });
    receiver.answerWith((message, response, count) => {
      const { searchParams } = new URL(message.path, receiver.url);
      const at = searchParams.get("timestamp") ?? "";
      const sign = createHmac("sha256", secret).update(`${at}\n${secret}`).digest("base64");
      const isSigned = sign === searchParams.get("sign") && searchParams.get("access_token") === "canary-of-the-robot";
      status(200, {}, `{"errcode":${isSigned ? 0 : 310000}}`)(message, response, count);
    });
    await world.shown(({ delivered, waitingAlerts }) => delivered === 1 && waitingAlerts === 0);
    const times = receiver.messages.map(({ path }) =>
      Number(new URL(path, receiver.url).searchParams.get("timestamp")),
    );
    expect(new Set(times).size).toBeGreaterThan(1);
    const { text } = JSON.parse(receiver.messages.at(-1)?.body ?? "") as { text: { content: string } };
    expect(text.content).toMatch(/^Switchboard: 任务 7 的接通率为/);
  });

  // https://github.com/prometheus/alertmanager/pull/2128
  it("that asks for time gets no other alert before", async () => {
    const receiver = await startReceiver(status(429, { "retry-after": "3600" }));
    await using world = await started(receiver);
    await world.raised(2);
    await until(() => receiver.messages.length > 0);
    await world.shown(({ waitingAlerts }) => waitingAlerts === 2);
    await miss(world.gateway, 3);
    expect(receiver.messages).toHaveLength(1);
    receiver.answerWith(status(204));
    await world.change(resume());
    await world.shown(({ delivered }) => delivered === 2);
  });

  it("has no place in the log from which it could go on, and no letters", async () => {
    const receiver = await startReceiver();
    await using world = await started(receiver);
    for (const place of [', since: "2026-11-20T09:00:00Z"', ', after: "0000000001AAAAAAAAAAAAAAAA"'])
      expect((await world.change(resume(place))).message).toContain("this one gets alerts alone");
    const { data } = await world.gateway.ask(`{ destinationLetters(name: "on-call") { cursor } }`);
    expect(data).toEqual({ destinationLetters: [] });
  });

  it("is no destination that was left, and has no lag in the metrics", async () => {
    const receiver = await startReceiver();
    await using world = await started(receiver);
    await world.shown(({ state }) => state !== null);
    await world.change(PAUSE);
    await world.raised(2);
    const page = await until(async () => {
      const found = await world.metrics();
      return found.includes('switchboard_destination_alerts_waiting{destination="on-call"} 2') && found;
    });
    expect(page).toMatch(/^switchboard_destinations_left 0$/m);
    expect(page).toMatch(/^switchboard_destination_disabled\{destination="on-call"\} 0$/m);
    expect(page).not.toMatch(/^switchboard_destination_(lag|oldest_seconds|letters)\{/m);
    world.define();
    await until(async () => /^switchboard_destinations_left 1$/m.test(await world.metrics()));
    expect(await world.metrics()).not.toContain('switchboard_destination_alerts_waiting{destination="on-call"}');
  });

  it("that becomes a destination of calls gets them from then on, and keeps its place when it is a chat again", async () => {
    const receiver = await startReceiver();
    await using world = await started(receiver, []);
    await world.shown(({ state }) => state === "ACTIVE");
    await miss(world.gateway, 1);
    world.define({ name: "on-call", kind: "event", url: receiver.url, secrets: [SECRET] });
    await world.shown(({ cursor }) => cursor !== null);
    await miss(world.gateway, 1);
    await world.shown(({ delivered }) => delivered === 1);
    world.define(world.chat);
    await world.shown(({ cursor }) => cursor === null);
    await miss(world.gateway, 1);
    expect(await world.shown(() => true)).toMatchObject({ lag: 0 });
    world.define({ name: "on-call", kind: "event", url: receiver.url, secrets: [SECRET] });
    await world.shown(({ delivered }) => delivered === 2);
    expect(receiver.messages).toHaveLength(2);
  });
});
