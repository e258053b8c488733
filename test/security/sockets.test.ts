import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Directory, type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";

let directory: Directory;
let gateway: TestGateway;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const keys = await writeKeys(directory.path, { web: ["calls:read"], ops: ["admin"] });
  gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: keys });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const LIVE = "subscription { callEnded { sessionId } }";
const init = { type: "connection_init", payload: { authorization: bearer("web") } };
const subscribe = (id: string, query = LIVE) => ({ type: "subscribe", id, payload: { query } });

async function open(protocols: string | string[] = "graphql-transport-ws") {
  const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, protocols);
  const messages: { type: string; id?: string; payload?: unknown }[] = [];
  socket.on("message", (data) => messages.push(JSON.parse((data as Buffer).toString()) as (typeof messages)[number]));
  socket.on("error", () => undefined);
  const closed = once(socket, "close").then(([code]) => code as number);
  await once(socket, "open");
  const send = (...values: unknown[]) => {
    for (const message of values) socket.send(typeof message === "string" ? message : JSON.stringify(message));
  };
  return { socket, messages, closed, send, types: () => messages.map(({ type }) => type) };
}
async function openKnown() {
  const opened = await open();
  opened.send(init);
  await until(() => opened.types().includes("connection_ack"));
  return opened;
}
const running = async () =>
  (
    await gateway.ask<{ gateway: { subscribers: number } }>(
      "{ gateway { subscribers } }",
      {},
      { authorization: bearer("ops") },
    )
  ).data?.gateway.subscribers;
const expectAlive = async () =>
  expect((await gateway.ask("{ viewer { name } }", {}, { authorization: bearer("web") })).status).toBe(200);

describe("A28: a socket without graphql-transport-ws", () => {
  it.each([
    ["the legacy subprotocol", ["graphql-ws"]],
    ["no subprotocol", []],
  ])("is closed with 4406 if it offers %s", async (_, protocols) => {
    expect(await (await open(protocols)).closed).toBe(4406);
  });

  it("gets graphql-transport-ws if it offers both subprotocols", async () => {
    const both = await open(["graphql-ws", "graphql-transport-ws"]);
    expect(both.socket.protocol).toBe("graphql-transport-ws");
    both.socket.terminate();
  });
});

describe("A29: a client that violates the protocol", () => {
  it.each<[string, number, unknown[]]>([
    ["sends nothing for 3 s", 4408, []],
    ["sends connection_init twice", 4429, [init, init]],
    ["subscribes before the acknowledgement", 4401, [subscribe("1")]],
    ["uses an ID twice", 4409, [init, "ack", subscribe("1"), subscribe("1")]],
    ["sends a message that is not JSON", 4400, ["{"]],
    ["sends an unknown type", 4400, [{ type: "canary" }]],
    ["sends a subscription without a query", 4400, [init, "ack", { type: "subscribe", id: "1", payload: {} }]],
    ["uses an ID that is too long", 4400, [init, "ack", subscribe("x".repeat(257))]],
    ["sends a wrong key", 4403, [{ type: "connection_init", payload: { authorization: "Bearer wrong" } }]],
    ["sends no credentials", 4403, [{ type: "connection_init" }]],
    ["sends its key as a list", 4403, [{ type: "connection_init", payload: { authorization: [bearer("web")] } }]],
    [
      "sends its key twice",
      4403,
      [{ type: "connection_init", payload: { ...init.payload, Authorization: bearer("web") } }],
    ],
    [
      "sends its key in a prototype",
      4403,
      ['{"type":"connection_init","payload":{"__proto__":{"authorization":"Bearer key-of-web"}}}'],
    ],
    ["sends a list as payload", 4400, [{ type: "connection_init", payload: [bearer("web")] }]],
    ["sends a deeply nested message", 4400, [`{"type":"ping","payload":{"x":${"[".repeat(1500)}${"]".repeat(1500)}}}`]],
  ])("%s, and is closed with %i", async (_, code, messages) => {
    const peer = await open();
    for (const message of messages) {
      if (message === "ack") await until(() => peer.types().includes("connection_ack"));
      else peer.send(message);
    }
    expect(await peer.closed).toBe(code);
  });
});

