import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { GRAPHQL_CORS } from "../../src/server/corsHeaders.ts";
import { createOriginPolicy } from "../../src/server/originPolicy.ts";
import { serve } from "./serve.ts";

const { allows, headersFor } = createOriginPolicy(["https://app.example", "http://localhost:5173"], 0);
const asking = (origin: string | undefined, host = "gateway.example:4000", more: object = {}) =>
  ({ headers: { ...(origin === undefined ? {} : { origin }), host, ...more } }) as IncomingMessage;

describe("a page that may use the gateway", () => {
  it.each([
    ["of a named origin", "https://app.example"],
    ["of another one", "http://localhost:5173"],
    ["of the gateway's own", "http://gateway.example:4000"],
    ["of none, which is no page", undefined],
  ])("is %s", (_, origin) => {
    expect(allows(asking(origin))).toBe(true);
  });

  it("is one of the gateway's own origin on the default port", () => {
    expect(allows(asking("http://gateway.example", "gateway.example"))).toBe(true);
    expect(allows(asking("http://gateway.example", "GATEWAY.example:80"))).toBe(true);
  });
});

describe("A81: the gateway's own origin", () => {
  const http = "http://gateway.example";
  const https = "https://gateway.example";
  it.each([
    ["no proxy is trusted, and none says anything", 0, undefined, http],
    ["no proxy is trusted, whatever is said", 0, "https", http],
    ["the trusted proxy says nothing", 1, undefined, http],
    ["the trusted proxy speaks TLS", 1, "https", https],
    ["the trusted proxy speaks TLS, and says so of a WebSocket", 1, "wss", https],
    ["the trusted proxy does not speak TLS", 1, "http", http],
    ["a client wrote something before the trusted proxy did", 1, "http, HTTPS", https],
    ["a client wrote something before the trusted proxy did, the reverse", 1, "https, http", http],
    ["of two trusted proxies the outer one speaks TLS", 2, "https, http", https],
    ["of two trusted proxies only one says anything", 2, "https", https],
    ["the trusted proxy says something else", 1, "gopher", null],
  ])("has the right scheme if %s", (_, trustedProxies, said, own) => {
    const policy = createOriginPolicy([], trustedProxies);
    const isAllowed = (origin: string) =>
      policy.allows(asking(origin, "gateway.example", said === undefined ? {} : { "x-forwarded-proto": said }));
    expect([http, https, "gopher://gateway.example"].filter(isAllowed)).toEqual(own === null ? [] : [own]);
  });

  it("has the host of the Host header, with any X-Forwarded-Host", () => {
    const { allows: allowsBehindProxy } = createOriginPolicy([], 1);
    const said = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    expect(allowsBehindProxy(asking("https://evil.example", "gateway.example", said))).toBe(false);
    expect(allowsBehindProxy(asking("https://gateway.example", "gateway.example", said))).toBe(true);
  });
});

describe("a page of another origin", () => {
  it.each([
    "null",
    "",
    "*",
    "https://app.example.evil.example",
    "https://evil.com.app.example",
    "https://xapp.example",
    "http://app.example",
    "https://app.example:8443",
    "https://app.example/",
    "HTTPS://APP.EXAMPLE",
    "https://app.example, https://evil.example",
    "http://localhost:5174",
    "http://gateway.example",
    "https://gateway.example:4000",
    "http://gateway.example:40000",
    "http://gateway.example:4000.evil.example",
    "http://gateway.example:4000/",
    "http://user@gateway.example:4000",
    "ws://gateway.example:4000",
    "file://gateway.example:4000",
    "chrome-extension://gateway.example:4000",
    "gateway.example:4000",
  ])("may not use the gateway: %j", (origin) => {
    expect(allows(asking(origin))).toBe(false);
  });

  it.each([
    [undefined, "http://undefined"],
    ["", "http://"],
    ["http://gateway.example:4000", "http://gateway.example:4000"],
  ])("may not use the gateway by the host %j: %s", (host, origin) => {
    expect(allows({ headers: { origin, ...(host === undefined ? {} : { host }) } } as IncomingMessage)).toBe(false);
  });

  it("may not use a gateway without CORS_ORIGINS", () => {
    expect(createOriginPolicy([], 0).allows(asking("https://app.example"))).toBe(false);
  });
});

describe("a CORS preflight", () => {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(request.method === "OPTIONS" ? 204 : 200, headersFor(request, GRAPHQL_CORS)).end("asked");
  };

  it("from another origin gets no CORS headers", async () => {
    await using server = await serve(answer);
    const preflight = (origin: string) => fetch(server.url, { method: "OPTIONS", headers: { origin } });
    const [granted, refused] = [await preflight("https://app.example"), await preflight("https://evil.example")];
    expect([granted.status, refused.status]).toEqual([204, 204]);
    expect(granted.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(granted.headers.get("access-control-allow-headers")).toContain("x-switchboard-preflight");
    const corsHeaders = [...refused.headers.keys()].filter((name) => name.startsWith("access-control"));
    expect(corsHeaders).toEqual([]);
    expect(granted.headers.get("access-control-allow-credentials")).toBe("true");
    expect(granted.headers.get("vary")).toBe("origin, access-control-request-headers");
    expect(refused.headers.get("vary")).toBe("origin");
  });

  it("is not needed for a request to be answered, with or without CORS headers", async () => {
    await using server = await serve(answer);
    const post = (headers: Record<string, string>) => fetch(server.url, { method: "POST", headers });
    const answers = [await post({ origin: "https://app.example" }), await post({ origin: "null" }), await post({})];
    expect(await Promise.all(answers.map((response) => response.text()))).toEqual(["asked", "asked", "asked"]);
    expect(answers.map(({ headers }) => headers.get("access-control-allow-origin"))).toEqual([
      "https://app.example",
      null,
      null,
    ]);
  });
});
