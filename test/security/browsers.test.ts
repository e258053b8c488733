import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestGateway, NO_SERVICE, startGateway } from "../support/gateway.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(NO_SERVICE, { CORS_ORIGINS: "https://app.example" });
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe("A20: an origin", () => {
  it.each([
    "https://evil.example",
    "null",
    "https://app.example.evil.example",
    "https://evil-app.example",
    "http://app.example",
    "https://app.example:8443",
    "HTTPS://APP.EXAMPLE",
  ])("is not granted anything as %s", async (origin) => {
    for (const method of ["OPTIONS", "POST"]) {
      const response = await fetch(`${gateway.url}/graphql`, { method, headers: { origin } });
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  it("that is configured is granted access, and only to itself", async () => {
    const headers = { origin: "https://app.example", "access-control-request-method": "POST" };
    const response = await fetch(`${gateway.url}/graphql`, { method: "OPTIONS", headers });
    expect(response.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(response.headers.get("access-control-allow-credentials")).toBe("true");
    expect(response.headers.get("vary")).toContain("origin");
  });
});

describe("every response has the security headers", () => {
  it.each([
    ["GET", "/livez"],
    ["GET", "/readyz"],
    ["GET", "/nothing"],
    ["POST", "/graphql"],
    ["GET", "/graphql"],
    ["PUT", "/graphql"],
    ["OPTIONS", "/graphql"],
    ["GET", "/calllog"],
    ["POST", "/calllog"],
    ["POST", "/calllog", "{}", { authorization: WEBHOOK_AUTHORIZATION }],
    ["POST", "/graphql", "{", {}],
    ["POST", "/graphql", '{"query":"{ serviceTimeZone }"}', {}],
    ["POST", "/graphql", '{"query":"{ nothing }"}', {}],
    ["POST", "/graphql", '{"query":"{ serviceTimeZone }"}', { accept: "application/json;q=0.9" }],
    ["GET", "/graphql?query={serviceTimeZone}", null, { "x-switchboard-preflight": "1" }],
  ])("has the security headers in a response to %s %s %s %o", async (method, path, body = null, sent = {}) => {
    const type = { "content-type": "application/json" };
    const request = { method, body, headers: body ? { ...type, ...sent } : sent };
    const { headers } = await fetch(gateway.url + path, request);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
  });

  it("has the security headers in a response to an operation, and GraphiQL has a policy of its own", async () => {
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: "POST",
      body: '{"query":"{ serviceTimeZone }"}',
      headers: { "content-type": "application/json" },
    });
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none';/);
    const page = await fetch(`${gateway.url}/graphql`, { headers: { accept: "text/html" } });
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toMatch(
      /script-src 'unsafe-inline' blob:;.*connect-src 'self'/,
    );
    // The console shows GraphiQL in a frame; no other site may.
    expect(page.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(page.headers.get("content-security-policy")).toMatch(/; frame-ancestors 'self'$/);
  });
});

describe("A26: paths for operators", () => {
  it.each(["/metrics", "/health?verbose", "/debug", "/.env"])("are not served on the public port: %s", async (path) => {
    expect((await fetch(gateway.url + path)).status).toBe(404);
  });
});
