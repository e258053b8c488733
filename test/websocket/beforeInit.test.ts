// What a peer may send before its credentials were checked.
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { RejectedAt } from "../../src/server/serverObserver.ts";
import { silentLog } from "../support/silentLog.ts";
import { createSession, handleMessage, type SocketTransport } from "../../src/websocket/protocol.ts";
import type { Connection } from "../../src/websocket/socketConnection.ts";
import { until } from "../support/until.ts";
import { pipeline } from "../graphql/pipeline.ts";
import { openAcknowledged, serveSockets } from "./serveSockets.ts";

const KIB = 1024;
const padded = (message: object, bytes: number) => {
  const text = JSON.stringify({ ...message, pad: "" });
  return `${text.slice(0, -2)}${"x".repeat(bytes - text.length)}"}`;
};
const init = (bytes: number) => padded({ type: "connection_init" }, bytes);

async function serve() {
  const counted: string[] = [];
  const rejections = { add: (where: RejectedAt, status: number | string) => void counted.push(`${where} ${status}`) };
  const served = await serveSockets({ pipeline: pipeline(), rejections });
  return { ...served, counted };
}
async function open(url: string) {
  const socket = new WebSocket(url, "graphql-transport-ws");
  onTestFinished(() => socket.terminate());
  const closed = once(socket, "close").then(([code]) => code as number);
  await once(socket, "open");
  return { socket, closed };
}

describe("A75: a socket before its acknowledgement", () => {
  it("accepts a message of 4 KiB, and is closed with 1009 by one byte more", async () => {
    const { url, counted } = await serve();
    const fits = await open(url);
    fits.socket.send(init(4 * KIB));
    expect(String((await once(fits.socket, "message"))[0])).toContain("connection_ack");
    const larger = await open(url);
    larger.socket.send(init(4 * KIB + 1));
    expect([await larger.closed, counted]).toEqual([1009, ["websocket 1009"]]);
  });

  it("accepts ten messages, and is closed with 1008 by the next", async () => {
    const { url, counted } = await serve();
    const { socket, closed } = await open(url);
    const pongs: unknown[] = [];
    socket.on("message", (data) => pongs.push(data));
    for (let at = 0; at < 40; at += 1) socket.send('{"type":"ping"}');
    expect([await closed, pongs.length, counted]).toEqual([1008, 10, ["websocket 1008"]]);
  });

  it("is closed with 1008 by a message in more than 256 fragments", async () => {
    const { url, counted } = await serve();
    const { socket, closed } = await open(url);
    for (let at = 0; at < 300; at += 1) socket.send("", { fin: false });
    expect([await closed, counted]).toEqual([1008, ["websocket 1008"]]);
  });

  it("accepts a message of 64 KiB only afterwards", async () => {
    const { url } = await serve();
    const socket = await openAcknowledged(url);
    socket.send(padded({ type: "subscribe", id: "1", payload: { query: "{ viewer { name } }" } }, 64 * KIB));
    expect(String((await once(socket, "message"))[0])).toContain('"next"');
  });
});

describe("A peer that keeps sending after its socket was closed", () => {
  const frame = (opcode: number) => Buffer.from([opcode, 0x80, 0, 0, 0, 0]);
  const many = (bytes: Buffer) => Buffer.concat(Array.from({ length: 10_000 }, () => bytes));

  it.each<[string, Buffer, Buffer]>([
    ["closed for its pings", Buffer.alloc(0), many(frame(0x89))],
    ["closed for its fragments", frame(0x01), many(frame(0x00))],
  ])("is disconnected before it has sent 64 MiB: %s", async (_, first, flood) => {
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

describe("A socket that disconnects before the acknowledgement", () => {
  it.each<[string, (socket: WebSocket) => void]>([
    ["a close frame", (socket) => socket.close(1000)],
    ["a reset", (socket) => socket.terminate()],
  ])("is counted as left with %s", async (_, leave) => {
    const { url, counted, sockets } = await serve();
    const { socket } = await open(url);
    leave(socket);
    await until(() => counted.length > 0);
    await until(() => sockets.size() === 0);
    expect(counted).toEqual(["websocket left"]);
  });

  it("is counted as left while its credentials are checked", async () => {
    const counted: string[] = [];
    const authenticated = Promise.withResolvers<null>();
    const rejections = { add: (where: RejectedAt, status: number | string) => void counted.push(`${where} ${status}`) };
    const { url } = await serveSockets({ pipeline: pipeline(), rejections, admit: () => authenticated.promise });
    const { socket } = await open(url);
    socket.send('{"type":"connection_init"}');
    socket.send('{"type":"ping"}');
    await once(socket, "message");
    socket.terminate();
    await until(() => counted.length > 0);
    authenticated.resolve(null);
    await authenticated.promise;
    expect(counted).toEqual(["websocket left"]);
  });

  it("is not counted if it was acknowledged or the gateway closes it", async () => {
    const { url, counted, sockets } = await serve();
    (await openAcknowledged(url)).terminate();
    await until(() => sockets.size() === 0);
    const { closed } = await open(url);
    for (const each of sockets.openSockets()) each.close();
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
    authenticate: () => Promise.resolve(null),
    fail: () => undefined,
  };
  const newSession = () => createSession({} as Connection, { transport, pipeline: pipeline(), log: silentLog });

  it("needs a small multiple of the time of JSON.parse for many values", () => {
    const text = `{"type":"complete","id":"1","x":[${"0,".repeat(32_000)}0]}`;
    /** Processor time, because other programs run meanwhile. */
    const timed = (work: () => unknown) => {
      const begin = process.threadCpuUsage();
      for (let at = 0; at < 30; at += 1) work();
      const { user, system } = process.threadCpuUsage(begin);
      return user + system;
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
