// What a peer may send before its credentials were checked.
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { RejectedAt } from "../../src/server/connections/rejections.ts";
import { silentLog } from "../support/silentLog.ts";
import { createSession, handleMessage, type SocketTransport } from "../../src/websocket/protocol.ts";
import type { Connection } from "../../src/websocket/socketConnection.ts";
import { until } from "../support/until.ts";
import { pipeline } from "../graphql/pipeline.ts";
import { comeIn, serveSockets } from "./serveSockets.ts";

const KIB = 1024;
const padded = (message: object, bytes: number) => {
  const text = JSON.stringify({ ...message, pad: "" });
  return `${text.slice(0, -2)}${"x".repeat(bytes - text.length)}"}`;
};
const init = (bytes: number) => padded({ type: "connection_init" }, bytes);

async function serve() {
  const counted: string[] = [];
  const notServed = { add: (place: RejectedAt, status: number | string) => void counted.push(`${place} ${status}`) };
  const served = await serveSockets({ pipeline: pipeline(), rejections: notServed });
  return { ...served, counted };
}
async function open(url: string) {
  const socket = new WebSocket(url, "graphql-transport-ws");
  onTestFinished(() => socket.terminate());
  const closed = once(socket, "close").then(([code]) => code as number);
  await once(socket, "open");
  return { socket, closed };
}

describe("A75: before the acknowledgement of a socket,", () => {
  it("a message of 4 KiB is read, and one of a byte more closes the socket with 1009", async () => {
    const { url, counted } = await serve();
    const fits = await open(url);
    fits.socket.send(init(4 * KIB));
    expect(String((await once(fits.socket, "message"))[0])).toContain("connection_ack");
    const larger = await open(url);
    larger.socket.send(init(4 * KIB + 1));
    expect([await larger.closed, counted]).toEqual([1009, ["websocket 1009"]]);
  });

  it("ten messages are read, and the next closes the socket with 1008", async () => {
    const { url, counted } = await serve();
    const { socket, closed } = await open(url);
    const pongs: unknown[] = [];
    socket.on("message", (data) => pongs.push(data));
    for (let at = 0; at < 40; at += 1) socket.send('{"type":"ping"}');
    expect([await closed, pongs.length, counted]).toEqual([1008, 10, ["websocket 1008"]]);
  });

  it("a message in more than 256 fragments closes the socket with 1008", async () => {
    const { url, counted } = await serve();
    const { socket, closed } = await open(url);
    for (let at = 0; at < 300; at += 1) socket.send("", { fin: false });
    expect([await closed, counted]).toEqual([1008, ["websocket 1008"]]);
  });

  it("a message of 64 KiB is read once the socket was acknowledged", async () => {
    const { url } = await serve();
    const socket = await comeIn(url);
    socket.send(padded({ type: "subscribe", id: "1", payload: { query: "{ viewer { name } }" } }, 64 * KIB));
    expect(String((await once(socket, "message"))[0])).toContain('"next"');
  });
});

describe("a peer that goes on sending after it was closed", () => {
  const frame = (opcode: number) => Buffer.from([opcode, 0x80, 0, 0, 0, 0]);
  const many = (bytes: Buffer) => Buffer.concat(Array.from({ length: 10_000 }, () => bytes));

  it.each<[string, Buffer, Buffer]>([
    ["for its pings", Buffer.alloc(0), many(frame(0x89))],
    ["for its fragments", frame(0x01), many(frame(0x00))],
  ])("%s is disconnected before it has sent 64 MiB", async (_, first, flood) => {
    const { url } = await serve();
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => undefined);
    const head = ["GET /graphql HTTP/1.1", "Host: x", "Connection: Upgrade", "Upgrade: websocket"];
    const own = ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: graphql-transport-ws"];
    const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`;
    socket.write(`${[...head, ...own, key].join("\r\n")}\r\n\r\n`);
    await once(socket, "data");
    socket.resume().write(first);
    let sent = 0;
    while (!socket.destroyed && sent < 64 * KIB * KIB) {
      sent += flood.length;
      if (!socket.write(flood)) await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => null);
    }
    socket.destroy();
    expect(sent).toBeLessThan(64 * KIB * KIB);
  });
});

describe("a socket that leaves before the acknowledgement is reported to the connection guard", () => {
  it.each<[string, (socket: WebSocket) => void]>([
    ["with a close frame", (socket) => socket.close(1000)],
    ["by breaking off", (socket) => socket.terminate()],
  ])("if it leaves %s", async (_, leave) => {
    const { url, counted, sockets } = await serve();
    const { socket } = await open(url);
    leave(socket);
    await until(() => counted.length > 0);
    await until(() => sockets.size() === 0);
    expect(counted).toEqual(["websocket left"]);
  });

  it("if it leaves while its credentials are checked", async () => {
    const counted: string[] = [];
    const judged = Promise.withResolvers<null>();
    const notServed = { add: (place: RejectedAt, status: number | string) => void counted.push(`${place} ${status}`) };
    const { url } = await serveSockets({ pipeline: pipeline(), rejections: notServed, admit: () => judged.promise });
    const { socket } = await open(url);
    socket.send('{"type":"connection_init"}');
    socket.send('{"type":"ping"}');
    await once(socket, "message");
    socket.terminate();
    await until(() => counted.length > 0);
    judged.resolve(null);
    await judged.promise;
    expect(counted).toEqual(["websocket left"]);
  });

  it("unless it was acknowledged or the gateway closes it", async () => {
    const { url, counted, sockets } = await serve();
    (await comeIn(url)).terminate();
    await until(() => sockets.size() === 0);
    const { closed } = await open(url);
    for (const each of sockets.open()) each.close();
    expect(await closed).toBe(1012);
    await until(() => sockets.size() === 0);
    expect(counted).toEqual([]);
  });
});

describe("the parser of messages", () => {
  const closes: number[] = [];
  const transport: SocketTransport = {
    send: () => Promise.resolve(),
    close: (_, { code }) => void closes.push(code),
    createWriter: () => () => false,
    admit: () => Promise.resolve(null),
    fail: () => undefined,
  };
  const newSession = () => createSession({} as Connection, { transport, pipeline: pipeline(), log: silentLog });

  it("needs a small multiple of the time of JSON.parse for many values", () => {
    const text = `{"type":"complete","id":"1","x":[${"0,".repeat(32_000)}0]}`;
    const timed = (work: () => unknown) => {
      const begin = performance.now();
      for (let at = 0; at < 30; at += 1) work();
      return performance.now() - begin;
    };
    const session = newSession();
    const [parsed, taken] = [() => JSON.parse(text) as unknown, () => handleMessage(session, text)].map((work) =>
      Math.min(timed(work), timed(work), timed(work)),
    );
    expect(closes).toEqual([]);
    expect(taken).toBeLessThan((parsed ?? 0) * 15);
  });

  it("refuses a message that is nested more than 1000 deep, with 4400", () => {
    const nested = (levels: number) => `{"type":"complete","id":"1","x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    handleMessage(newSession(), nested(999));
    expect(closes).toEqual([]);
    handleMessage(newSession(), nested(1000));
    expect(closes).toEqual([4400]);
  });
});
