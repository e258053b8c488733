import { once } from "node:events";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestGateway, NO_SERVICE, startGateway } from "../support/gateway.ts";
import type { Environment } from "../support/program.ts";

let alone: TestGateway;
let behindProxy: TestGateway;
beforeAll(async () => {
  [alone, behindProxy] = await Promise.all([startGateway(NO_SERVICE), startGateway(NO_SERVICE, { TRUST_PROXY: "1" })]);
});
afterAll(async () => {
  await Promise.all([alone[Symbol.asyncDispose](), behindProxy[Symbol.asyncDispose]()]);
});

const HOST = "calls.example";
const OWN = { http: `http://${HOST}`, https: `https://${HOST}` };

/** Whether the gateway grants this origin access over HTTP, server-sent events and WebSocket. */
async function granted(gateway: TestGateway, origin: string, said: Environment): Promise<boolean[]> {
  // A raw request, because fetch sets Host by itself.
  const upgrade = async () => {
    const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", {
      headers: { host: HOST, origin, ...said },
    });
    const opened = once(socket, "open").then(
      () => true,
      () => false,
    );
    const isOpen = await opened;
    socket.terminate();
    return isOpen;
  };
  const { host } = new URL(gateway.url);
  const http = async (accept: string) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: origin.replace(HOST, host), accept, ...said },
      body: '{"query":"{ __typename }"}',
    });
    await response.body?.cancel();
    return response.headers.has("access-control-allow-origin");
  };
  return [await http("application/json"), await http("text/event-stream"), await upgrade()];
}

const yes = [true, true, true];
const no = [false, false, false];

describe("A81: the gateway's own origin, on every transport,", () => {
  it("has the scheme http without a trusted proxy, with any X-Forwarded-Proto", async () => {
    for (const said of [{}, { "x-forwarded-proto": "https" }])
      expect([await granted(alone, OWN.http, said), await granted(alone, OWN.https, said)]).toEqual([yes, no]);
  });

  it("has the scheme of X-Forwarded-Proto behind a trusted proxy", async () => {
    const tls = { "x-forwarded-proto": "https" };
    expect([await granted(behindProxy, OWN.http, tls), await granted(behindProxy, OWN.https, tls)]).toEqual([no, yes]);
  });

  it("has the scheme http behind a trusted proxy without that header", async () => {
    expect([await granted(behindProxy, OWN.http, {}), await granted(behindProxy, OWN.https, {})]).toEqual([yes, no]);
  });
});
