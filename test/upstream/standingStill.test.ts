// The service answers in time, while the gateway's process stands still until after its own deadline, as on a paused virtual machine.
import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Upstream } from "../../src/upstream/upstream.ts";
import { callLogQuery, createTask, emptyPage, upstreamAt } from "./service.ts";

/** Enough for a busy machine to bring the request to the service. */
const TIMEOUT_MS = 5000;

/** Answers a request when it is told to, and counts answers in `answered`. A thread of its own, so that it goes on. */
const SERVICE = `
  const { createServer } = require("node:http");
  const { parentPort, workerData: { answer, answered } } = require("node:worker_threads");
  const server = createServer((request, response) => {
    request.resume();
    parentPort.once("message", () =>
      response.writeHead(200, { "content-type": "application/json" }).end(answer, () => {
        Atomics.add(answered, 0, 1);
        Atomics.notify(answered, 0);
      }),
    );
    parentPort.postMessage("asked");
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

async function answerWhileStill<T>(ask: (upstream: Upstream) => Promise<T>): Promise<T> {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { answer: JSON.stringify(emptyPage), answered };
  const service = new Worker(SERVICE, { eval: true, workerData });
  onTestFinished(async () => void (await service.terminate()));
  const [port] = (await once(service, "message")) as [number];
  await using upstream = upstreamAt(`http://127.0.0.1:${port}`, { timeoutMs: TIMEOUT_MS });
  const asked = once(service, "message");
  const startedAt = performance.now();
  const result = ask(upstream);
  await asked;
  // Node then runs timers before it reads sockets.
  await nextTurn();
  service.postMessage("answer");
  Atomics.wait(answered, 0, 0);
  Atomics.wait(answered, 0, 1, startedAt + TIMEOUT_MS + 100 - performance.now());
  return await result;
}

describe("an answer that came in time while the process stood still", () => {
  it("is read for a query", async () => {
    expect(await answerWhileStill((upstream) => upstream.listCallLogs(callLogQuery()))).toMatchObject({ total: 0 });
  });

  it("is read for a task: its outcome is not in doubt", async () => {
    expect(await answerWhileStill((upstream) => createTask(upstream))).toEqual({ kind: "accepted" });
  });
});