describe("A30: a message that is too large or not text", () => {
  const large = (bytes: number) => JSON.stringify({ ...init, x: "x".repeat(bytes) });

  it("closes the socket with 1009 over 4 KiB before the acknowledgement, and over 64 KiB after it", async () => {
    const before = await open();
    before.send(large(4 * 1024));
    expect(await before.closed).toBe(1009);
    const after = await openKnown();
    after.send(subscribe("1", `{ viewer { name } } #${"x".repeat(63 * 1024)}`));
    await until(() => after.types().includes("complete"));
    after.send(subscribe("2", `{ viewer { name } } #${"x".repeat(64 * 1024)}`));
    expect(await after.closed).toBe(1009);
  });

  it("closes the socket with 1009 if it comes in endless fragments", async () => {
    const peer = await openKnown();
    for (let at = 0; at < 70; at += 1) peer.socket.send("x".repeat(1024), { fin: false });
    expect(await peer.closed).toBe(1009);
  });

  it("closes the socket with 1003 if it is binary", async () => {
    const peer = await openKnown();
    peer.socket.send(Buffer.from("{}"));
    expect(await peer.closed).toBe(1003);
  });

  it("cannot be compressed: the server does not agree to compression", async () => {
    const peer = await openKnown();
    expect(peer.socket.extensions).toBe("");
    peer.socket.terminate();
  });
});

describe("A31: a socket that sends too much", () => {
  it("gets an error for its 101st operation, while the others go on", async () => {
    const peer = await openKnown();
    peer.send(...Array.from({ length: 101 }, (_, at) => subscribe(String(at))));
    const error = await until(() => peer.messages.find(({ type }) => type === "error"));
    expect(error).toMatchObject({ id: "100", payload: [{ extensions: { code: "RATE_LIMITED", retryAfter: 1 } }] });
    await until(async () => (await running()) === 100);
    peer.send({ type: "complete", id: "7" }, subscribe("101"), subscribe("102", "{ viewer { name } }"));
    await until(async () => (await running()) === 100);
    peer.socket.terminate();
    await until(async () => (await running()) === 0);
  });

  it.each<[string, (socket: WebSocket, at: number) => void]>([
    [
      "short subscriptions",
      (socket, at) => {
        socket.send(JSON.stringify(subscribe(String(at))));
        socket.send(JSON.stringify({ type: "complete", id: String(at) }));
      },
    ],
    ["pings of the protocol", (socket) => socket.send('{"type":"ping"}')],
    ["pings", (socket) => socket.ping()],
    ["pongs", (socket) => socket.pong()],
    ["refused operations", (socket, at) => socket.send(JSON.stringify(subscribe(String(at), "{ canary }")))],
  ])("is closed with 1008 for %s, and its operations end", async (_, send) => {
    const peer = await openKnown();
    for (let at = 0; at < 1000; at += 1) send(peer.socket, at);
    expect(await peer.closed).toBe(1008);
    await until(async () => (await running()) === 0);
    await expectAlive();
  });
});

describe("A35: an invalid frame", () => {
  async function rawSocket(): Promise<Socket> {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    const head = [
      "GET /graphql HTTP/1.1",
      "Host: x",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
    ];
    socket.write(
      `${head.join("\r\n")}\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n\r\n`,
    );
    await once(socket, "data");
    return socket.on("error", () => undefined);
  }
  const masked = (first: number, payload: number[]) =>
    Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0, ...payload]);

  it.each<[string, Buffer]>([
    ["reserved bits", masked(0xf1, [0x7b])],
    ["a compressed frame", masked(0xc1, [0x7b])],
    ["a fragmented control frame", Buffer.from([0xa2, 0x00])],
    ["no mask", Buffer.from([0x81, 0x01, 0x7b])],
    ["a text that is not UTF-8", masked(0x81, [0xc3, 0x28])],
    ["a close of one byte", masked(0x88, [0x03])],
    ["a close with an impossible code", masked(0x88, [0x00, 0x01])],
    ["an unknown opcode", masked(0x83, [0x7b])],
    ["a length of 2^63", Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
  ])("closes only its own socket: %s", async (_, bytes) => {
    const socket = await rawSocket();
    socket.write(bytes);
    await once(socket.resume(), "close");
    expect(socket.destroyed).toBe(true);
    await expectAlive();
  });
});

describe("A37: a stream of events whose client disconnects", () => {
  it("is cleaned up at once, in each way to disconnect", async () => {
    const streams = await Promise.all(
      Array.from({ length: 8 }, () => openSse(gateway.url, { query: LIVE }, { authorization: bearer("web") })),
    );
    await until(async () => (await running()) === 8);
    await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()));
    await until(async () => (await running()) === 0);
    expect(await running()).toBe(0);
  });
});
