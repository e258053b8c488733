import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestGateway, NO_SERVICE, startGateway } from "../support/gateway.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(NO_SERVICE);
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** The response so far, and whether the connection is still open. */
function open(text: string, drip: string | null) {
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
  const response = { text: "", isClosed: false };
  socket.on("data", (bytes: Buffer) => (response.text += bytes.toString())).on("error", () => undefined);
  socket.on("close", () => (response.isClosed = true));
  socket.write(text);
  const dripping = drip === null ? undefined : setInterval(() => socket.write(drip), 500);
  socket.on("close", () => clearInterval(dripping));
  return { response, socket };
}

describe.concurrent("A43, A32: a slow client", { timeout: 300_000 }, () => {
  it("is cut with 408 if it sends its head byte by byte", async () => {
    const { response } = open("POST /calllog HTTP/1.1\r\nhost: x\r\nx-slow: ", "x");
    await until(() => response.isClosed);
    expect(response.text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("is cut with 408 after 15 seconds if it sends a webhook byte by byte, and its socket is freed", async () => {
    const head = ["POST /calllog HTTP/1.1", "host: x", `authorization: ${WEBHOOK_AUTHORIZATION}`];
    const { response } = open(`${head.join("\r\n")}\r\ncontent-length: 1000\r\n\r\n`, "x");
    await until(() => response.isClosed);
    expect(response.text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("is cut if it sends nothing", async () => {
    const { response } = open("", null);
    await until(() => response.isClosed);
    expect(response.isClosed).toBe(true);
  });
});

describe.concurrent("A37: a stream of events without events", { timeout: 300_000 }, () => {
  it("sends pings, so that a client that is gone is detected", async () => {
    const body = JSON.stringify({ query: "subscription { callEnded { sessionId } }" });
    const head = ["POST /graphql HTTP/1.1", "host: x", "accept: text/event-stream", "content-type: application/json"];
    const { response, socket } = open(`${head.join("\r\n")}\r\ncontent-length: ${body.length}\r\n\r\n${body}`, null);
    await until(() => /^:/m.test(response.text.split("\r\n\r\n").slice(1).join("\r\n\r\n")));
    expect(response.isClosed).toBe(false);
    socket.destroy();
  });
});
