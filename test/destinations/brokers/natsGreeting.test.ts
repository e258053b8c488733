// Servers at the address of a stream of NATS that are none, or say nothing.
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { findGreeting } from "../../../src/destinations/brokers/natsGreeting.ts";
import { until } from "../../support/until.ts";
import { natsAt } from "./natsServer.ts";

/** Its open connections. */
async function startOther(greet: (socket: Socket) => void, { host = "127.0.0.1", port = 0 } = {}) {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on("error", () => undefined).once("close", () => open.delete(socket)));
    greet(socket.resume());
  });
  server.listen(port, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, open };
}

const LIMITS = { answerMs: 300, idleMs: 60_000 };

describe("A server at the address of a stream of NATS", () => {
  it.each([
    ["says nothing", () => undefined, /in time\.$/],
    [
      "speaks HTTP",
      (socket: Socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
      /^No NATS server greets at this address\.$/,
    ],
    [
      "never ends its first line",
      (socket: Socket) => socket.write("x".repeat(1024 * 1024)),
      /^No NATS server greets at this address\.$/,
    ],
    ["leaves", (socket: Socket) => socket.end(), "The broker could not be reached, or the connection was lost."],
  ])("that %s is a failure, and leaves no connection open", async (_, greet, text) => {
    const other = await startOther(greet);
    const { publish } = natsAt(`nats://127.0.0.1:${other.port}`, {}, { limits: LIMITS });
    for (const id of ["a", "b"])
      expect(await publish(id)).toMatchObject({ outcome: "failed", text: expect.stringMatching(text) });
    await until(() => other.open.size === 0);
  });

  it("that is silent at one address of its name leaves time for the next address", async () => {
    const silent = await startOther(() => undefined);
    const { port } = silent;
    await startOther((socket) => socket.write('INFO {"server_id":"x"}\r\n'), { host: "127.0.0.2", port });
    const { signal } = new AbortController();
    expect(await findGreeting(["127.0.0.1", "127.0.0.2"], port, { answerMs: 5000, signal })).toBe("127.0.0.2");
    await until(() => silent.open.size === 0);
  });
});
