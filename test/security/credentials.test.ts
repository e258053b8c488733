import { createClient, type ClientOptions } from "graphql-ws";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { exchange } from "../server/serve.ts";
import { callEndedEvent } from "../support/events.ts";
import { type Directory, type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startIdentityProvider } from "../support/identityProvider.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { openSocket, openSse, subscribe, type StreamResult } from "../support/streams.ts";
import { until } from "../support/until.ts";

const QUERY = "subscription { callEnded { sessionId callee } }";
const READER = ["calls:read"];

let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let directory: Directory;
let gateway: TestGateway;
const setKeys = (keys: Record<string, readonly string[]>) => writeKeys(directory.path, { ops: ["admin"], ...keys });
beforeAll(async () => {
  provider = await startIdentityProvider();
  directory = await temporaryDirectory();
  const file = await setKeys({});
  gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: file, ...provider.env });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const isLetIn = async (authorization: string) =>
  (await gateway.ask("{ viewer { name } }", {}, { authorization })).status === 200;
const running = async () => {
  const result = await gateway.ask<{ gateway: { subscribers: number } }>(
    "{ gateway { subscribers } }",
    {},
    { authorization: bearer("ops") },
  );
  return result.data?.gateway.subscribers;
};
// The subscriptions of the test before end a moment after their clients.
beforeEach(() => until(async () => (await running()) === 0));

/** The close code of a socket with a subscription. */
async function endOf(authorization: string): Promise<number> {
  const client = openSocket(gateway.url, authorization);
  const closed = Promise.withResolvers<number>();
  client.on("closed", (event) => closed.resolve((event as { code: number }).code));
  const stream = client.iterate({ query: QUERY });
  await stream.next().catch(() => undefined);
  return closed.promise;
}

describe("one viewer by key or token, over HTTP, server-sent events and WebSocket", () => {
  it("has the name and the scopes of its key or token", async () => {
    const authorization = `Bearer ${await provider.token({ scope: "calls:read people:read" })}`;
    const query = "{ viewer { name scopes } }";
    const viewer = { name: "alice", scopes: ["calls:read", "people:read"] };
    expect((await gateway.ask(query, {}, { authorization })).data).toEqual({ viewer });
    await using sse = await openSse(gateway.url, { query }, { authorization });
    expect((await sse.next()).data).toEqual({ viewer });
    await using socket = subscribe(openSocket(gateway.url, authorization), query);
    expect((await socket.next()).data).toEqual({ viewer });
  });

  it("is not authenticated by an invalid token", async () => {
    const authorization = `Bearer ${await provider.token({ aud: "other" })}`;
    expect((await gateway.ask("{ viewer { name } }", {}, { authorization })).status).toBe(401);
    expect(await endOf(authorization)).toBe(4403);
  });
});

it("credentials that are sent twice are refused, because a proxy may have checked the other ones", async () => {
  const { port } = new URL(gateway.url);
  const ask = (...lines: string[]) => {
    const body = '{"query":"{ viewer { name } }"}';
    const head = ["POST /graphql HTTP/1.1", "host: gateway", "connection: close", "content-type: application/json"];
    return exchange(Number(port), [...head, ...lines, `content-length: ${body.length}`, "", body].join("\r\n"));
  };
  const good = `authorization: ${bearer("ops")}`;
  expect(await ask(good)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask(good, "Authorization: Bearer wrong")).toMatch(/^HTTP\/1\.1 401 /);
  expect(await ask(good, good)).toMatch(/^HTTP\/1\.1 401 /);
});

describe("A33: a stream whose credentials end", () => {
  it("ends with its token: a socket with 4403, server-sent events with an error", async () => {
    const { opened, exp } = await provider.openUntil(async (authorization) => {
      const sse = await openSse(gateway.url, { query: QUERY }, { authorization });
      return sse.response.status === 200 ? { sse, code: endOf(authorization) } : null;
    });
    await using sse = opened.sse;
    const last = sse.next();
    expect(await opened.code).toBe(4403);
    expect((await last).errors?.[0]?.extensions).toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(sse.next()).rejects.toThrow("the stream ended");
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(exp);
    await until(async () => (await running()) === 0);
  });

  it("ends when its key is removed from the file", async () => {
    await setKeys({ web: READER, other: READER });
    await until(() => isLetIn(bearer("web")));
    await using sse = await openSse(gateway.url, { query: QUERY }, { authorization: bearer("web") });
    await using stays = await openSse(gateway.url, { query: QUERY }, { authorization: bearer("other") });
    const last = sse.next();
    const closed = endOf(bearer("web"));
    await until(async () => (await running()) === 3);
    await setKeys({ other: READER });
    expect(await closed).toBe(4401);
    expect((await last).errors?.[0]?.extensions).toMatchObject({ code: "UNAUTHENTICATED" });
    await until(async () => (await running()) === 1);
    await gateway.deliver(callEndedEvent({ session_id: "after-removal", task_id: 0 }));
    expect((await stays.next()).data).toMatchObject({ callEnded: { sessionId: "after-removal" } });
  });
});

