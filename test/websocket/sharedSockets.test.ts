import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { EventLog } from "../../src/events/eventLog.ts";
import { createFrameBuffer, encodeNextFrames } from "../../src/websocket/sharedFrames.ts";
import { callEnded, headOf, names, tempLog } from "../events/callEnded.ts";
import { until } from "../support/until.ts";
import { pipeline } from "../graphql/pipeline.ts";
import { openAcknowledged, serveSockets } from "./serveSockets.ts";

const QUERY = "subscription($after: String) { callEnded(after: $after) { sessionId hangupReason } }";
const LARGE = "語".repeat(30_000);

async function serve() {
  const events = await tempLog();
  const made = pipeline({ own: { events } });
  return { events, made, ...(await serveSockets({ pipeline: made })) };
}

async function subscribe(url: string, id: string, after: string) {
  const socket = await openAcknowledged(url);
  const messages: { id: string; type: string; sessionId: string; hangupReason: string }[] = [];
  socket.on("message", (data: Buffer) => {
    const { payload, ...message } = JSON.parse(data.toString());
    messages.push({ ...message, ...payload?.data.callEnded });
  });
  socket.send(JSON.stringify({ id, type: "subscribe", payload: { query: QUERY, variables: { after } } }));
  return { socket, messages };
}

const append = (events: EventLog, sessionId: string, hangupReason = "normal") =>
  events.append(callEnded({ sessionId, hangupReason }), "WEBHOOK");

describe("a shared result", () => {
  it("arrives under each subscriber's own ID, short or long, with any characters", async () => {
    const { events, url } = await serve();
    const start = await headOf(events);
    const ids = ["1", 'a "quoted" 語 id', "x".repeat(256)];
    const readers = await Promise.all(ids.map((id) => subscribe(url, id, start)));
    await append(events, "first");
    await until(() => readers.every(({ messages }) => messages.length === 1));
    for (const [at, text] of ["", "short", "x".repeat(200), LARGE].entries()) await append(events, `s${at}`, text);
    await until(() => readers.every(({ messages }) => messages.length === 5));
    for (const [at, { messages }] of readers.entries()) {
      expect(messages.map(({ id, type }) => `${type} ${id}`)).toEqual(Array(5).fill(`next ${ids[at]}`));
      expect(messages.map(({ sessionId }) => sessionId)).toEqual(["first", "s0", "s1", "s2", "s3"]);
      expect(messages[4]?.hangupReason).toBe(LARGE);
    }
  });

  it("arrives in frames of any length, many in one write", async () => {
    const [head, lengths] = ["head", [5, 6, 125, 126, 127, 65_535, 65_536, 200_000]];
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const sockets = new WebSocketServer({ server, perMessageDeflate: false });
    sockets.on("connection", (_, { socket }) => {
      const results = lengths.map((length) => ({ payload: Buffer.from("x".repeat(length - head.length - 1)) }));
      socket.write(encodeNextFrames(Buffer.from(head), results, createFrameBuffer()));
    });
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => client.terminate());
    const got: string[] = [];
    client.on("message", (data: Buffer, isBinary) => got.push(isBinary ? "binary" : String(data)));
    await until(() => got.length === lengths.length);
    expect(got.map(({ length }) => length)).toEqual(lengths);
    expect(got.every((text) => /^headx*\}$/.test(text))).toBe(true);
  });

  it("no longer arrives after the subscriber's complete, while its socket stays open", async () => {
    const { events, url } = await serve();
    const [completed, active] = await Promise.all(
      ["1", "2"].map(async (id) => subscribe(url, id, await headOf(events))),
    );
    await append(events, "before");
    await until(() => completed?.messages.length === 1 && active?.messages.length === 1);
    completed?.socket.send('{"id":"1","type":"complete"}');
    completed?.socket.send('{"type":"ping"}');
    await until(() => completed?.messages.at(-1)?.type === "pong");
    await append(events, "after");
    await until(() => active?.messages.length === 2);
    completed?.socket.send('{"type":"ping"}');
    await until(() => completed?.messages.length === 3);
    expect(completed?.messages.map(({ type }) => type)).toEqual(["next", "pong", "pong"]);
  });
});

describe("a slow socket among subscribers", () => {
  it("delays nobody, gets limited memory, and misses nothing when it reads again", async () => {
    const { events, url, made } = await serve();
    const start = await headOf(events);
    const [slow, quick] = await Promise.all(["slow", "quick"].map((id) => subscribe(url, id, start)));
    await append(events, "first");
    await until(() => slow?.messages.length === 1 && quick?.messages.length === 1);
    slow?.socket.pause();
    const ids = names(0, 150);
    for (const id of ids) await append(events, id, LARGE);
    await until(() => quick?.messages.length === 151);
    const executed = made.contexts.length;
    slow?.socket.resume();
    await until(() => slow?.messages.length === 151);
    expect(slow?.messages.map(({ sessionId }) => sessionId)).toEqual(["first", ...ids]);
    // The slow subscriber read the missed events by itself.
    expect(made.contexts.length).toBeGreaterThan(executed);
    const before = made.contexts.length;
    await append(events, "together");
    await until(() => slow?.messages.length === 152 && quick?.messages.length === 152);
    expect(made.contexts.length).toBe(before + 1);
  });
});
