// The cookie of a browser's session: how it is opened and ended, and that no page of another site can use it.
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";

const APP = "https://app.example";
const NOWHERE = { url: "http://127.0.0.1:9" };
type Sent = Record<string, string>;

let directory: Directory;
let gateway: TestGateway;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const keys = await writeKeys(directory.path, { web: ["calls:read"], leaving: ["calls:read"] });
  gateway = await startGateway(NOWHERE, { API_KEYS_FILE: keys, CORS_ORIGINS: APP, TRUST_PROXY: "1" });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const session = (method: string, headers: Sent, { url } = gateway) => fetch(`${url}/session`, { method, headers });
const OWN = { "sec-fetch-site": "same-origin" };
const TLS = { "x-forwarded-proto": "https" };
/** The cookie as a browser sends it back. */
async function opened(name = "web", at = gateway): Promise<string> {
  const response = await session("POST", { ...OWN, authorization: bearer(name) }, at);
  return response.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}
const QUERY = encodeURIComponent("{ viewer { name } }");
const get = (headers: Sent, { url } = gateway) => fetch(`${url}/graphql?query=${QUERY}`, { headers });
const post = (headers: Sent) =>
  fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: '{"query":"{ viewer { name } }"}',
  });
const nameOf = async (response: Response) =>
  ((await response.json()) as { data?: { viewer: { name: string } } }).data?.viewer.name;

describe("POST /session", () => {
  it("sets a cookie that scripts cannot read, that other sites do not send, and that holds no key", async () => {
    const response = await session("POST", { ...OWN, authorization: bearer("web") });
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^switchboard_session=[\w-]+; Path=\/graphql; HttpOnly; Max-Age=4\d{4}; SameSite=Strict$/);
    expect(Buffer.from(cookie, "base64url").toString("latin1") + cookie).not.toContain(keyOf("web"));
    const { expiresAt } = (await response.json()) as { expiresAt: string };
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 11 * 3_600_000);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("sets a cookie for TLS alone behind a proxy that ends TLS", async () => {
    const response = await session("POST", { ...OWN, ...TLS, authorization: bearer("web") });
    expect(response.headers.get("set-cookie")).toMatch(
      /^__Host-switchboard_session=[\w-]+; Path=\/; HttpOnly; Max-Age=4\d{4}; SameSite=Strict; Secure$/,
    );
  });

  it("sets a partitioned cookie for an allowed page of another site", async () => {
    const sent = { origin: APP, "sec-fetch-site": "cross-site", authorization: bearer("web") };
    const response = await session("POST", { ...sent, ...TLS });
    expect(response.headers.get("set-cookie")).toMatch(/^__Host-.*; Path=\/; .*; SameSite=None; Secure; Partitioned$/);
    expect(response.headers.get("access-control-allow-origin")).toBe(APP);
    expect(response.headers.get("access-control-allow-credentials")).toBe("true");
  });

  it.each<[string, Sent, number]>([
    ["without a key", OWN, 401],
    ["with a wrong key", { ...OWN, authorization: "Bearer wrong" }, 401],
    ["with a key, from another origin", { origin: "https://evil.example", authorization: bearer("web") }, 403],
    ["from a sandboxed frame", { origin: "null", authorization: bearer("web") }, 403],
  ])("sets no cookie %s", async (_, headers, status) => {
    const response = await session("POST", headers);
    expect([response.status, response.headers.get("set-cookie")]).toEqual([status, null]);
  });

  it("opens no session with a session", async () => {
    const cookie = await opened();
    const text = cookie.split("=")[1] ?? "";
    for (const headers of [
      { ...OWN, cookie },
      { ...OWN, authorization: `Session ${text}` },
    ])
      expect((await session("POST", headers)).status).toBe(401);
  });

  it("refuses other methods", async () => {
    const response = await session("GET", OWN);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, DELETE"]);
  });
});

describe("DELETE /session", () => {
  it("removes the cookie, and not for another origin", async () => {
    const response = await session("DELETE", OWN);
    expect([response.status, response.headers.get("set-cookie")]).toEqual([
      200,
      "switchboard_session=; Path=/graphql; HttpOnly; Max-Age=0; SameSite=Strict",
    ]);
    const foreign = await session("DELETE", { origin: "https://evil.example" });
    expect([foreign.status, foreign.headers.get("set-cookie")]).toEqual([403, null]);
  });
});

