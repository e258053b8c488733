// The kind `asItCame`: an existing receiver, which knows only the service's document, goes on as before behind a gateway.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { blocksOf } from "../docs/blocks.ts";
import { endCall } from "../reconcile/endToEnd.ts";
import { tempFile } from "../store/tempStore.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { CLI, TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { startReceiver, status, type Answer, type Receiver } from "./receiver.ts";

const FIELDS = ["session_id", "callee", "caller", "start_at", "end_at", "duration", "direction", "task_id", "extra"];

/** Answers as service.md, sections 4.4 to 6, asks a receiver to. */
const byTheDocument: Answer = (message, response) => {
  if (message.path !== "/calllog" || message.headers.authorization !== WEBHOOK_AUTHORIZATION)
    return status(401)(message, response, 0);
  const { event_name: name, event_data: data } = JSON.parse(message.body) as {
    event_name?: string;
    event_data?: object;
  };
  const isWhole = name !== undefined && data !== undefined && FIELDS.every((field) => field in data);
  status(isWhole ? 200 : 400, { "content-type": "application/json" }, "{}")(message, response, 0);
};

const sessionsOf = ({ messages }: Receiver) =>
  messages.map(({ body }) => (JSON.parse(body) as { event_data: { session_id: string } }).event_data.session_id);

/** The file of the page, for this receiver. */
function fileFor(receiver: Receiver): string {
  const [definition] = blocksOf("docs/destinations.md")
    .filter(({ language, code }) => language === "json" && code.includes("asItCame"))
    .flatMap(({ code }) => JSON.parse(code) as { url: string }[]);
  const file = tempFile("destinations.json");
  const own = { url: `http://${receiver.host}/calllog`, authorization: WEBHOOK_AUTHORIZATION };
  writeFileSync(file, JSON.stringify([{ ...definition, ...own }]));
  return file;
}

describe("A running integration", () => {
  it("gets every call as before when a gateway is put in front of it, as docs/destinations.md shows it", async () => {
    const receiver = await startReceiver(byTheDocument);
    await using sandbox = await emptySandbox();
    sandbox.setWebhook({ url: `http://${receiver.host}/calllog`, authorization: WEBHOOK_AUTHORIZATION });
    const before = endCall(sandbox);
    await until(() => receiver.messages.length === 1);
    const env = { DESTINATIONS_FILE: fileFor(receiver), DESTINATION_HOSTS: receiver.host };
    const service = { UPSTREAM_URL: sandbox.url, UPSTREAM_TOKEN: TOKEN, UPSTREAM_TIME_ZONE: TIME_ZONE };
    const folder = tempFile();
    const settings = { ...service, ...env, AUTH: "none", WEBHOOK_AUTHORIZATION, DATABASE_URL: `file:${folder}` };
    // Beside this process, whose sandbox and receiver answer meanwhile.
    await using checked = startProgram([CLI, "check"], settings);
    await checked.exited;
    expect(checked.output.join("\n")).toContain("every variable and file can be read");
    await using gateway = await startGateway(sandbox, env);
    connectSandbox(sandbox, gateway);
    const after = [endCall(sandbox), endCall(sandbox)];
    await until(() => receiver.messages.length === 3);
    expect(sessionsOf(receiver).toSorted()).toEqual([before, ...after].toSorted());
    for (const { headers } of receiver.messages) expect(headers.authorization).toBe(WEBHOOK_AUTHORIZATION);
  });

  it("gets the body byte for byte, and once more when a later webhook says more", async () => {
    const receiver = await startReceiver(byTheDocument);
    const env = { DESTINATIONS_FILE: fileFor(receiver), DESTINATION_HOSTS: receiver.host };
    await using gateway = await startGateway(NO_SERVICE, env);
    const event = callEndedEvent({ extra: { odd: "\u{1F600} é" } });
    const first = ` ${JSON.stringify(event, null, "\t")}\r\n`;
    const second = JSON.stringify({ ...event, event_data: { ...event.event_data, hangup_reason: "later" } });
    await gateway.deliver(first);
    await until(() => receiver.messages.length === 1);
    await gateway.deliver(second);
    await until(() => receiver.messages.length === 2);
    expect(receiver.messages.map(({ body }) => body)).toEqual([first, second]);
  });

  it("is tested with a message that holds no call, and refused where no bodies are kept", async () => {
    const receiver = await startReceiver();
    const env = { DESTINATIONS_FILE: fileFor(receiver), DESTINATION_HOSTS: receiver.host };
    await using gateway = await startGateway(NO_SERVICE, env);
    const { data } = await gateway.ask<{ testDestination: { status: number } }>(
      `mutation { testDestination(name: "integration") { status } }`,
    );
    expect(data?.testDestination).toEqual({ status: 204 });
    expect(JSON.parse(receiver.messages[0]?.body ?? "")).toEqual({ event_name: "switchboard.test", event_data: {} });
    const refused = startGateway(NO_SERVICE, { ...env, RAW_DELIVERY_DAYS: "0" });
    await expect(refused).rejects.toThrow("kind needs RAW_DELIVERY_DAYS of at least 1");
  });
});
