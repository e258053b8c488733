import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { stopListening, type ServerEnd } from "../../../src/server/connections/stopListening.ts";
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

/** A listening server that counts unanswered requests as busy, and how its end is described. */
async function listen(answer: RequestListener) {
  const connections = new Set<Socket>();
  const busy = new Set<Socket>();
  const sentRequest = new WeakSet<Socket>();
  let lastRequestAt = -Infinity;
  const server = createServer((request, response) => {
    lastRequestAt = performance.now();
    busy.add(request.socket);
    sentRequest.add(request.socket);
    response.once("close", () => busy.delete(request.socket));
    answer(request, response);
  });
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => connections.forEach((socket) => socket.destroy()));
  const cut: number[] = [];
  const end: ServerEnd = {
    connections,
    isBusy: (socket) => busy.has(socket),
    hasSentRequest: (socket) => sentRequest.has(socket),
    isUpgraded: () => false,
    accepted: () => 1,
    lastRequestAt: () => lastRequestAt,
    quietMs: QUIET_MS,
    endsAt: performance.now() + 600_000,
    onCut: (requests) => cut.push(requests),
  };
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  return { server, port, end, cut, open };
}

const REQUEST = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

describe("a server that stops listening", () => {
  it("closes idle connections while a client does not read its answer, which it can read later", async () => {
    const bytes = 64 * 1024 * 1024;
    const { server, end, cut, open } = await listen((request, response) =>
      response.end(request.url === "/large" ? Buffer.alloc(bytes) : "ok"),
    );
    const [slow, idle] = [(await open()).pause(), await open()];
    slow.write(REQUEST.replace("/ ", "/large "));
    idle.write(REQUEST);
    await once(idle, "data");
    await until(() => [...end.connections].some(({ writableLength }) => writableLength > 0));
    const stopped = stopListening(server, end);
    await once(idle, "close");
    let read = 0;
    slow.on("data", (chunk: Buffer) => (read += chunk.length)).resume();
    await stopped;
    await until(() => read >= bytes);
    expect(cut).toEqual([]);
  });

  it("answers a first request whose head is under way, and closes a connection on which none comes", async () => {
    const { server, end, cut, open } = await listen((_request, response) => response.end("ok"));
    const [client, unused] = [await open(), await open()];
    await until(() => end.connections.size === 2);
    const stopped = stopListening(server, { ...end, quietMs: 0 });
    await until(() => !server.listening);
    client.write(REQUEST.slice(0, 8));
    await until(() => [...end.connections].some(({ bytesRead }) => bytesRead === 8));
    client.write(REQUEST.slice(8));
    expect(String((await once(client, "data"))[0])).toMatch(/^HTTP\/1.1 200 /);
    client.end();
    await once(unused, "close");
    await stopped;
    expect(cut).toEqual([]);
  });

  it("answers what runs, and tells how many requests it cut at the end of its time", async () => {
    const held: ServerResponse[] = [];
    const { server, end, cut, open } = await listen((_request, response) => held.push(response));
    const [first, second] = [await open(), await open()];
    for (const socket of [first, second]) socket.write(REQUEST);
    await until(() => held.length === 2);
    const endsAt = performance.now() + 2 * QUIET_MS;
    const stopped = stopListening(server, { ...end, endsAt });
    await until(() => !server.listening);
    held[0]?.end("ok");
    await stopped;
    expect(cut).toEqual([1]);
  });

  it("answers a request that came on an idle connection while its process stood still", async () => {
    const { server, port, end } = await listen((_request, response) => response.end("ok"));
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const proxy = new Worker(PROXY, { eval: true, workerData: { port, sent } });
    onTestFinished(async () => void (await proxy.terminate()));
    proxy.postMessage("send");
    expect(await once(proxy, "message")).toEqual([expect.stringMatching(/^HTTP\/1.1 200[^]*ok$/)]);

    const stopped = stopListening(server, end);
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
