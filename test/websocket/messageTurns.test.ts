import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { SOCKET_LIMITS } from "../../src/config/limits.ts";
import { until } from "../support/until.ts";
import { openAcknowledged, pipelineOf, serveSockets } from "./serveSockets.ts";

const LARGE = `{ __typename } #${"x".repeat(50_000)}`;

/** Every message waits until `start` is called, oldest first. */
async function serveInTurns() {
  const waiting: { viewer: string; start: () => void }[] = [];
  const asked = { count: 0 };
  const pipeline = pipelineOf(() => {
    asked.count += 1;
    return { data: {} };
  });
  const slices = {
    waitForSlice(viewer: string) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ viewer, start: resolve });
      return promise;
    },
  };
  const { sockets, url } = await serveSockets({ pipeline, slices });
  const socket = await openAcknowledged(url);
  const answered: string[] = [];
  socket.on("message", (data: Buffer) => {
    const { id, type } = JSON.parse(String(data)) as { id: string; type: string };
    if (type === "complete") answered.push(id);
  });
  return { sockets, socket, waiting, asked, answered };
}

const ask = (socket: WebSocket, id: number, query = "{ __typename }") =>
  socket.send(JSON.stringify({ id: String(id), type: "subscribe", payload: { query } }));

/** Resolves when the number has not changed for a while. */
async function steady(read: () => number): Promise<number> {
  let before = -1;
  let unchanged = 0;
  await until(() => {
    const now = read();
    unchanged = now === before ? unchanged + 1 : 0;
    before = now;
    return now > 0 && unchanged > 10;
  });
  return before;
}

describe("A85: messages after connection_ack", () => {
  it("are handled in their viewer's turns, in order", async () => {
    const { socket, waiting, asked, answered } = await serveInTurns();
    for (let id = 0; id < 5; id += 1) ask(socket, id);
    await until(() => waiting.length === 5);
    expect(asked.count).toBe(0);
    expect(new Set(waiting.map(({ viewer }) => viewer)).size).toBe(1);
    waiting[0]?.start();
    await until(() => answered.length === 1);
    for (const { start } of waiting) start();
    await until(() => answered.length === 5);
    expect(answered).toEqual(["0", "1", "2", "3", "4"]);
  });

  it("are dropped when the client has left", async () => {
    const { sockets, socket, waiting, asked } = await serveInTurns();
    for (let id = 0; id < 5; id += 1) ask(socket, id);
    await until(() => waiting.length === 5);
    socket.terminate();
    await until(() => sockets.size() === 0);
    for (const { start } of waiting) start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked.count).toBe(0);
  });

  it("are not read while too many bytes of them wait, and are all read afterwards", async () => {
    const { socket, waiting, answered } = await serveInTurns();
    const count = 60;
    for (let id = 0; id < count; id += 1) ask(socket, id, LARGE);
    // Beyond the limit come those that one read of the network brought.
    expect((await steady(() => waiting.length)) * LARGE.length).toBeLessThan(4 * SOCKET_LIMITS.waitingBytes);
    for (let handled = 0; handled < count; handled += 1) (await until(() => waiting[handled])).start();
    await until(() => answered.length === count);
    expect(answered).toEqual(Array.from({ length: count }, (_, id) => String(id)));
  });
});
