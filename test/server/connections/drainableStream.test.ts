import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { drainableStream } from "../../../src/server/connections/drain.ts";
import { writeJson } from "../../../src/server/graphql/writeJson.ts";
import { startFakeService } from "../../support/fakeService.ts";
import { until } from "../../support/until.ts";

/** A response, and its client, which reads nothing until it is told to. */
async function openResponse() {
  const server = createServer();
  const asked = once(server, "request") as Promise<[unknown, ServerResponse]>;
  const service = await startFakeService(server);
  const client = connect(Number(new URL(service.url).port), "127.0.0.1").pause();
  onTestFinished(async () => {
    client.destroy();
    await service[Symbol.asyncDispose]();
  });
  client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  const [, response] = await asked;
  return { response, client };
}

it("A drain waits for an answer in one piece until its client has read it", async () => {
  const { response, client } = await openResponse();
  const { isBusy } = drainableStream(response);
  const data = { text: "x".repeat(30_000_000) };
  writeJson(response, { data }, "application/json", {});
  expect(isBusy()).toBe(true);
  await until(() => response.writableEnded);
  expect([isBusy(), response.writableFinished]).toEqual([true, false]);
  let bytes = 0;
  client.on("data", (chunk: Buffer) => (bytes += chunk.length));
  client.resume();
  await once(response, "close");
  await until(() => bytes > 30_000_000);
});

it("A drain may close a stream that has begun and not ended", async () => {
  const { response } = await openResponse();
  const { isBusy } = drainableStream(response);
  expect(isBusy()).toBe(true);
  response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
  expect(isBusy()).toBe(false);
});
