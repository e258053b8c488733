// What the client does after each code with which a gateway closes its WebSocket.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WebSocketServer } from "ws";
import type { ConnectionState } from "../../client/src/index.ts";
import { clientOf, untilTurn } from "./clients.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("The close code", () => {
  it.each([
    [1012, 0],
    [1013, 5000],
    [4500, 0],
  ])("%i makes the client come back after %i ms and the jitter", async (code, ms) => {
    await using server = await closingServer(code);
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    const client = clientOf(server);
    const waits: ConnectionState[] = [];
    client.onState((state) => state.name === "waiting" && waits.push(state));
    const item = client.callEnded().next();
    await untilTurn(() => waits.length === 1);
    const [wait] = waits as [ConnectionState & { name: "waiting" }];
    expect(wait.reason).toBe(`The WebSocket was closed: ${code} bye`);
    expect(wait.until.getTime() - Date.now()).toBe(ms);
    await vi.advanceTimersByTimeAsync(ms);
    await untilTurn(() => server.connections() === 2);
    await client.close();
    expect(await item).toMatchObject({ done: true });
  });

  it.each([1009, 4400, 4429])("%i ends the stream: the same would happen again", async (code) => {
    await using server = await closingServer(code);
    await using client = clientOf(server);
    await expect(client.callEnded().next()).rejects.toMatchObject({ code: "BAD_RESPONSE", retryable: false });
    expect(server.connections()).toBe(1);
  });
});

/** Acknowledges each connection, and closes it at the subscription. */
async function closingServer(code: number) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "graphql-transport-ws" });
  let connections = 0;
  server.on("connection", (socket) => {
    connections += 1;
    socket.on("message", (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { type: string };
      if (type === "connection_init") socket.send('{"type":"connection_ack"}');
      if (type === "subscribe") socket.close(code, "bye");
    });
  });
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of server.clients) socket.terminate();
      server.close();
      await once(server, "close");
    },
  };
}
