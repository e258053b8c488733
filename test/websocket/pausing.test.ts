import { Writable, type Duplex } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { WebSocket } from "ws";
import { CONNECTION_LIMITS, SOCKET_LIMITS } from "../../src/config/limits.ts";
import { pauseWhileBehind } from "../../src/websocket/backpressure.ts";
import { HEARTBEAT, startHeartbeat, stopHeartbeat } from "../../src/websocket/heartbeat.ts";
import { until } from "../support/until.ts";

/** A connection whose peer reads when `read` is called. */
function createConnection({ unsentBytes, waitingBytes }: { unsentBytes: number; waitingBytes: number }) {
  let read = () => undefined as void;
  const stream = new Writable({ write: (_, __, done) => void (read = done) }) as Duplex;
  const socket = {
    isPaused: false,
    pause: () => void (socket.isPaused = true),
    resume: () => void (socket.isPaused = false),
    ping: () => undefined,
  };
  const heartbeat = startHeartbeat(socket, HEARTBEAT, () => undefined);
  onTestFinished(() => {
    stopHeartbeat(heartbeat);
    stream.destroy();
  });
  if (unsentBytes > 0) stream.write(Buffer.alloc(unsentBytes));
  return { socket: socket as unknown as WebSocket, stream, heartbeat, waitingBytes, read: () => read() };
}

describe("A WebSocket", () => {
  it("is read on with as many unsent bytes and waiting messages as the limits allow", () => {
    const { unsentBytes } = CONNECTION_LIMITS;
    const { waitingBytes } = SOCKET_LIMITS;
    const connection = createConnection({ unsentBytes, waitingBytes });
    pauseWhileBehind(connection);
    expect(connection.socket.isPaused).toBe(false);
  });

  it("is not read until its peer has taken all unsent bytes", async () => {
    const connection = createConnection({ unsentBytes: CONNECTION_LIMITS.unsentBytes + 1, waitingBytes: 0 });
    pauseWhileBehind(connection);
    expect(connection.socket.isPaused).toBe(true);
    connection.read();
    await until(() => !connection.socket.isPaused);
    await until(() => connection.stream.listenerCount("drain") === 0);
  });

  it("stays paused when its peer has taken all unsent bytes, while too many messages wait", async () => {
    const waitingBytes = SOCKET_LIMITS.waitingBytes + 1;
    const connection = createConnection({ unsentBytes: CONNECTION_LIMITS.unsentBytes + 1, waitingBytes });
    pauseWhileBehind(connection);
    connection.read();
    await until(() => connection.stream.listenerCount("drain") === 0);
    expect(connection.socket.isPaused).toBe(true);
  });

  it("does not wait for unsent bytes where only messages wait", () => {
    const connection = createConnection({ unsentBytes: 0, waitingBytes: SOCKET_LIMITS.waitingBytes + 1 });
    pauseWhileBehind(connection);
    expect(connection.socket.isPaused).toBe(true);
    expect(connection.stream.listenerCount("drain")).toBe(0);
  });

  it("waits for its unsent bytes once, however many messages are sent to it meanwhile", () => {
    const connection = createConnection({ unsentBytes: CONNECTION_LIMITS.unsentBytes + 1, waitingBytes: 0 });
    pauseWhileBehind(connection);
    const waits = connection.stream.listenerCount("drain");
    for (let sent = 0; sent < 5; sent += 1) pauseWhileBehind(connection);
    expect(connection.stream.listenerCount("drain")).toBe(waits);
  });
});
