// Alerts about destinations, of whole gateways: who is told, and who sees them.
import { writeFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { SECRET, startReceiver, status, type Receiver } from "../destinations/receiver.ts";
import { tempFile } from "../store/tempStore.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { fails } from "./destinationWorld.ts";
import { answerRate } from "./judging.ts";
import { miss, rulesFile } from "./ofGateway.ts";

const DELIVERY = {
  retries: { delaysMs: [1] as [number], forMs: 3 * 86_400_000, random: () => 0 },
  times: { pollMs: 20, leaseMs: 20 },
};

const event = { kind: "event", secrets: [SECRET], from: "oldest" };

type Defined = Record<string, unknown> & { at: Receiver };

/** What the clock of gateways is ahead. */
const passed = { ms: 0 };
afterEach(() => void (passed.ms = 0));

async function started(destinations: readonly Defined[], rules: readonly object[], own: { database?: string } = {}) {
  const file = tempFile("destinations.json");
  const define = (own: readonly Defined[]) =>
    writeFileSync(file, JSON.stringify(own.map(({ at, ...each }) => ({ url: at.url, ...each }))));
  define(destinations);
  const directory = await temporaryDirectory();
  const keys = await writeKeys(directory.path, { web: ["calls:read", "tasks:create"], boss: ["calls:read", "admin"] });
  const env = {
    ...rulesFile(...rules).env,
    API_KEYS_FILE: keys,
    DATABASE_URL: own.database ?? directory.database,
    DESTINATIONS_FILE: file,
    DESTINATION_HOSTS: destinations.map(({ at }) => at.host).join(","),
    PUBLIC_URL: "https://calls.example.com",
  };
  const gateway = await startGateway(NO_SERVICE, env, {
    clock: () => Date.now() + passed.ms,
    alertTimes: alertSetup.TIMES,
    alertDeliveryTimes: DELIVERY,
    destinationTimes: { retries: DELIVERY.retries },
  });
  const ask = async <Data>(query: string, as: "web" | "boss") => {
    const answer = await gateway.ask<Data>(query, {}, { authorization: bearer(as) });
    return answer.data;
  };
  return {
    gateway,
    define,
    ask,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

interface Found {
  alerts: { nodes: { id: string; rule: string; text: string; destination: string | null; ending: string | null }[] };
}
const ALERTS =
  "{ alerts(first: 10) { nodes { id rule kind destination text zh: text(language: ZH) value unit ending } } }";
const textsOf = ({ messages }: Receiver) => messages.map(({ body }) => (JSON.parse(body) as { text: string }).text);

it("A destination that answers 410 is told to the others, in words and as a message, and so is that it takes calls again", async () => {
  const [crm, chat, system] = [await startReceiver(status(410)), await startReceiver(), await startReceiver()];
  const chinese = { name: "on-call", kind: "slack", language: "zh", at: chat };
  const other = { ...event, name: "system", alerts: true, filter: { taskIds: [] }, at: system };
  const rule = fails({ destinations: ["crm", "typo"] });
  await using world = await started([{ ...event, name: "crm", at: crm }, chinese, other], [rule]);
  await miss(world.gateway, 1);
  await until(() => chat.messages.length > 0 && system.messages.length > 0);
  const text =
    "The destination crm answered 410 (gone) and was disabled. Nothing is sent to it until somebody resumes it; what it has not taken waits.";
  const zh = "目标 crm 返回了 410，已停用。在有人让其继续之前，不会再向其发送；未接收的内容在等待。";
  const url = "https://calls.example.com/destinations";
  expect(textsOf(chat)).toEqual([`${zh}\n<${url}>`]);
  expect(JSON.parse(system.messages[0]?.body ?? "")).toMatchObject({
    type: "alert",
    data: { status: "raised", kind: "DESTINATION_FAILS", destination: "crm", key: null, taskId: null, text, url },
  });
  const shown = { rule: "away", kind: "DESTINATION_FAILS", destination: "crm", text, zh, value: 0, unit: "MINUTES" };
  expect(await world.ask(ALERTS, "boss")).toMatchObject({ alerts: { nodes: [{ ...shown, ending: null }] } });
  expect(await world.ask("{ alertRules { doubts } }", "boss")).toEqual({
    alertRules: [{ doubts: ['DESTINATIONS_FILE has no destination "typo".'] }],
  });
  crm.answerWith(status(204));
  await world.ask('mutation { resumeDestination(name: "crm") { state } }', "boss");
  await until(() => chat.messages.length > 1);
  expect(textsOf(chat)[1]).toBe(`已恢复接收： ${zh}\n<${url}>`);
  expect(await world.ask(ALERTS, "boss")).toMatchObject({ alerts: { nodes: [{ ...shown, ending: "RECOVERED" }] } });
});

it("An alert about a destination is shown to viewers who see destinations, and to no others", async () => {
  const crm = await startReceiver(status(410));
  await using world = await started([{ ...event, name: "crm", at: crm }], [fails(), answerRate({ of: "all" })]);
  const query = "subscription { alertRaised { rule } }";
  const streams = await Promise.all(
    (["web", "boss"] as const).map((name) =>
      openSse<{ alertRaised: { rule: string } }>(world.gateway.url, { query }, { authorization: bearer(name) }),
    ),
  );
  try {
    await until(async () => {
      await miss(world.gateway, 1);
      return ((await world.ask<Found>(ALERTS, "boss"))?.alerts.nodes.length ?? 0) === 2;
    });
    const seen = async (as: "web" | "boss") =>
      (await world.ask<Found>(ALERTS, as))?.alerts.nodes.map(({ rule }) => rule).toSorted();
    expect(await seen("boss")).toEqual(["answers", "away"]);
    expect(await seen("web")).toEqual(["answers"]);
    const all = (await world.ask<Found>(ALERTS, "boss"))?.alerts.nodes ?? [];
    const id = all.find(({ rule }) => rule === "away")?.id ?? "";
    const node = `{ node(id: "${id}") { id } }`;
    expect(await world.ask(node, "web")).toEqual({ node: null });
    expect(await world.ask(node, "boss")).toEqual({ node: { id } });
    const acknowledge = `mutation { acknowledgeAlert(id: "${id}") { acknowledgedBy } }`;
    expect(await world.ask(acknowledge, "web")).toEqual({ acknowledgeAlert: null });
    expect(await world.ask(acknowledge, "boss")).toEqual({ acknowledgeAlert: { acknowledgedBy: "boss" } });
    const [web, boss] = streams;
    expect((await web?.next())?.data).toEqual({ alertRaised: { rule: "answers" } });
    const told = [await boss?.next(), await boss?.next()].map((result) => result?.data?.alertRaised.rule);
    expect(new Set(told)).toEqual(new Set(["answers", "away"]));
    const after = { query: `subscription { alertRaised(after: "${id}") { rule } }` };
    await using refused = await openSse(world.gateway.url, after, { authorization: bearer("web") });
    expect((await refused.next()).errors).toMatchObject([{ extensions: { code: "CURSOR_EXPIRED" } }]);
  } finally {
    await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()));
  }
});

// https://github.com/irrdnet/irrd/issues/518
it("A chat that answers 410 gets the alert about itself when it goes on, and no alert comes of that", async () => {
  const [chat, second] = [await startReceiver(status(410)), await startReceiver()];
  const slack = (name: string, at: Receiver) => ({ name, kind: "slack", at });
  await using world = await started([slack("on-call", chat), slack("second", second)], [fails(), answerRate()]);
  await until(async () => {
    await miss(world.gateway, 1);
    return textsOf(second).some((text) => text.includes("The destination on-call answered 410"));
  });
  const resume = () => world.ask('mutation { resumeDestination(name: "on-call") { state } }', "boss");
  const before = chat.messages.length;
  // What waits is sent, and refused again: still the same alert.
  await resume();
  await until(() => chat.messages.length > before);
  await until(async () => {
    const list = await world.ask<{ destinations: { state: string }[] }>("{ destinations { state } }", "boss");
    return list?.destinations[0]?.state === "DISABLED";
  });
  chat.answerWith(status(204));
  await resume();
  const alerts = async () => (await world.ask<Found>(ALERTS, "boss"))?.alerts.nodes ?? [];
  await until(async () => (await alerts()).some(({ ending }) => ending === "RECOVERED"));
  await until(() => textsOf(chat).some((text) => text.startsWith("It takes what is sent again:")));
  await until(() => textsOf(second).some((text) => text.startsWith("It takes what is sent again:")));
  expect((await alerts()).filter(({ rule }) => rule === "away")).toHaveLength(1);
  expect(textsOf(second).filter((text) => text.includes("The destination on-call"))).toHaveLength(2);
});

it("A destination that takes nothing is told after its minutes, also where the gateway was restarted in them, until it takes the call", async () => {
  const [crm, chat] = [await startReceiver(status(503)), await startReceiver()];
  const all = [
    { ...event, name: "crm", at: crm },
    { name: "on-call", kind: "slack", at: chat },
  ];
  const own = { database: `file:${tempFile()}` };
  {
    await using world = await started(all, [fails()], own);
    await miss(world.gateway, 1);
    await until(async () => {
      const list = await world.ask<{ destinations: { failingSince: string | null }[] }>(
        "{ destinations { failingSince } }",
        "boss",
      );
      return list?.destinations[0]?.failingSince;
    });
    passed.ms = 5 * MINUTE_MS;
    expect(await world.ask(ALERTS, "boss")).toMatchObject({ alerts: { nodes: [] } });
  }
  passed.ms = 20 * MINUTE_MS;
  await using world = await started(all, [fails()], own);
  await until(() => chat.messages.length > 0);
  const told =
    /The destination crm has taken nothing for \d+ minutes, although something was sent to it, and answered 503 last\./;
  expect(textsOf(chat)[0]).toMatch(told);
  passed.ms += MINUTE_MS;
  crm.answerWith(status(204));
  await until(() => chat.messages.length > 1);
  expect(textsOf(chat)[1]).toMatch(
    /^It takes what is sent again: The destination crm has taken nothing for \d+ minutes/,
  );
  expect(await world.ask(ALERTS, "boss")).toMatchObject({ alerts: { nodes: [{ ending: "RECOVERED" }] } });
});
