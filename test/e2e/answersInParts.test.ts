// @defer and @stream over each transport, with real sockets and stock clients.
import { createServer } from "node:http";
import { ApolloClient, HttpLink, InMemoryCache } from "@apollo/client";
import { GraphQL17Alpha9Handler } from "@apollo/client/incremental";
import { Client, fetchExchange } from "@urql/core";
import { parse } from "graphql";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { mergeParts, type Part } from "../graphql/executor/mergeParts.ts";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { startFakeService } from "../support/fakeService.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { openSocket } from "../support/streams.ts";

/** The default is today, which may have no calls. */
const SINCE = new Date(Date.now() - 5 * 24 * 3_600_000).toISOString();
const FIELDS = (directive: string, stream: string) =>
  `query Calls { callLogs(first: 4, filter: { since: "${SINCE}" }) { nodes ${stream} { sessionId ... ${directive} { task { taskId callLogs(first: 2) { nodes { sessionId } } } } } } }`;
const PARTS = FIELDS(`@defer(label: "calls")`, "@stream(initialCount: 1)");
const DEFERRED = FIELDS(`@defer(label: "calls")`, "");
const WHOLE = FIELDS("", "");

const post = (url: string, query: string, accept: string, signal: AbortSignal | null = null) =>
  fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify({ query }),
    signal,
  });

const eventsIn = (text: string): Part[] =>
  [...text.matchAll(/^event: next\ndata: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json) as Part);
const bodiesIn = (text: string): Part[] =>
  text
    .split(/\r\n---(?:--)?\r\n/)
    .filter((part) => part !== "")
    .map((part) => JSON.parse(part.split("\r\n\r\n")[1] ?? "") as Part);

describe.each(["on", "off"])("an answer in parts, with FAST_PATH=%s", (fastPath) => {
  let sandbox: Sandbox;
  let gateway: TestGateway;
  let whole: unknown;
  beforeAll(async () => {
    // Without traffic, so that the calls stay the same.
    sandbox = await emptySandbox({ history: { tasks: 3, calls: 40, days: 3 } });
    gateway = await startGateway(sandbox, {
      FAST_PATH: fastPath,
      RECONCILE_INTERVAL_S: "0",
      UPSTREAM_CACHE_MS: "60000",
    });
    const { data, errors } = await gateway.ask<{ callLogs: { nodes: unknown[] } }>(WHOLE);
    expect([errors, data?.callLogs.nodes.length]).toEqual([undefined, 4]);
    whole = data;
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  function expectParts(parts: readonly Part[]): void {
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0]?.pending?.length).toBeGreaterThan(0);
    const { data, errors, left } = mergeParts(parts);
    expect([data, errors, left]).toEqual([whole, undefined, 0]);
  }

  it("comes as server-sent events", async () => {
    const response = await post(gateway.url, PARTS, "text/event-stream");
    const text = await response.text();
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(text).toMatch(/event: complete\ndata:\n\n$/);
    expectParts(eventsIn(text));
  });

  it.each([
    "multipart/mixed",
    "multipart/mixed;incrementalSpec=v0.2,application/graphql-response+json,application/json;q=0.9",
  ])("comes as multipart/mixed for Accept: %s", async (accept) => {
    const response = await post(gateway.url, PARTS, accept);
    expect(response.headers.get("content-type")).toBe('multipart/mixed; boundary="-"');
    expect(response.headers.get("cache-control")).toBe("private, no-store, no-transform");
    expectParts(bodiesIn(await response.text()));
  });

  it("comes over WebSocket", async () => {
    const client = openSocket(gateway.url);
    onTestFinished(() => void client.dispose());
    const parts: Part[] = [];
    for await (const part of client.iterate({ query: PARTS })) parts.push(part as Part);
    expectParts(parts);
  });

  it.each([
    "application/json",
    "application/graphql-response+json, application/json",
    "multipart/mixed;deferSpec=20220824, application/json",
    "multipart/mixed;boundary=graphql;subscriptionSpec=1.0, application/json",
    "*/*",
  ])("comes in one piece for Accept: %s", async (accept) => {
    const response = await post(gateway.url, PARTS, accept);
    expect(response.headers.get("content-type")).toMatch(/^application\/(graphql-response\+)?json/);
    expect(await response.json()).toEqual({ data: whole });
  });

  it("comes in one piece for a mutation", async () => {
    const forget = `mutation { forgetPhone(number: "13800019999") { __typename ... @defer { events } } }`;
    const parts = eventsIn(await (await post(gateway.url, forget, "text/event-stream")).text());
    expect(parts).toEqual([{ data: { forgetPhone: { __typename: "ForgetPhonePayload", events: 0 } } }]);
  });

  it("is merged by Apollo Client", async () => {
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new HttpLink({ uri: `${gateway.url}/graphql` }),
      // Its types do not fit Apollo Client's own under strict settings.
      incrementalHandler: new GraphQL17Alpha9Handler() as never,
    });
    onTestFinished(() => client.stop());
    const { data, error } = await client.query({ query: parse(PARTS), fetchPolicy: "no-cache" });
    expect([withoutTypenames(data), error]).toEqual([whole, undefined]);
  });

  it("is merged by urql, for @defer", async () => {
    const client = new Client({ url: `${gateway.url}/graphql`, exchanges: [fetchExchange], preferGetMethod: false });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const { unsubscribe } = client.query(DEFERRED, {}).subscribe(({ data, error, hasNext }) => {
      if (!hasNext) resolve(error?.message ?? data);
    });
    expect(await promise).toEqual(whole);
    unsubscribe();
  });
});

describe("a client that leaves before the last part", () => {
  const QUERY = "{ viewer { name } ... @defer { callLogs(first: 1) { nodes { sessionId } } } }";
  /** Each reads the first part, waits for `asked`, and leaves. */
  const leavers: Record<string, (url: string, asked: Promise<unknown>) => Promise<unknown>> = {
    "text/event-stream": (url, asked) => leaveFetch(url, "text/event-stream", asked),
    "multipart/mixed": (url, asked) => leaveFetch(url, "multipart/mixed", asked),
    async WebSocket(url, asked) {
      const client = openSocket(url);
      onTestFinished(() => void client.dispose());
      const parts = client.iterate({ query: QUERY });
      const { value } = await parts.next();
      void parts.next();
      await asked;
      await parts.return?.();
      return value;
    },
  };
  async function leaveFetch(url: string, accept: string, asked: Promise<unknown>): Promise<unknown> {
    const abort = new AbortController();
    const response = await post(url, QUERY, accept, abort.signal);
    const decoder = new TextDecoder();
    let text = "";
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    while (!text.includes("pending")) text += decoder.decode((await reader.read()).value, { stream: true });
    await asked;
    abort.abort();
    return (accept === "multipart/mixed" ? bodiesIn(text) : eventsIn(text))[0];
  }

  it.each(Object.keys(leavers))("ends the request to the service that only it waits for, over %s", async (way) => {
    const asked = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<string>();
    // It never answers.
    const server = createServer((_, response) => {
      asked.resolve();
      response.once("close", () => ended.resolve("ended"));
    });
    await using service = await startFakeService(server);
    await using gateway = await startGateway(service, { RECONCILE_INTERVAL_S: "0", UPSTREAM_TIMEOUT_MS: "60000" });
    const first = await leavers[way]?.(gateway.url, asked.promise);
    expect(first).toMatchObject({ data: { viewer: { name: "anyone" } }, hasNext: true });
    expect(await ended.promise).toBe("ended");
  });
});

function withoutTypenames(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) => (key === "__typename" ? undefined : each)),
  ) as unknown;
}
