import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createOriginPolicy } from "../../src/http/origin.ts";
import { serve } from "./serve.ts";

const { allows, headFor } = createOriginPolicy(["https://app.example", "http://localhost:5173"]);
const asking = (origin: string | undefined, host = "gateway.example:4000") =>
  ({ headers: { ...(origin === undefined ? {} : { origin }), host } }) as IncomingMessage;

describe("a page may use the gateway", () => {
  it.each([
    ["of a named origin", "https://app.example"],
    ["of another one", "http://localhost:5173"],
    ["of the gateway's own", "http://gateway.example:4000"],
    ["of its own behind a proxy that speaks TLS", "https://gateway.example:4000"],
    ["of none, which is no page", undefined],
  ])("%s", (_, origin) => {
    expect(allows(asking(origin))).toBe(true);
  });
});

describe("no other page may", () => {
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
    "http://gateway.example:40000",
    "http://gateway.example:4000.evil.example",
    "ws://gateway.example:4000",
    "file://gateway.example:4000",
    "chrome-extension://gateway.example:4000",
    "gateway.example:4000",
  ])("%j", (origin) => {
    expect(allows(asking(origin))).toBe(false);
  });

  it("also where nobody is named", () => {
    expect(createOriginPolicy([]).allows(asking("https://app.example"))).toBe(false);
  });
});

describe("a browser is told what it may do", () => {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(request.method === "OPTIONS" ? 204 : 200, headFor(request)).end("asked");
  };

  it("and another page is told nothing", async () => {
    await using server = await serve(answer);
    const preflight = (origin: string) => fetch(server.url, { method: "OPTIONS", headers: { origin } });
    const [granted, refused] = [await preflight("https://app.example"), await preflight("https://evil.example")];
    expect([granted.status, refused.status]).toEqual([204, 204]);
    expect(granted.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(granted.headers.get("access-control-allow-headers")).toContain("x-switchboard-preflight");
    const told = [...refused.headers.keys()].filter((name) => name.startsWith("access-control"));
    expect(told).toEqual([]);
    for (const { headers } of [granted, refused]) {
      expect(headers.get("vary")).toBe("origin");
      expect(headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  it("and a request goes on, with or without the grant", async () => {
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
