import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { SLOW_READER_LIMITS } from "../../../src/config/limits.ts";
import { createSlowReaders } from "../../../src/server/connections/slowReaders.ts";
import { until } from "../../support/until.ts";
import { openServer } from "../../graphql/openServer.ts";
import { serve } from "../serve.ts";

const MIB = 1024 * 1024;
/** More than the system's buffers of both ends hold. */
const LARGE = Buffer.alloc(64 * MIB);

afterEach(() => void vi.useRealTimers());

/** A client that reads only what a test asks for. */
function reader(port: number, text: string) {
  const socket = connect(port, "127.0.0.1").pause();
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined).write(text);
  async function read(bytes: number): Promise<void> {
    const goal = socket.bytesRead + bytes;
    const pauseAtGoal = () => socket.bytesRead >= goal && socket.pause();
    socket.on("data", pauseAtGoal).resume();
    await until(() => socket.bytesRead >= goal || socket.closed);
    socket.off("data", pauseAtGoal).pause();
  }
  return { socket, read };
}

const isFull = (socket: Socket) => socket.writableLength > 0;

/** The server's end of a connection with a large unsent answer, and the clock of the checks. */
async function waiting() {
  const asked = Promise.withResolvers<Socket>();
  const server = await serve((request, response) => {
    response.end(LARGE);
    asked.resolve(request.socket);
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { socket, read } = reader(server.port, "GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  const near = await asked.promise;
  const clock = { now: 0 };
  const slowReaders = createSlowReaders({ now: () => clock.now });
  /** Whether the connection is slow, `ms` milliseconds later. */
  const isSlowAfter = (ms: number) => {
    clock.now += ms;
    return slowReaders.find([near]).length > 0;
  };
  return { near, client: socket, read, isSlowAfter };
}

describe("A73: a peer that reads a large answer", () => {
  it("is slow after a minute in which it read nothing", async () => {
    const { isSlowAfter } = await waiting();
    expect([isSlowAfter(0), isSlowAfter(59_999), isSlowAfter(1)]).toEqual([false, false, true]);
  });

  it("is slow after a minute in which it read some bytes every 20 s", async () => {
    const { read, isSlowAfter } = await waiting();
    expect(isSlowAfter(0)).toBe(false);
    for (let count = 0; count < 2; count += 1) {
      await read(10);
      expect(isSlowAfter(20_000)).toBe(false);
    }
    await read(10);
    expect(isSlowAfter(20_000)).toBe(true);
  });

  it("is slow when it stops, and not while it reads a few megabytes a minute", async () => {
    const { read, isSlowAfter } = await waiting();
    expect(isSlowAfter(0)).toBe(false);
    for (let count = 0; count < 3; count += 1) {
      await read(4 * SLOW_READER_LIMITS.minBytes);
      expect(isSlowAfter(60_000)).toBe(false);
    }
    // The system may still take into its buffers what was read last.
    await until(() => isSlowAfter(60_000));
  });

  it("is not slow if it has read all that waited a minute before", async () => {
    const { near, client, isSlowAfter } = await waiting();
    expect(isSlowAfter(0)).toBe(false);
    client.resume();
    await until(() => !isFull(near));
    expect(isSlowAfter(60_000)).toBe(false);
    // Later bytes start a new period.
    client.pause();
    near.write(LARGE);
    expect([isSlowAfter(60_000), isSlowAfter(59_999), isSlowAfter(1)]).toEqual([false, false, true]);
  });
});

describe("too many unsent bytes on all connections", () => {
  it("cut the connections that have waited longest, and no more than necessary", async () => {
    const clock = { now: 0 };
    const slowReaders = createSlowReaders({ now: () => clock.now, maxWaitingBytes: 2.5 * LARGE.length });
    const asked: Socket[] = [];
    await using server = await serve((request, response) => {
      asked.push(request.socket);
      response.end(LARGE);
    });
    for (let count = 1; count <= 4; count += 1) {
      reader(server.port, "GET / HTTP/1.1\r\nhost: x\r\n\r\n");
      await until(() => asked.length === count);
      clock.now += 1000;
      // In reverse order: the result must not depend on it.
      const found = slowReaders.find(asked.toReversed());
      expect(found).toEqual(count < 3 ? [] : asked.slice(0, count - 2));
    }
  });
});

describe("A73: a peer that reads some bytes now and then is cut by the server", () => {
  const ask = (path: string, ...more: string[]) =>
    `GET ${[`${path} HTTP/1.1`, "host: x", ...more].join("\r\n")}\r\n\r\n`;
  const upgrade = [
    "connection: upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    `sec-websocket-key: ${randomBytes(16).toString("base64")}`,
  ];

  it.each([
    ["an answer of /graphql", ask("/graphql")],
    ["a stream of events", ask("/graphql", "accept: text/event-stream")],
    ["a recording", ask("/recordings/x")],
    ["a WebSocket", ask("/graphql", ...upgrade)],
  ])("during %s", async (_, text) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const clock = { now: 0 };
    const cuts: unknown[] = [];
    const { url, port } = await openServer({
      slowReaders: createSlowReaders({ now: () => clock.now }),
      graphql: (_request, response) => void response.write(LARGE),
      recordings: (_request, response) => void response.end(LARGE),
      sockets: {
        upgrade: (_request, socket) => void socket.write(LARGE),
        openSockets: () => [],
      },
      rejections: { add: (...rejection) => void cuts.push(rejection), observe() {} },
    });
    const { socket, read } = reader(port, text);
    await read(10);
    for (let count = 0; count < 3; count += 1) {
      clock.now += 30_000;
      vi.advanceTimersByTime(30_000);
      await read(10);
    }
    // Otherwise the peer could read everything before the server cuts it.
    await until(() => cuts.length > 0);
    socket.resume();
    await once(socket, "close");
    expect(socket.bytesRead).toBeLessThan(LARGE.length);
    expect(cuts).toEqual([["connection", "slow", "127.0.0.1"]]);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  });
});
