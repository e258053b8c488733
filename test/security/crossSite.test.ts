// What a page of another site can make a browser send, and what it cannot. The real browser is in browserClients.test.ts.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestGateway, NO_SERVICE, startGateway } from "../support/gateway.ts";

const APP = "https://app.example";
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(NO_SERVICE, { CORS_ORIGINS: APP });
});
afterAll(() => gateway[Symbol.asyncDispose]());

type Sent = Record<string, string>;
const QUERY = `query=${encodeURIComponent("{ serviceTimeZone }")}`;
const get = (headers: Sent, path = `/graphql?${QUERY}`) => fetch(gateway.url + path, { headers });

describe("A13: a GET", () => {
  it.each<[string, Sent]>([
    ["of a script of the own page", { "sec-fetch-site": "same-origin" }],
    ["that the user typed", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }],
    ["of an allowed origin", { origin: APP, "sec-fetch-site": "cross-site" }],
    ["of an allowed origin, in a browser without Sec-Fetch-Site", { origin: APP }],
    ["with the gateway's own header", { "x-switchboard-preflight": "1", "sec-fetch-site": "cross-site" }],
    ["with Apollo's header", { "apollo-require-preflight": "true" }],
    ["with Apollo's name of the operation", { "x-apollo-operation-name": "Today" }],
    ["with any Authorization", { authorization: "x" }],
  ])("is answered %s", async (_, headers) => {
    const response = await get(headers);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: { serviceTimeZone: expect.any(String) } });
    // No proxy may show one viewer's answer to another.
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it.each<[string, Sent]>([
    ["of an image, a script or a link on another site", { "sec-fetch-site": "cross-site" }],
    ["of a page on another subdomain or port", { "sec-fetch-site": "same-site" }],
    ["of an old browser", {}],
    ["of a browser that names two sources", { "sec-fetch-site": "none, cross-site" }],
    ["with a source in other letters", { "sec-fetch-site": "Same-Origin" }],
    ["of another origin", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["of another origin, behind a proxy that changes the source", { origin: APP + ".evil", "sec-fetch-site": "none" }],
    ["of a sandboxed frame", { origin: "null", "sec-fetch-site": "same-origin" }],
    ["with a Referer of the own page", { referer: "http://127.0.0.1/" }],
  ])("is refused %s", async (_, headers) => {
    for (const accept of ["application/json", "text/event-stream", "*/*"]) {
      const response = await get({ ...headers, accept });
      const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] };
      expect([response.status, errors[0]?.extensions.code]).toEqual([403, "FORBIDDEN"]);
      expect(errors[0]?.message).toContain("CORS_ORIGINS");
    }
  });

  it("that is let in still runs no mutation", async () => {
    const mutation = `query=${encodeURIComponent('mutation { forgetPhone(number: "+8613800010001") { events } }')}`;
    expect((await get({ "sec-fetch-site": "none" }, `/graphql?${mutation}`)).status).toBe(405);
  });
});

describe("A CORS preflight of an allowed origin", () => {
  const preflight = (path: string, headers: Sent) =>
    fetch(gateway.url + path, { method: "OPTIONS", headers: { origin: APP, ...headers } });
  const namesOf = (response: Response) => response.headers.get("access-control-allow-headers")?.split(", ");

  it("is granted the headers that it asks for, such as those of tracers and of Apollo", async () => {
    const names = [
      "apollographql-client-name",
      "authorization",
      "baggage",
      "content-type",
      "graphql-client-version",
      "sentry-trace",
      "traceparent",
      "tracestate",
      "x-datadog-trace-id",
    ];
    const response = await preflight("/graphql", {
      "access-control-request-method": "POST",
      "access-control-request-headers": names.join(),
    });
    expect([response.status, namesOf(response)]).toEqual([204, names]);
    expect(response.headers.get("vary")).toBe("origin, access-control-request-headers");
  });

  it("is granted no forbidden name, and no text that is not a name", async () => {
    const asked = "Cookie, cookie2, host, origin, sec-fetch-site, proxy-authorization, x-ok, a b, <script>, *, ";
    const response = await preflight("/graphql", { "access-control-request-headers": asked });
    expect(namesOf(response)).toEqual(["x-ok"]);
  });

  it("is granted the usual headers if its list is too long, or names nothing", async () => {
    const usual = ["content-type", "authorization", "x-switchboard-preflight"];
    for (const asked of [`x-${"a".repeat(3000)}`, "", "host"])
      expect(namesOf(await preflight("/graphql", { "access-control-request-headers": asked }))).toEqual(usual);
  });

  it("of another origin is granted nothing", async () => {
    for (const path of ["/graphql", "/recordings/x"]) {
      const response = await preflight(path, {
        origin: "https://evil.example",
        "access-control-request-headers": "x-any",
      });
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(response.headers.get("vary")).toBe("origin");
    }
  });

  it("for a recording is granted byte ranges", async () => {
    const response = await preflight("/recordings/x?grant=y", {
      "access-control-request-method": "GET",
      "access-control-request-headers": "range",
    });
    expect([response.status, namesOf(response)]).toEqual([204, ["range"]]);
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
    expect(response.headers.get("access-control-allow-origin")).toBe(APP);
  });
});

describe("A response to an allowed origin", () => {
  it("lets the page read when to try again, and lets it send its session", async () => {
    const { headers } = await get({ origin: APP });
    expect(headers.get("access-control-expose-headers")).toBe("etag, retry-after");
    expect(headers.get("access-control-allow-credentials")).toBe("true");
  });

  it("of a recording lets the page read its size and range, also if it is refused", async () => {
    const { status, headers } = await get({ origin: APP }, "/recordings/x?grant=y");
    expect(status).toBe(403);
    expect(headers.get("access-control-allow-origin")).toBe(APP);
    for (const name of ["accept-ranges", "content-length", "content-range"])
      expect(headers.get("access-control-expose-headers")).toContain(name);
  });

  it("of another route has no CORS headers", async () => {
    for (const path of ["/livez", "/calllog", "/nothing"])
      expect((await get({ origin: APP }, path)).headers.has("access-control-allow-origin")).toBe(false);
  });
});

describe("A13: an operation of another origin by POST", () => {
  it("is not readable by its page", async () => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: "POST",
      headers: { origin: "https://evil.example", "content-type": "application/json" },
      body: '{"query":"{ serviceTimeZone }"}',
    });
    expect(response.headers.has("access-control-allow-origin")).toBe(false);
  });
});

describe("A batch of operations", () => {
  it("is refused with what to switch off", async () => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '[{"query":"{ serviceTimeZone }"}]',
    });
    const { errors } = (await response.json()) as { errors: { message: string }[] };
    expect([response.status, errors[0]?.message]).toEqual([400, expect.stringContaining("HttpLink in place of Batch")]);
  });
});
