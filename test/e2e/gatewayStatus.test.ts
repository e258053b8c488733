import { readFile } from "node:fs/promises";
import { WebSocket } from "ws";
import { describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startBoth } from "../support/startBoth.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { until } from "../support/until.ts";

const { gateway } = await startBoth();

interface Status {
  version: string;
  quarantined: number;
  subscribers: number;
  events: { events: number; newestCursor: string; lastReceivedAt: string | null; reconciled: number };
}
const STATUS = `{ gateway { version quarantined subscribers events { events newestCursor lastReceivedAt reconciled } } }`;
const LIVE = "subscription { callEndedStream { __typename cursor } }";

async function status(): Promise<Status> {
  const { data, errors } = await gateway.ask<{ gateway: Status }>(STATUS);
  expect(errors).toBeUndefined();
  return data?.gateway as Status;
}
const subscribers = async () => (await status()).subscribers;

describe("Query.gateway", () => {
  it("shows the version, the log and the quarantine", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    const before = await status();
    expect(before).toMatchObject({
      version,
      quarantined: 0,
      events: { events: 0, lastReceivedAt: null, reconciled: 0 },
    });
    const event = callEndedEvent({ session_id: "one" });
    const deliveredAt = Date.now();
    await gateway.deliver(event);
    await gateway.deliver(event);
    await gateway.deliver({ ...event, event_data: { ...event.event_data, billsec: 1 } });
    await gateway.deliver("no JSON");
    const after = await status();
    expect(after).toMatchObject({ quarantined: 1, events: { events: 2, reconciled: 0 } });
    expect(after.events.newestCursor > before.events.newestCursor).toBe(true);
    expect(Date.parse(after.events.lastReceivedAt ?? "")).toBeGreaterThanOrEqual(deliveredAt);
    const head = await gateway.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }");
    expect(head.data?.callEndedEvents.headCursor).toBe(after.events.newestCursor);
  });
});

describe("the count of subscribers", () => {
  it("includes server-sent events and WebSocket, and drops once when a client leaves", async () => {
    expect(await subscribers()).toBe(0);
    const events = await openSse(gateway.url, { query: LIVE });
    await events.next();
    const client = openSocket(gateway.url);
    const sockets = [subscribe(client, LIVE), subscribe(client, LIVE)];
    for (const socket of sockets) await socket.next();
    expect(await subscribers()).toBe(3);
    await events[Symbol.asyncDispose]();
    await until(async () => (await subscribers()) === 2);
    for (const socket of sockets) await socket[Symbol.asyncDispose]();
    await until(async () => (await subscribers()) === 0);
  });

  it("drops if a connection breaks, or closes during authentication", async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const leave = new AbortController();
        const headers = { "content-type": "application/json", accept: "text/event-stream" };
        const body = JSON.stringify({ query: LIVE });
        const asked = fetch(`${gateway.url}/graphql`, { method: "POST", headers, body, signal: leave.signal });
        setTimeout(() => leave.abort(), at);
        await asked.then((response) => response.text()).catch(() => undefined);
      }),
    );
    const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    const started = new Promise((resolve) => {
      socket.on("message", (data: Buffer) => data.toString().includes("StreamCheckpoint") && resolve(null));
    });
    await new Promise((resolve) => socket.on("open", resolve));
    socket.send(JSON.stringify({ type: "connection_init" }));
    await new Promise((resolve) => socket.once("message", resolve));
    socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query: LIVE } }));
    await started;
    expect(await subscribers()).toBeGreaterThan(0);
    socket.terminate();
    await until(async () => (await subscribers()) === 0);
    expect(await subscribers()).toBe(0);
  });

  it("excludes refused subscriptions", async () => {
    await using refused = await openSse(gateway.url, { query: `subscription { callEnded(after: "x") { cursor } }` });
    await refused.next();
    expect(await subscribers()).toBe(0);
  });
});