describe("A session cookie", () => {
  it.each<[string, Sent]>([
    ["the own page", OWN],
    ["the address bar", { "sec-fetch-site": "none" }],
    ["an allowed origin", { origin: APP, "sec-fetch-site": "cross-site" }],
    ["a client with the header of the gateway", { "x-switchboard-preflight": "1" }],
  ])("counts as credentials of %s", async (_, headers) => {
    const cookie = `theme=dark; ${await opened()}`;
    expect(await nameOf(await get({ ...headers, cookie }))).toBe("web");
    expect(await nameOf(await post({ ...headers, cookie }))).toBe("web");
  });

  it.each<[string, Sent]>([
    ["another origin", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["another origin that says it is the own page", { origin: "https://evil.example", ...OWN }],
    ["an image or a form of another site", { "sec-fetch-site": "cross-site" }],
    ["a neighbouring subdomain", { "sec-fetch-site": "same-site" }],
    ["an old browser", {}],
    ["a sandboxed frame", { origin: "null" }],
  ])("is refused with 403 from %s, by GET and by POST", async (_, headers) => {
    const cookie = await opened();
    for (const response of [await get({ ...headers, cookie }), await post({ ...headers, cookie })])
      expect(response.status).toBe(403);
  });

  it("is ignored beside an Authorization header", async () => {
    const cookie = await opened("leaving");
    expect(await nameOf(await post({ ...OWN, cookie, authorization: bearer("web") }))).toBe("web");
    expect((await post({ ...OWN, cookie, authorization: "Bearer wrong" })).status).toBe(401);
  });

  it("is none if it comes twice, is empty, or was changed", async () => {
    const cookie = await opened();
    for (const sent of [`${cookie}; ${cookie}`, "switchboard_session=", `${cookie}x`, cookie.replace("_session=", "=")])
      expect((await get({ ...OWN, cookie: sent })).status).toBe(401);
  });

  it("is with TLS one that a neighbouring subdomain cannot set, replace or double", async () => {
    // A page of the subdomain may set any name for the whole domain, apart from names that begin with __Host-.
    const planted = await opened("leaving");
    expect((await get({ ...OWN, ...TLS, cookie: planted })).status).toBe(401);
    const response = await session("POST", { ...OWN, ...TLS, authorization: bearer("web") });
    const cookie = response.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    for (const sent of [cookie, `${planted}; ${cookie}`, `${cookie}; ${planted}`])
      expect(await nameOf(await get({ ...OWN, ...TLS, cookie: sent }))).toBe("web");
    const removed = await session("DELETE", { ...OWN, ...TLS });
    expect(removed.headers.get("set-cookie")).toBe(
      "__Host-switchboard_session=; Path=/; HttpOnly; Max-Age=0; SameSite=Strict; Secure",
    );
  });

  it("is accepted by a gateway that is started anew on the same database, and after its key is removed by none", async () => {
    await using own = await temporaryDirectory();
    const env = { API_KEYS_FILE: await writeKeys(own.path, { web: [], other: [] }), DATABASE_URL: own.database };
    const first = await startGateway(NOWHERE, env);
    const cookie = await opened("web", first);
    await first[Symbol.asyncDispose]();
    await using second = await startGateway(NOWHERE, env);
    expect(await nameOf(await get({ ...OWN, cookie }, second))).toBe("web");
    await writeFile(env.API_KEYS_FILE, await keysWithout(env.API_KEYS_FILE));
    await until(async () => (await get({ ...OWN, cookie }, second)).status === 401);
  });

  it("counts for the limit of failed attempts, as a header does", async () => {
    await using own = await temporaryDirectory();
    const keys = await writeKeys(own.path, { web: [] });
    await using strict = await startGateway(NOWHERE, { API_KEYS_FILE: keys, RATE_LIMIT: "3" });
    const statuses = [];
    for (let at = 0; at < 6; at += 1)
      statuses.push((await get({ ...OWN, cookie: "switchboard_session=wrong" }, strict)).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
  });
});

describe("A WebSocket with a session cookie", () => {
  /** Resolves with the type of the first message, or the close code. */
  async function init(headers: Sent, payload: object = {}): Promise<string | number> {
    const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", { headers });
    try {
      await once(socket, "open");
      socket.send(JSON.stringify({ type: "connection_init", payload }));
      return await Promise.race([
        once(socket, "message").then(([data]) => (JSON.parse(String(data)) as { type: string }).type),
        once(socket, "close").then(([code]) => code as number),
      ]);
    } finally {
      socket.terminate();
    }
  }

  it("is accepted from an allowed origin, where connection_init has no credentials of its own", async () => {
    const cookie = await opened();
    expect(await init({ origin: APP, cookie })).toBe("connection_ack");
    expect(await init({ origin: APP, cookie }, { authorization: "Bearer wrong" })).toBe(4403);
    expect(await init({ origin: APP, cookie }, { authorization: bearer("web"), Authorization: bearer("web") })).toBe(
      4403,
    );
    for (const authorization of [5, { token: "wrong" }, [bearer("web")]])
      expect(await init({ origin: APP, cookie }, { authorization })).toBe(4403);
  });

  it("is not accepted without an origin, and not upgraded for another one", async () => {
    const cookie = await opened();
    expect(await init({ cookie })).toBe(4403);
    await expect(init({ cookie, origin: "https://evil.example" })).rejects.toThrow("403");
  });
});

describe("A gateway without authentication", () => {
  it("answers that no session is needed", async () => {
    await using open = await startGateway(NOWHERE);
    const response = await session("POST", OWN, open);
    expect([response.status, await response.json(), response.headers.get("set-cookie")]).toEqual([
      200,
      { expiresAt: null },
      null,
    ]);
  });
});

/** The file without its first key. */
async function keysWithout(file: string): Promise<string> {
  return JSON.stringify((JSON.parse(await readFile(file, "utf8")) as unknown[]).slice(1));
}