describe("A34: a subscription whose viewer loses a scope", () => {
  it("ends with FORBIDDEN if it needs the scope, while its socket and other subscriptions go on", async () => {
    await setKeys({ web: [...READER, "people:read"] });
    await until(() => isLetIn(bearer("web")));
    const client = openSocket(gateway.url, bearer("web"));
    const follow = (field: string) => `subscription { callEnded { sessionId ${field} } }`;
    const extra = client.iterate<{ callEnded: object }>({ query: follow("extra") });
    const shown = client.iterate<{ callEnded: object }>({ query: follow("callee") });
    const first = [extra.next(), shown.next()];
    await until(async () => (await running()) === 2);
    await gateway.deliver(callEndedEvent({ session_id: "before", task_id: 0 }));
    expect((await Promise.all(first)).map(({ value }) => value as object)).toMatchObject([
      { data: { callEnded: { sessionId: "before" } } },
      { data: { callEnded: { sessionId: "before", callee: "+8613800010001" } } },
    ]);

    const last = extra.next();
    await setKeys({ web: READER });
    expect((await last).value).toMatchObject({ errors: [{ extensions: { code: "FORBIDDEN" } }] });
    expect((await extra.next()).done).toBe(true);
    await gateway.deliver(callEndedEvent({ session_id: "behind", task_id: 0 }));
    expect((await shown.next()).value).toMatchObject({
      data: { callEnded: { sessionId: "behind", callee: "+8613****0001" } },
    });
    await client.dispose();
  });
});

describe("A79: a published client that retries for ever", () => {
  /** Counts its connections. */
  function open(connectionParams: NonNullable<ClientOptions["connectionParams"]>, own: Partial<ClientOptions> = {}) {
    let connections = 0;
    const codes: number[] = [];
    const client = createClient({
      url: `${gateway.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams,
      retryAttempts: Infinity,
      shouldRetry: () => true,
      retryWait: () => new Promise((resolve) => setTimeout(resolve, 20)),
      on: {
        connecting: () => (connections += 1),
        closed: (event) => codes.push((event as { code: number }).code),
      },
      ...own,
    });
    onTestFinished(() => void client.dispose());
    const results: StreamResult<{ callEnded: { sessionId: string } }>[] = [];
    const ended = new Promise<unknown>((resolve) => {
      const sink = { next: (each: object) => results.push(each), error: resolve, complete: () => resolve("complete") };
      client.subscribe({ query: QUERY }, sink);
    });
    return { ended, results, codes, connections: () => connections };
  }

  it("gets UNAUTHENTICATED when its key is revoked, and does not reconnect", async () => {
    await setKeys({ web: READER });
    await until(() => isLetIn(bearer("web")));
    const failed = Promise.withResolvers<unknown>();
    const lazy = open({ authorization: bearer("web") });
    const eager = open({ authorization: bearer("web") }, { lazy: false, onNonLazyError: failed.resolve });
    await until(async () => (await running()) === 2);
    await setKeys({});
    for (const { ended } of [lazy, eager])
      expect(await ended).toMatchObject([{ extensions: { code: "UNAUTHENTICATED" } }]);
    expect(await failed.promise).toMatchObject({ code: 4401 });
    await until(() => lazy.codes.length > 0);
    expect([lazy, eager].map(({ codes, connections }) => [codes, connections()])).toEqual([
      [[4401], 1],
      [[4401], 1],
    ]);
  });

  it("stops after six attempts with wrong credentials", async () => {
    const { ended, codes } = open({ authorization: "Bearer never-known" });
    expect(await ended).toMatchObject({ code: 4401 });
    expect(codes).toEqual([4403, 4403, 4403, 4403, 4403, 4401]);
  });

  it("continues with a new token after the first one has expired", async () => {
    const seconds = (from: number) => Math.floor(Date.now() / 1000) + from;
    const tokens = [await provider.token({ exp: seconds(1) }), await provider.token({ exp: seconds(60) })];
    const { results, codes, connections } = open(async () => ({ authorization: `Bearer ${tokens.shift() ?? ""}` }));
    await until(() => connections() === 2);
    await until(async () => (await running()) === 1);
    await gateway.deliver(callEndedEvent({ session_id: "behind-its-token", task_id: 0 }));
    await until(() => results.length > 0);
    expect(results).toEqual([{ data: { callEnded: { sessionId: "behind-its-token", callee: expect.any(String) } } }]);
    expect(codes).toEqual([4403]);
  });
});
