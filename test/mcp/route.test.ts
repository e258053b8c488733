// What reaches the tools over HTTP, and what does not.
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;
let sandbox: TestSandbox;
let keys: string;

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  sandbox = parts.use(await startSandbox());
  keys = await writeKeys(directory.path, { reader: ["calls:read"] });
  const env = { MCP: "on", API_KEYS_FILE: keys, CORS_ORIGINS: "https://app.example" };
  gateway = parts.use(await startGateway(sandbox, env));
});
afterAll(() => parts.disposeAsync());

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "plain", version: "1" } },
};
const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  authorization: bearer("reader"),
};
const post = (body: unknown, headers: Record<string, string> = {}, at = gateway) =>
  fetch(`${at.url}/mcp`, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("POST /mcp", () => {
  it("answers a handshake of 2025 without a session", async () => {
    const response = await post(INITIALIZE);
    expect(response.status).toBe(200);
    expect(response.headers.get("mcp-session-id")).toBeNull();
    expect(await response.text()).toContain('"protocolVersion":"2025-06-18"');
  });

  it("is not there without MCP=on", async () => {
    await using other = await startGateway(sandbox);
    expect((await post(INITIALIZE, {}, other)).status).toBe(404);
  });

  it("refuses requests without credentials, and with wrong ones", async () => {
    for (const authorization of ["", "Bearer wrong", "Session abc"]) {
      const response = await post(INITIALIZE, { authorization });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain("Bearer");
    }
  });

  it("refuses pages of other origins, and lets those of CORS_ORIGINS in", async () => {
    // DNS rebinding: https://github.com/modelcontextprotocol/typescript-sdk, "Validate Host and Origin in front of it"
    for (const origin of ["https://evil.example", "null", "https://app.example.evil.example", "http://app.example"])
      expect((await post(INITIALIZE, { origin })).status).toBe(403);
    const allowed = await post(INITIALIZE, { origin: "https://app.example" });
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect((await post(INITIALIZE, { origin: gateway.url })).status).toBe(200);
  });

  it("refuses a Host that does not name this machine where the gateway is open on loopback by default", async () => {
    await using open = await startGateway(sandbox, { MCP: "on" });
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(`${open.url}/mcp`, { method: "POST", headers: { ...HEADERS, host: "evil.example@x" } });
      sent.on("response", ({ statusCode }) => resolve(statusCode)).on("error", reject);
      sent.end(JSON.stringify(INITIALIZE));
    });
    expect(status).toBe(400);
  });

  it("refuses a page whose name was made to point at a gateway with AUTH=none, and knows its own names", async () => {
    const env = { MCP: "on", AUTH: "none", CORS_ORIGINS: "https://app.example" };
    await using open = await startGateway(sandbox, env);
    const { port } = new URL(open.url);
    const statusFor = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        const sent = httpRequest(`${open.url}/mcp`, { method: "POST", headers: { ...HEADERS, ...headers } });
        sent.on("response", (answer) => resolve(answer.resume().statusCode)).on("error", reject);
        sent.end(JSON.stringify(INITIALIZE));
      });
    // The browser takes it for the page's own server: https://github.com/advisories/GHSA-w48q-cv73-mx4w
    expect(await statusFor({ host: "evil.example:4000", origin: "http://evil.example:4000" })).toBe(403);
    expect(await statusFor({ host: "evil.example:4000" })).toBe(403);
    expect(await statusFor({ host: "127.0.0.1.evil.example", origin: "http://127.0.0.1.evil.example" })).toBe(403);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, "app.example", "APP.example"])
      expect([host, await statusFor({ host })]).toEqual([host, 200]);
  });

  it("refuses what is no message, until there were too many of them", async () => {
    await using other = await startGateway(sandbox, { MCP: "on", API_KEYS_FILE: keys, RATE_LIMIT: "30" });
    const statuses = new Set<number>();
    while (!statuses.has(429)) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => post("{", {}, other)));
      for (const { status } of answers) statuses.add(status);
    }
    expect(statuses).toEqual(new Set([400, 429]));
  });

  it("answers GET and DELETE with 405, because it has no streams and no sessions", async () => {
    // Clients of 2025 ask by GET for a stream: https://github.com/modelcontextprotocol/typescript-sdk/pull/1161
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await fetch(`${gateway.url}/mcp`, { method, headers: HEADERS });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  it("refuses batches, other types, bodies that are no JSON, and large ones", async () => {
    expect((await post([INITIALIZE, INITIALIZE])).status).toBe(400);
    expect((await post("{")).status).toBe(400);
    expect((await post('"text"')).status).toBe(400);
    expect((await post(`${"[".repeat(5000)}${"]".repeat(5000)}`)).status).toBe(400);
    expect((await post(INITIALIZE, { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(" ".repeat(300 * 1024))).status).toBe(413);
  });

  it("refuses a revision of the protocol that nobody knows, and names those that it speaks", async () => {
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
    const response = await post(list, { "mcp-protocol-version": "1999-01-01" });
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/2025-11-25|2026-07-28/);
  });

  it("opens no stream to listen on, because tools do not change", async () => {
    const response = await post({ jsonrpc: "2.0", id: 3, method: "subscriptions/listen", params: {} });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 3, error: { message: expect.stringContaining("follow_calls") } });
  });

  it("answers everything in one piece, so that a drain does not cut a running tool", async () => {
    const call = { jsonrpc: "2.0", id: 4, method: "tools/call", params: { name: "call_statistics", arguments: {} } };
    const response = await post(call, { "mcp-protocol-version": "2025-06-18" });
    expect(response.headers.get("content-length")).not.toBeNull();
    expect(response.headers.get("transfer-encoding")).toBeNull();
    expect(await response.text()).toContain("structuredContent");
  });
});
