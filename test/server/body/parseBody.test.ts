import { connect } from "node:net";
import { parse } from "graphql";
import { describe, expect, it, onTestFinished } from "vitest";
import { allowEveryone } from "../../../src/auth/authenticate.ts";
import { SECURITY_HEADERS } from "../../../src/server/securityHeaders.ts";
import { LARGE_BODY_LIMITS } from "../../../src/config/limits.ts";
import type { Operation, OperationPipeline } from "../../../src/graphql/operation.ts";
import { releaseOf } from "../../../src/util/bodies/bodyTurn.ts";
import { createConnectionQuota } from "../../../src/server/connections/connectionQuota.ts";
import { until } from "../../support/until.ts";
import { routeOf } from "../route.ts";
import { serve } from "../serve.ts";

/** /graphql for callers that are identified by their addresses. Only the operation `{ hangs }` waits for ever. */
async function open(keepsTurn: boolean) {
  const begun: string[] = [];
  const pipeline: OperationPipeline = {
    prepare(request) {
      const { query } = request;
      const hangs = query === "{ hangs }";
      if (!hangs || !keepsTurn) releaseOf(request)?.();
      const operation: Operation = {
        kind: "query",
        document: parse("{ a }"),
        name: null,
        run() {
          begun.push(String(query));
          return hangs ? new Promise(() => undefined) : { data: {} };
        },
      };
      return operation;
    },
  };
  const own = { pipeline, fastPath: true, admit: allowEveryone(), connectionQuota: createConnectionQuota() };
  const route = routeOf({ ...own, knowsViewers: false, trustedProxies: 1 });
  let arrived = 0;
  const server = await serve((request, response) => {
    request.once("end", () => (arrived += 1));
    route(request, response, SECURITY_HEADERS).catch(() => response.destroy());
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const bodyOf = (query: string) => JSON.stringify({ query }) + " ".repeat(LARGE_BODY_LIMITS.minBytes);
  /** Posts a large body and does not wait for the answer. */
  function send(from: string, query: string) {
    const body = bodyOf(query);
    const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    const type = "content-type: application/json";
    const lines = ["POST / HTTP/1.1", "host: x", `x-forwarded-for: ${from}`, type, `content-length: ${body.length}`];
    socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
    return socket;
  }
  /** The status of the response to a large body. */
  async function ask(from: string) {
    const headers = { "content-type": "application/json", "x-forwarded-for": from };
    return (await fetch(server.url, { method: "POST", headers, body: bodyOf("{ a }") })).status;
  }
  return { begun, send, ask, arrived: () => arrived };
}

describe("large bodies of one caller", () => {
  it("do not delay others while their operations wait for the service", async () => {
    const { begun, send, ask } = await open(false);
    for (let each = 0; each < 4; each += 1) send("192.0.2.1", "{ hangs }");
    await until(() => begun.length === 4);
    expect(await ask("192.0.2.1")).toBe(200);
    expect(await ask("192.0.2.2")).toBe(200);
  });

  it("do not delay another caller while their long lists are used, and too many are refused", async () => {
    const { begun, send, ask, arrived } = await open(true);
    const most = 1 + LARGE_BODY_LIMITS.waiting;
    const sockets = Array.from({ length: most }, () => send("192.0.2.1", "{ hangs }"));
    await until(() => arrived() === most);
    expect(begun).toHaveLength(1);
    expect(await ask("192.0.2.1")).toBe(429);
    expect(await ask("192.0.2.2")).toBe(200);
    // A client that disconnects frees its place in the queue.
    for (const socket of sockets.slice(1)) socket.destroy();
    await until(() => sockets.slice(1).every(({ closed }) => closed));
    send("192.0.2.1", "{ hangs }");
    await until(() => arrived() === most + 2 + 1);
    expect(await ask("192.0.2.2")).toBe(200);
  });
});
