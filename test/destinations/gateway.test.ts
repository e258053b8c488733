// Destinations of whole gateways: what a receiver gets, and what it must not get.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { postgres } from "../store/databases.ts";
import { tempFile } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, spawnGateway, startGateway, type GatewayAddress } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { SECRET, startReceiver, status, type Receiver } from "./receiver.ts";

const PHONE = "+8613800010001";

function destinationsFile(receiver: Receiver, own: object = {}) {
  const file = tempFile("destinations.json");
  const entry = (more: object) => ({
    name: "crm",
    kind: "event",
    url: receiver.url,
    secrets: [SECRET],
    order: "strict",
    from: "oldest",
    ...own,
    ...more,
  });
  const write = (more: object = {}) => writeFileSync(file, JSON.stringify([entry(more)]));
  write();
  return { env: { DESTINATIONS_FILE: file, DESTINATION_HOSTS: receiver.host }, write };
}

async function deliver(gateway: GatewayAddress, data: object = {}): Promise<string> {
  const event = callEndedEvent({ ...data });
  expect((await gateway.deliver(event)).status).toBe(200);
  return String(event.event_data["session_id"]);
}
const bodies = ({ messages }: Receiver) =>
  messages.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });

describe("A destination of a gateway", () => {
  it("gets the event with the fields and masks of its scopes", async () => {
    const receiver = await startReceiver();
    const { env, write } = destinationsFile(receiver);
    await using gateway = await startGateway(NO_SERVICE, env);
    const sessionId = await deliver(gateway);
    await until(() => receiver.messages.length === 1);
    const [message] = bodies(receiver);
    expect(message).toMatchObject({
      type: "call.ended",
      data: { sessionId, callee: "+8613****0001", direction: "OUTBOUND" },
    });
    expect(message?.data["id"]).toBe(receiver.messages[0]?.id);
    expect(message?.data).not.toHaveProperty("extra");
    expect(receiver.messages[0]?.body).not.toMatch(/canary|13800010001/);
    write({ scopes: ["calls:read", "people:read"], selection: "callee extra" });
    await until(async () => {
      await deliver(gateway);
      return bodies(receiver).at(-1)?.data["callee"] === PHONE;
    });
    expect(bodies(receiver).at(-1)?.data).toEqual({ callee: PHONE, extra: { 姓名: "Li" } });
    expect(gateway.output.join("\n")).not.toMatch(/whsec_|13800010001/);
  });

  // Elsewhere a repeat is what was made up at first, with all that the receiver could see then.
  it("gets a letter that waited by the scopes and at the address of now", async () => {
    const receiver = await startReceiver(status(503));
    const wide = { scopes: ["calls:read", "people:read"], order: "free" };
    const { env, write } = destinationsFile(receiver, wide);
    await using gateway = await startGateway(NO_SERVICE, env);
    await deliver(gateway);
    await until(() => receiver.messages.some(({ body }) => body.includes(PHONE)));
    const letters = async () => {
      const query = `{ destinationLetters(name: "crm") { cursor } }`;
      return (await gateway.ask<{ destinationLetters: { cursor: string }[] }>(query)).data?.destinationLetters ?? [];
    };
    const { cursor } = await until(async () => (await letters())[0]);
    write({ scopes: ["calls:read"], order: "free", url: `${receiver.url}/narrow` });
    await until(async () => JSON.stringify(await gateway.ask("{ destinations { url } }")).includes("/hook/narrow"));
    receiver.answerWith(status(204));
    await gateway.ask(`mutation { sendDestinationLetter(name: "crm", cursor: "${cursor}") }`);
    await until(async () => (await letters()).length === 0);
    const narrow = receiver.messages.filter(({ path }) => path === "/hook/narrow").map(({ body }) => body);
    expect(narrow.filter((body) => body.includes("+8613****0001")).length).toBeGreaterThan(0);
    expect(narrow.filter((body) => body.includes(PHONE))).toEqual([]);
  });

  it("gets events also where only trusted documents run", async () => {
    const receiver = await startReceiver();
    const documents = tempFile("documents.json");
    const query = "query One($id: ID!) { node(id: $id) { ... on CallEnded { sessionId } } }";
    writeFileSync(documents, JSON.stringify({ one: query }));
    const { env, write } = destinationsFile(receiver);
    await using gateway = await startGateway(NO_SERVICE, { ...env, TRUSTED_DOCUMENTS: documents });
    const sessionId = await deliver(gateway);
    await until(() => receiver.messages.length === 1);
    expect(bodies(receiver)[0]?.data).toMatchObject({ sessionId });
    expect((await gateway.ask("{ __typename }")).errors?.[0]?.extensions["code"]).toBe("DOCUMENT_NOT_TRUSTED");
    write({ document: "one" });
    const found = await until(async () => {
      const id = await deliver(gateway);
      await until(() => receiver.messages.some(({ body }) => body.includes(id)));
      const { data } = bodies(receiver).at(-1) ?? { data: {} };
      return "node" in data ? data : null;
    });
    expect(found).toEqual({ node: { sessionId: expect.any(String) as string } });
  });

  it("goes on by the content before while the file cannot be used, and by the new one when it is mended", async () => {
    const receiver = await startReceiver();
    const { env, write } = destinationsFile(receiver);
    await using gateway = await startGateway(NO_SERVICE, env);
    await deliver(gateway);
    await until(() => receiver.messages.length === 1);
    for (const broken of ["[{", "{}", JSON.stringify([{ name: "crm", kind: "pigeon" }])]) {
      const faults = gateway.output.filter((line) => line.includes("its previous content stays in use")).length;
      writeFileSync(env.DESTINATIONS_FILE, broken);
      await until(
        () => gateway.output.filter((line) => line.includes("its previous content stays in use")).length > faults,
      );
      const id = await deliver(gateway);
      await until(() => receiver.messages.some(({ body }) => body.includes(id)));
    }
    write({ selection: "sessionId" });
    await until(async () => {
      await deliver(gateway);
      return Object.keys(bodies(receiver).at(-1)?.data ?? {}).join() === "sessionId";
    });
    expect(gateway.output.join("\n")).not.toContain("whsec_");
  });

  it("whose document is not in TRUSTED_DOCUMENTS ends the start with a line that says so", async () => {
    const receiver = await startReceiver();
    const { env } = destinationsFile(receiver, { document: "one" });
    await expect(startGateway(NO_SERVICE, env)).rejects.toThrow(
      "DESTINATIONS_FILE cannot be used: entry 1 (crm): document needs TRUSTED_DOCUMENTS",
    );
  });

  it("does not get an event that was erased while it waited, and nothing of it is kept", async () => {
    const receiver = await startReceiver(status(503, {}, `who is ${PHONE}?`));
    const { env } = destinationsFile(receiver, { scopes: ["calls:read", "people:read"] });
    await using gateway = await startGateway(NO_SERVICE, env);
    await deliver(gateway);
    await until(() => receiver.messages.length > 1);
    const forgotten = await gateway.ask<{ forgetPhone: { calls: number } }>(
      `mutation { forgetPhone(number: "${PHONE}") { calls } }`,
    );
    expect(forgotten.data?.forgetPhone.calls).toBe(1);
    const other = await deliver(gateway, { callee: "+8613800020002" });
    receiver.answerWith(status(204));
    const before = receiver.messages.length;
    await until(() => bodies(receiver).some(({ data }) => data["sessionId"] === other));
    // One attempt may have been under way.
    const later = receiver.messages.slice(before + 1).filter(({ body }) => body.includes(PHONE));
    expect(later).toEqual([]);
  });
});

describe("Two gateways of a database with a destination", () => {
  it("deliver every event in order when the one that sends is killed, and repeat only with the same id", async () => {
    const receiver = await startReceiver();
    const { env } = destinationsFile(receiver);
    const { url } = await postgres.create();
    const own = { ...env, DATABASE_URL: url };
    await using first = await spawnGateway(NO_SERVICE, own);
    const sent = [await deliver(first)];
    await until(() => receiver.messages.length === 1);
    await using second = await spawnGateway(NO_SERVICE, own);
    for (let at = 0; at < 20; at += 1) sent.push(await deliver(at % 2 === 0 ? first : second));
    await until(() => receiver.messages.length > 5);
    first.process.kill("SIGKILL");
    await first.exited;
    for (let at = 0; at < 20; at += 1) sent.push(await deliver(second));
    await until(() => new Set(receiver.messages.map(({ id }) => id)).size === sent.length);
    const seen = new Map<string, string>();
    for (const { id, body } of receiver.messages)
      seen.set(id, (JSON.parse(body) as { data: { sessionId: string } }).data.sessionId);
    expect([...seen.values()]).toEqual(sent);
  });
});
