import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { stopListening } from "../../../src/server/connections/stopListening.ts";
import { until } from "../../support/until.ts";

const QUIET_MS = 400;

/** Sends a request on its one connection when it is told, counts what it sent, and tells what came back. It goes on while others wait. */
const PROXY = `
  const { connect } = require("node:net");
  const { parentPort, workerData: { port, sent } } = require("node:worker_threads");
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes;
    if (text.endsWith("ok")) (parentPort.postMessage(text), (text = ""));
  });
  socket.on("error", ({ code }) => parentPort.postMessage(code)).on("end", () => parentPort.postMessage("ended"));
  parentPort.on("message", () =>
    socket.write("POST / HTTP/1.1\\r\\nhost: a\\r\\ncontent-length: 0\\r\\n\\r\\n", () => {
      Atomics.add(sent, 0, 1);
      Atomics.notify(sent, 0);
    }),
  );
`;

describe("a server that stops listening", () => {
  it("answers a request that came on an idle connection while its process stood still", async () => {
    const connections = new Set<Socket>();
    let lastRequestAt = -Infinity;
    const server = createServer((_request, response) => {
      lastRequestAt = performance.now();
      response.end("ok");
    });
    server.on("connection", (socket) => connections.add(socket)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const { port } = server.address() as AddressInfo;
    const proxy = new Worker(PROXY, { eval: true, workerData: { port, sent } });
    onTestFinished(async () => void (await proxy.terminate()));
    proxy.postMessage("send");
    expect(await once(proxy, "message")).toEqual([expect.stringMatching(/^HTTP\/1.1 200[^]*ok$/)]);

    const end = { lastRequestAt: () => lastRequestAt, quietMs: QUIET_MS, endsAt: performance.now() + 60_000 };
    const stopped = stopListening(server, { connections, accepted: () => 1, ...end });
    await until(() => !server.listening);
    // Node then runs timers before it reads sockets.
    await nextTurn();
    proxy.postMessage("send");
    Atomics.wait(sent, 0, 1);
    const stillUntil = performance.now() + 2 * QUIET_MS;
    while (performance.now() < stillUntil);

    expect(await once(proxy, "message")).toEqual([expect.stringMatching(/^HTTP\/1.1 200[^]*ok$/)]);
    await stopped;
  });
});
