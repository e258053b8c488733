// What a page in the browser of whoever runs the sandbox could do to it. Browsers send Origin with what a page of another
// site asks, but for plain GETs; and Host is the name that the page was loaded from, wherever that name points by then.
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { exchange } from "../server/serve.ts";
import { openSandbox, TOKEN } from "./support.ts";

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function ask(base: string, path: string, { method = "GET", headers = {}, body = "" }: Asked) {
  const asking = request(base + path, { method, headers: { authorization: `Bearer ${TOKEN}`, ...headers } }).end(body);
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  return { status: answer.statusCode, text: await text(answer), headers: answer.headers };
}

const paths = ["/", "/openapi/calllog", "/sandbox", "/sandbox/requests", "/recordings/x.wav"];

describe("A77: a page whose host name points at the sandbox", () => {
  it.each(["evil.example", "evil.example:4010", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", "a b"])(
    "is refused by its Host (%s) on every path, with the right token too",
    async (host) => {
      await using service = await openSandbox();
      for (const path of paths) {
        const { status, text: body } = await ask(service.sandbox.url, path, { headers: { host } });
        expect([path, status, body]).toEqual([
          path,
          400,
          '{"code":40000,"msg":"the Host header must name this sandbox: localhost, 127.0.0.1 or [::1]"}',
        ]);
      }
      expect(service.sandbox.control.requests()).toEqual([]);
    },
  );

  it("is refused even if a second Host header is right", async () => {
    await using service = await openSandbox();
    const port = Number(new URL(service.sandbox.url).port);
    const heads = ["GET / HTTP/1.1", "host: 127.0.0.1", "host: evil.example", "connection: close"];
    expect(await exchange(port, `${heads.join("\r\n")}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("is not mistaken for a loopback name", async () => {
    await using service = await openSandbox();
    for (const host of ["localhost", "localhost:4010", "LOCALHOST", "127.0.0.1:4010", "127.0.0.2", "[::1]:4010"])
      expect([host, (await ask(service.sandbox.url, "/sandbox", { headers: { host } })).status]).toEqual([host, 200]);
  });
});

describe("A77: a request of a page with an Origin", () => {
  const methods = [
    ["GET", "/sandbox", ""],
    ["PUT", "/sandbox/webhook", '{"url":"http://evil.example/","authorization":"x"}'],
    ["POST", "/sandbox/calls", "{}"],
    ["OPTIONS", "/sandbox/calls", ""],
    ["GET", "/openapi/calllog", ""],
  ] as const;

  it.each(["https://evil.example", "null", "http://127.0.0.1:4000", "own"])(
    "is refused by its Origin (%s), its own too, for no page belongs to it",
    async (given) => {
      await using service = await openSandbox();
      const { sandbox } = service;
      const origin = given === "own" ? sandbox.url : given;
      for (const [method, path, body] of methods) {
        const answer = await ask(sandbox.url, path, { method, body, headers: { origin } });
        expect([path, answer.status]).toEqual([path, 403]);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      }
      expect([sandbox.control.requests(), sandbox.control.state().webhookUrl]).toEqual([[], null]);
      expect(sandbox.control.state().calls).toBe(0);
    },
  );
});

describe("A77: an image or a frame of a page, without an Origin", () => {
  it("is refused at the API and not recorded, but may show recordings and the front page", async () => {
    await using service = await openSandbox();
    const { sandbox } = service;
    const { sessionId } = sandbox.control.endCall({ answered: true });
    const [row] = (await service.list()).items;
    expect(row?.["sessionId"]).toBe(sessionId);
    sandbox.control.clearRequests();
    for (const site of ["cross-site", "same-site", "same-origin"]) {
      const statusOf = async (path: string) =>
        (await ask(sandbox.url, path, { headers: { "sec-fetch-site": site } })).status;
      const found = [];
      for (const path of ["/openapi/calllog", "/sandbox", "/sandbox/requests", "/", String(row?.["recordFile"])])
        found.push(await statusOf(path));
      expect([site, found]).toEqual([site, [403, 403, 403, 200, 200]]);
    }
    expect(sandbox.control.requests()).toEqual([]);
    expect((await ask(sandbox.url, "/sandbox", { headers: { "sec-fetch-site": "none" } })).status).toBe(200);
  });
});

describe("a request without the token", () => {
  it("leaves nothing of its body in memory", async () => {
    await using service = await openSandbox();
    const headers = { authorization: "Bearer other", "content-type": "application/json" };
    const body = JSON.stringify({ name: "canary" });
    expect((await ask(service.sandbox.url, "/openapi/tasks", { method: "POST", headers, body })).status).toBe(401);
    expect(service.sandbox.control.requests()).toMatchObject([{ path: "/openapi/tasks", status: 401, body: null }]);
  });
});

describe("the journal of requests", () => {
  it("is limited in size, even if the requests are long addresses", async () => {
    await using service = await openSandbox();
    const query = "x".repeat(15_000);
    const asking = Array.from({ length: 50 }, async () => {
      for (let count = 0; count < 60; count += 1) await service.call(`/openapi/calllog?${query}`);
    });
    await Promise.all(asking);
    const kept = service.sandbox.control.requests().length;
    expect(kept).toBeGreaterThan(1000);
    expect(kept).toBeLessThan(2500);
  });
});
