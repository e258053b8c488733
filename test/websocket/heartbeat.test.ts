import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocketServer, WebSocket } from "ws";
import { recordProgressUntilDrained } from "../../src/websocket/backpressure.ts";
import { HEARTBEAT, recordProgress, startHeartbeat, stopHeartbeat } from "../../src/websocket/heartbeat.ts";
import { until } from "../support/until.ts";
import { openAcknowledged, pipelineOf, serveSockets } from "./serveSockets.ts";

afterEach(() => void vi.useRealTimers());

/** What has arrived is read before a socket is called stalled: two turns of the event loop, each a millisecond on the fake clock. */
const READING_MS = 2;

/** A heartbeat on a fake clock, of a socket without a peer. */
function watched() {
  vi.useFakeTimers();
  const pings = { count: 0 };
  const socket = { ping: () => void (pings.count += 1) };
  let stalls = 0;
  const heartbeat = startHeartbeat(socket, HEARTBEAT, () => (stalls += 1));
  return { heartbeat, pings, stalls: () => stalls };
}

/** The clock goes on, and no timer runs. */
function standStill(milliseconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + milliseconds);
  onTestFinished(() => void vi.restoreAllMocks());
}

describe("a closed socket", () => {
  it("is not watched any more, also if its last message is handled later", async () => {
    const stream = new PassThrough().destroy();
    await once(stream, "close");
    const { heartbeat } = watched();
    const before = vi.getTimerCount();
    recordProgressUntilDrained(stream, heartbeat);
    expect(vi.getTimerCount()).toBe(before);
  });
});

describe("a socket without progress", () => {
  it("stalls after a minute, which is two pings, and not before", () => {
    const { stalls, pings } = watched();
    vi.advanceTimersByTime(59_999);
    expect([stalls(), pings.count]).toEqual([0, 1]);
    vi.advanceTimersByTime(1 + READING_MS);
    expect(stalls()).toBe(1);
    vi.advanceTimersByTime(600_000);
    expect(stalls()).toBe(1);
    expect(HEARTBEAT.stallTimeoutMs).toBe(2 * HEARTBEAT.pingMs);
  });

  it("stalls a minute after its last progress", () => {
    const { heartbeat, stalls } = watched();
    for (let count = 0; count < 3; count += 1) {
      vi.advanceTimersByTime(50_000);
      recordProgress(heartbeat);
    }
    vi.advanceTimersByTime(59_999);
    expect(stalls()).toBe(0);
    vi.advanceTimersByTime(1 + READING_MS);
    expect(stalls()).toBe(1);
  });
});

describe("a socket of a process that stood still", () => {
  it("does not stall if its peer's answer had arrived meanwhile", () => {
    const { heartbeat, stalls } = watched();
    vi.advanceTimersByTime(59_999);
    setImmediate(() => recordProgress(heartbeat));
    vi.advanceTimersByTime(1 + READING_MS);
    expect(stalls()).toBe(0);
    vi.advanceTimersByTime(HEARTBEAT.stallTimeoutMs + READING_MS);
    expect(stalls()).toBe(1);
  });

  it("gives its peer the time between ping and stall to answer a late ping", () => {
    const { pings, stalls } = watched();
    vi.advanceTimersByTime(29_999);
    standStill(300_000);
    vi.advanceTimersByTime(1);
    expect([pings.count, stalls()]).toEqual([1, 0]);
    vi.advanceTimersByTime(HEARTBEAT.stallTimeoutMs - HEARTBEAT.pingMs - 1);
    expect(stalls()).toBe(0);
    vi.advanceTimersByTime(1 + READING_MS);
    expect(stalls()).toBe(1);
  });

  it("is not watched any more after it was stopped while its input is read", () => {
    const { heartbeat, stalls } = watched();
    vi.advanceTimersByTime(59_999);
    setImmediate(() => stopHeartbeat(heartbeat));
    vi.advanceTimersByTime(600_000);
    expect([stalls(), vi.getTimerCount()]).toEqual([0, 0]);
  });
});

/** A proxy that discards all bytes after `swallow()`, like a lost network: neither end is notified. */
async function swallower(port: number) {
  let isGone = false;
  const sockets: Socket[] = [];
  const proxy = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    sockets.push(near, far);
    near.on("data", (bytes) => isGone || far.write(bytes)).on("error", () => undefined);
    far.on("data", (bytes) => isGone || near.write(bytes)).on("error", () => undefined);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => (sockets.forEach((socket) => socket.destroy()), void proxy.close()));
  return { port: (proxy.address() as AddressInfo).port, swallow: () => (isGone = true) };
}

/** A proxy with a limited bandwidth. */
async function slowNetwork(port: number, bytesPerMs: number): Promise<number> {
  const sockets: Socket[] = [];
  const proxy = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    sockets.push(near, far);
    near.on("data", (bytes) => far.write(bytes)).on("error", () => undefined);
    far.on("error", () => undefined).on("close", () => near.end());
    far.on("data", (bytes) => {
      near.write(bytes);
      far.pause();
      setTimeout(() => far.resume(), bytes.length / bytesPerMs);
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => (sockets.forEach((socket) => socket.destroy()), void proxy.close()));
  return (proxy.address() as AddressInfo).port;
}

describe("a client that reads slowly and steadily", () => {
  it("gets a large answer whole while it sends further messages", async () => {
    const text = "x".repeat(16 * 1024 * 1024);
    const pipeline = pipelineOf(() => ({ data: { text } }));
    const { url } = await serveSockets({ pipeline, heartbeatTimes: { pingMs: 1500, stallTimeoutMs: 3000 } });
    const socket = await openAcknowledged(
      `ws://127.0.0.1:${await slowNetwork(Number(new URL(url).port), 3000)}/graphql`,
    );
    const pinging = setInterval(() => socket.send('{"type":"ping"}'), 100);
    onTestFinished(() => clearInterval(pinging));
    const sizes: number[] = [];
    let code: number | null = null;
    socket.on("message", (data: Buffer) => sizes.push(data.length)).on("close", (closed) => (code = closed));
    socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query: "{ __typename }" } }));
    await until(() => code !== null || sizes.some((size) => size > text.length));
    expect(code).toBeNull();
  });
});

describe("a subscriber whose network is lost", () => {
  it("is closed by the heartbeat", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => server.close());
    await once(server, "listening");
    const network = await swallower((server.address() as AddressInfo).port);
    let stalls = 0;
    server.on("connection", (socket) => {
      const heartbeat = startHeartbeat(socket, { pingMs: 50, stallTimeoutMs: 2000 }, () => {
        stalls += 1;
        socket.terminate();
      });
      socket.on("pong", () => recordProgress(heartbeat));
    });
    const client = new WebSocket(`ws://127.0.0.1:${network.port}`);
    client.on("error", () => undefined);
    let pings = 0;
    client.on("ping", () => (pings += 1));
    await until(() => pings > 5);
    expect(stalls).toBe(0);
    network.swallow();
    await until(() => server.clients.size === 0);
    expect(stalls).toBe(1);
    client.terminate();
  });
});
