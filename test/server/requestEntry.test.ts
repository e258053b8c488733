import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createLogger } from "../../src/logger.ts";
import { refuseUpgrade, sendText } from "../../src/server/httpResponse.ts";
import { createRequestEntry, handleAtOnce, type RequestEntryDeps } from "../../src/server/requestEntry.ts";
import type { RouteHandler } from "../../src/server/routeTable.ts";
import { until } from "../support/until.ts";
import { openServer } from "../graphql/openServer.ts";
import { exchange } from "./serve.ts";

const ID = "b3f1c2d4-1234567-89ab";

/** A server whose webhook route logs a line after it has waited. */
async function openLogging(own: Partial<RequestEntryDeps>) {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({ level: "debug", secrets: [], write: (text) => lines.push(JSON.parse(text) as never) });
  const webhook: RouteHandler = async (_, response, headers) => {
    await new Promise((resolve) => setImmediate(resolve));
    log.warn({}, "handled");
    sendText(response, 200, "ok", headers);
  };
  const entry = createRequestEntry({ trustedProxies: 0, logsRequests: false, trace: handleAtOnce, log, ...own });
  const { url, port } = await openServer({
    entry,
    webhook,
    sockets: { upgrade: (_, socket) => refuseUpgrade(socket, "429 Too Many Requests"), openSockets: () => [] },
  });
  const ask = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });
  return { url, port, lines, ask };
}

async function refusedUpgrade(url: string, path: string): Promise<{ status: number | undefined; id: unknown }> {
  const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, { headers: { "x-request-id": ID } });
  socket.on("error", () => undefined);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  response.resume();
  return { status: response.statusCode, id: response.headers["x-request-id"] };
}

describe("The x-request-id of a trusted proxy", () => {
  it("is on every answer and on the log lines of its request", async () => {
    const { ask, port, lines } = await openLogging({ trustedProxies: 1 });
    for (const path of ["/calllog", "/graphql", "/livez", "/nothing"]) {
      expect((await ask(path, { "x-request-id": ID })).headers.get("x-request-id")).toBe(ID);
    }
    const refused = await exchange(port, `GET /livez HTTP/1.1\r\nhost: [\r\nx-request-id: ${ID}\r\n\r\n`);
    expect(refused).toMatch(new RegExp(`^HTTP/1.1 400 [^]*\r\nx-request-id: ${ID}\r\n`));
    expect(lines).toMatchObject([{ msg: "handled", requestId: ID }]);
  });

  it("is on refused upgrades, by the server and by the sockets", async () => {
    const { url } = await openLogging({ trustedProxies: 1 });
    expect(await refusedUpgrade(url, "/nothing")).toEqual({ status: 404, id: ID });
    expect(await refusedUpgrade(url, "/graphql")).toEqual({ status: 429, id: ID });
  });

  it("is ignored if there is no proxy, or if it could be a phone number", async () => {
    const open = await openLogging({});
    expect((await open.ask("/calllog", { "x-request-id": ID })).headers.has("x-request-id")).toBe(false);
    const proxied = await openLogging({ trustedProxies: 1 });
    expect((await proxied.ask("/calllog", { "x-request-id": "13800010001" })).headers.has("x-request-id")).toBe(false);
    for (const line of [...open.lines, ...proxied.lines]) expect(line).not.toHaveProperty("requestId");
  });
});

describe("LOG_REQUESTS", () => {
  it("writes a line for each answer, without the query and what varies in the path", async () => {
    const { ask, lines } = await openLogging({ trustedProxies: 1, logsRequests: true });
    await ask("/recordings/canary-signature?canary=1", { "x-request-id": ID });
    await ask("/canary");
    await until(() => lines.length === 2);
    expect(lines).toMatchObject([
      { level: "info", msg: "answered a request", method: "GET", path: "/recordings/{address}", status: 200 },
      { level: "info", msg: "answered a request", method: "GET", path: "", status: 404 },
    ]);
    expect(lines.map(({ requestId }) => requestId)).toEqual([ID, undefined]);
    expect(JSON.stringify(lines)).not.toContain("canary");
  });

  it("is off by default: a request has no line of its own", async () => {
    const { ask, lines } = await openLogging({});
    await ask("/livez");
    expect(lines).toEqual([]);
  });
});
