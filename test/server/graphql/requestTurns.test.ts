import { connect } from "node:net";
import { OperationTypeNode, parse } from "graphql";
import { expect, it, onTestFinished } from "vitest";
import { allowEveryone } from "../../../src/auth/authenticate.ts";
import type { OperationPipeline } from "../../../src/graphql/operation.ts";
import { createConnectionQuota } from "../../../src/server/connections/connectionQuota.ts";
import { SECURITY_HEADERS } from "../../../src/server/securityHeaders.ts";
import { createTimeSlices } from "../../../src/util/timeSlices.ts";
import { until } from "../../support/until.ts";
import { routeOf } from "../route.ts";
import { serve } from "../serve.ts";

const BODY = '{"query":"{ __typename }"}';
const POST = `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;
const GET =
  "GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nhost: x\r\naccept: application/json\r\nx-switchboard-preflight: 1\r\n\r\n";

/** Every request waits until `start` is called, oldest first. */
async function serveInTurns() {
  const waiting: (() => void)[] = [];
  const asked = { count: 0 };
  const pipeline: OperationPipeline = {
    prepare() {
      asked.count += 1;
      const document = parse("{ __typename }");
      return { kind: OperationTypeNode.QUERY, document, name: null, run: () => ({ data: {} }) };
    },
  };
  const slices = {
    ...createTimeSlices(),
    waitForSlice() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      return promise;
    },
  };
  const shared = { fastPath: true, admit: allowEveryone(), connectionQuota: createConnectionQuota() };
  const route = routeOf({ ...shared, pipeline, slices });
  let left = 0;
  const server = await serve((request, response) => {
    response.once("close", () => (left += 1));
    route(request, response, SECURITY_HEADERS).catch(() => response.destroy());
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  function send(request: string) {
    const socket = connect(server.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.on("data", (data: Buffer) => (text += data.toString())).on("error", () => undefined);
    socket.write(request);
    return { socket, answer: () => text };
  }
  return { send, waiting, asked, left: () => left };
}

it.each([
  ["POST", POST],
  ["GET", GET],
])("a %s waits for its viewer's turn", async (_name, request) => {
  const { send, waiting, asked } = await serveInTurns();
  const { answer } = send(request);
  const start = await until(() => waiting[0]);
  expect(asked.count).toBe(0);
  start();
  await until(() => answer().includes('"data"'));
  expect(asked.count).toBe(1);
});

it.each([
  ["POST", POST],
  ["GET", GET],
])("a %s does not run when its client has left meanwhile", async (_name, request) => {
  const { send, waiting, asked, left } = await serveInTurns();
  const { socket } = send(request);
  const start = await until(() => waiting[0]);
  socket.destroy();
  await until(() => left() === 1);
  start();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked.count).toBe(0);
});
