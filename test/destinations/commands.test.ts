// What an admin sees of destinations and does with them, by commands and by the graph.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { blocksOf } from "../docs/blocks.ts";
import { ROOT } from "../house/sources.ts";
import { tempFile } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { SECRET, startReceiver, status } from "./receiver.ts";

async function run(line: string, url: string, key: string) {
  const args = line.replace(/^.*switchboard /, "").split(" ");
  const program = spawn(process.execPath, ["src/cli.ts", ...args, "--url", url], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], SWITCHBOARD_KEY: key },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => program.once("exit", resolve));
  const lines = (await text(program.stdout)).trim().split("\n");
  return { code: await exited, first: JSON.parse(lines[0] ?? "null") as Record<string, unknown> };
}

async function started(own: object = {}) {
  const receiver = await startReceiver();
  const file = tempFile("destinations.json");
  const definition = {
    name: "crm",
    kind: "event",
    url: `${receiver.url}?key=canary`,
    secrets: [SECRET],
    from: "oldest",
  };
  writeFileSync(file, JSON.stringify([{ ...definition, ...own }]));
  const parts = new AsyncDisposableStack();
  const keys = parts.use(await temporaryDirectory());
  const API_KEYS_FILE = await writeKeys(keys.path, { admin: ["admin", "calls:read"], web: ["calls:read"] });
  const env = { API_KEYS_FILE, DESTINATIONS_FILE: file, DESTINATION_HOSTS: receiver.host };
  const gateway = parts.use(await startGateway(NO_SERVICE, env));
  const admin = { authorization: bearer("admin") };
  return { receiver, gateway, admin, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

describe("switchboard destinations", () => {
  it("shows, tests, pauses and resumes a destination as docs/destinations.md shows it", async () => {
    await using world = await started();
    const { receiver, gateway } = world;
    const commands = blocksOf("docs/destinations.md")
      .find(({ language }) => language === "sh")
      ?.code.trim()
      .split("\n");
    const [list = "", test = "", pause = "", resume = ""] = commands ?? [];
    const ask = (line: string) => run(line, gateway.url, keyOf("admin"));
    const event = callEndedEvent();
    await gateway.deliver(event);
    await until(() => receiver.messages.length === 1);
    const shown = await until(async () => {
      const { first } = await ask(list);
      return first["delivered"] === 1 ? first : null;
    });
    expect(shown).toMatchObject({ name: "crm", url: receiver.url, state: "ACTIVE", lastAnswer: { status: 204 } });
    expect(await ask(test)).toMatchObject({ code: 0, first: { status: 204, text: null } });
    expect(JSON.parse(receiver.messages[1]?.body ?? "")).toMatchObject({ type: "call.ended.test" });
    receiver.answerWith(status(500, {}, "no 13800010001"));
    expect(await ask(test)).toMatchObject({
      code: 1,
      first: { status: 500, text: expect.stringMatching(/^no [\d*]*\*{4}/) as string },
    });
    receiver.answerWith(status(204));
    expect((await ask(pause)).first).toMatchObject({ state: "PAUSED" });
    const before = receiver.messages.length;
    expect((await ask(resume)).first).toMatchObject({ state: "ACTIVE" });
    const cursor = String(shown["cursor"]);
    await gateway.deliver(callEndedEvent());
    await until(() => receiver.messages.length > before);
    expect((await ask(`${resume} --after ${cursor}`)).first).toMatchObject({ state: "ACTIVE" });
    await until(() => receiver.messages.length > before + 1);
    expect(receiver.messages.at(-1)?.id).toBe(receiver.messages.at(-2)?.id);
    const ids = new Set(receiver.messages.map(({ id }) => id).filter((id) => !id.startsWith("test_")));
    const count = receiver.messages.length;
    expect((await ask(`${resume} --since 2020-01-01T00:00:00Z`)).first).toMatchObject({ state: "ACTIVE" });
    await until(() => receiver.messages.length >= count + 2);
    expect(new Set(receiver.messages.slice(count).map(({ id }) => id))).toEqual(ids);
  });
});

describe("The graph of destinations", () => {
  const LETTERS = `{ destinationLetters(name: "crm") { cursor attempts secondsToNext lastAnswer { status } event { sessionId } } }`;

  it("lists what a receiver did not take, and sends it again", async () => {
    await using world = await started();
    const { receiver, gateway, admin } = world;
    receiver.answerWith((message, response) =>
      status(message.body.includes("poison") ? 500 : 204)(message, response, 0),
    );
    await gateway.deliver(callEndedEvent({ session_id: "poison" }));
    await gateway.deliver(callEndedEvent());
    const letters = async () => {
      const { data } = await gateway.ask<{ destinationLetters: { cursor: string; event: object }[] }>(
        LETTERS,
        {},
        admin,
      );
      return data?.destinationLetters ?? [];
    };
    const [letter] = await until(async () => {
      const found = await letters();
      return found.length > 0 ? found : null;
    });
    expect(letter).toMatchObject({ lastAnswer: { status: 500 }, event: { sessionId: "poison" } });
    receiver.answerWith(status(204));
    const send = 'mutation($cursor: String!) { sendDestinationLetter(name: "crm", cursor: $cursor) }';
    const { data } = await gateway.ask(send, { cursor: letter?.cursor }, admin);
    expect(data).toEqual({ sendDestinationLetter: true });
    await until(async () => (await letters()).length === 0);
  });

  it("tests, lists and pauses a chat", async () => {
    await using world = await started({ kind: "slack", secrets: undefined, from: undefined });
    const { receiver, gateway, admin } = world;
    const tested = await gateway.ask(`mutation { testDestination(name: "crm") { status text } }`, {}, admin);
    expect(tested.data).toEqual({ testDestination: { status: 204, text: null } });
    expect(receiver.messages.map(({ body }) => JSON.parse(body) as object)).toEqual([
      { text: "A test: this chat gets Switchboard's alerts." },
    ]);
    const all = await gateway.ask("{ destinations { name kind url } }", {}, admin);
    expect(all.data).toEqual({ destinations: [{ name: "crm", kind: "slack", url: `http://${receiver.host}/…` }] });
    receiver.answerWith(status(200, {}, '{"ok":false,"error":"no_channel"}'));
    const refused = await run("switchboard destinations test crm", gateway.url, keyOf("admin"));
    expect(refused).toMatchObject({ code: 1, first: { status: 200, text: '{"ok":false,"error":"no_channel"}' } });
    const paused = await gateway.ask(`mutation { pauseDestination(name: "crm") { state } }`, {}, admin);
    expect(paused.data).toEqual({ pauseDestination: { state: "PAUSED" } });
  });

  it("is an admin's, shows no secret, and names a destination that is not there", async () => {
    await using world = await started();
    const { gateway, admin } = world;
    const all = "{ destinations { name kind url order } }";
    const { errors } = await gateway.ask(all, {}, { authorization: bearer("web") });
    expect(errors?.[0]?.extensions["code"]).toBe("FORBIDDEN");
    const shown = await gateway.ask(all, {}, admin);
    expect(JSON.stringify(shown)).not.toMatch(/whsec|canary/);
    const wrong = await gateway.ask(`mutation { testDestination(name: "erp") { at } }`, {}, admin);
    expect(wrong.errors?.[0]?.message).toBe("name must be the name of a destination in DESTINATIONS_FILE.");
  });
});
