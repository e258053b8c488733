// A destination of the kind broker at a gateway: what stands in its entries, and what no answer and no line of the log shows.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { blocksOf } from "../../docs/blocks.ts";
import { tempFile } from "../../store/tempStore.ts";
import { callEndedEvent } from "../../support/events.ts";
import { NO_SERVICE, startGateway } from "../../support/gateway.ts";
import { until } from "../../support/until.ts";
import { hasNats, startNats, SUBJECT } from "./natsServer.ts";
import { hasRedis, startRedis } from "./redisServer.ts";

const TEST = 'mutation { testDestination(name: "redis") { status text } }';
const STATE = "{ destinations { delivered failures url kind lastAnswer { status text } } }";
const PASSWORD = "canary-password";

/** The file of the page, for this server. */
function fileFor(port: number, protocol = "redis", holding = '"rediss:') {
  const shown = blocksOf("docs/destinations.md").find(({ code }) => code.includes(holding))?.code ?? "";
  const [documented] = JSON.parse(shown) as Record<string, string>[];
  expect(documented).toMatchObject({ kind: "broker", user: "switchboard" });
  const file = tempFile("destinations.json");
  const url = `${protocol}://127.0.0.1:${port}`;
  writeFileSync(file, JSON.stringify([{ ...documented, url, password: PASSWORD, from: "oldest" }]));
  return { DESTINATIONS_FILE: file, DESTINATION_HOSTS: `127.0.0.1:${port}`, LOG_LEVEL: "debug" };
}

describe.skipIf(!hasRedis)("A destination of the kind broker at a Redis", () => {
  it("gets each event with the fields and masks of its scopes, waits while it is refused, and shows no password", async () => {
    const redis = await startRedis();
    const env = fileFor(redis.port);
    await using gateway = await startGateway(NO_SERVICE, env);
    const event = callEndedEvent();
    await gateway.deliver(event);
    const refused = "Redis does not know this user with this password (WRONGPASS)";
    await until(async () => JSON.stringify(await gateway.ask(STATE)).includes(refused));
    const failed = await gateway.ask<{ testDestination: object }>(TEST);
    expect(failed.data?.testDestination).toEqual({ status: null, text: `Not taken: ${refused}.` });
    await redis.ask("ACL", "SETUSER", "switchboard", "on", `>${PASSWORD}`, "~calls", "+xadd");
    const tested = await gateway.ask<{ testDestination: object }>(TEST);
    expect(tested.data?.testDestination).toEqual({ status: null, text: null });
    await until(async () => JSON.stringify(await gateway.ask(STATE)).includes('"delivered":1'));
    const [test, entry] = await redis.entries();
    expect(test).toMatchObject({
      id: expect.stringMatching(/^test_/) as string,
      type: "call.ended.test",
      revision: "0",
    });
    const { data } = await gateway.ask<{ callEndedEvents: { nodes: { id: string; receivedAt: string }[] } }>(
      "{ callEndedEvents(first: 1) { nodes { id receivedAt } } }",
    );
    const [{ id, receivedAt } = { id: "", receivedAt: "" }] = data?.callEndedEvents.nodes ?? [];
    expect(entry).toMatchObject({ id, revision: "1", type: "call.ended" });
    const body = JSON.parse(entry?.body ?? "") as { data: object };
    expect(body).toMatchObject({ id, type: "call.ended", timestamp: receivedAt });
    expect(body.data).toMatchObject({ sessionId: event.event_data["session_id"], callee: "+8613****0001" });
    expect(entry?.body).not.toMatch(/canary|13800010001/);
    expect(JSON.stringify([await gateway.ask(STATE), failed, gateway.output])).not.toContain(PASSWORD);
  });
});

describe.skipIf(!hasNats)("A destination of the kind broker at a NATS server", () => {
  it("waits for a stream, gets each event with the masks of its scopes, and shows no password", async () => {
    const users = `{user: admin, password: admin}, {user: switchboard, password: ${PASSWORD}}`;
    const nats = await startNats(`authorization { users = [${users}] }`);
    await using gateway = await startGateway(NO_SERVICE, fileFor(nats.port, "nats", '"tls:'));
    const event = callEndedEvent();
    await gateway.deliver(event);
    await until(async () => JSON.stringify(await gateway.ask(STATE)).includes("no stream of JetStream"));
    await nats.createStream();
    await until(async () => JSON.stringify(await gateway.ask(STATE)).includes('"delivered":1'));
    const [message] = await nats.messages();
    const body = JSON.parse(message?.body ?? "") as { id: string; data: object };
    expect(message).toMatchObject({ subject: SUBJECT, id: body.id });
    expect(body.data).toMatchObject({ sessionId: event.event_data["session_id"], callee: "+8613****0001" });
    expect(JSON.stringify([await gateway.ask(STATE), gateway.output])).not.toContain(PASSWORD);
  });
});
