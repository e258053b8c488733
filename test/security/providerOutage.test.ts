// A gateway whose identity provider is down.
import { generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Directory, type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startIdentityProvider } from "../support/identityProvider.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { openSocket } from "../support/streams.ts";

const QUERY = "{ viewer { name } }";

let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let directory: Directory;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startIdentityProvider();
  provider.set("fails");
  directory = await temporaryDirectory();
  const file = await writeKeys(directory.path, { web: ["calls:read"] });
  gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: file, ...provider.env });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

async function codeOf(authorization: string): Promise<number> {
  const client = openSocket(gateway.url, authorization);
  const closed = Promise.withResolvers<number>();
  client.on("closed", (event) => closed.resolve((event as { code: number }).code));
  await client
    .iterate({ query: QUERY })
    .next()
    .catch(() => undefined);
  return closed.promise;
}

describe("A78: a token that cannot be checked because its provider is down", () => {
  it("gets 503 with Retry-After over POST, GET and server-sent events, and 1013 over WebSocket", async () => {
    const authorization = `Bearer ${await provider.token()}`;
    const post = (accept: string) =>
      fetch(`${gateway.url}/graphql`, {
        method: "POST",
        headers: { authorization, accept, "content-type": "application/json" },
        body: JSON.stringify({ query: QUERY }),
      });
    const get = fetch(`${gateway.url}/graphql?query=${encodeURIComponent(QUERY)}`, { headers: { authorization } });
    for (const response of [await post("application/json"), await post("text/event-stream"), await get]) {
      expect([response.status, Number(response.headers.get("retry-after")) > 0]).toEqual([503, true]);
      const { errors } = (await response.json()) as { errors: { extensions: object }[] };
      const extensions = {
        code: "UPSTREAM_UNAVAILABLE",
        retryable: true,
        requestId: expect.any(String) as string,
      };
      expect(errors.map((error) => error.extensions)).toEqual([extensions]);
    }
    expect(await codeOf(authorization)).toBe(1013);
  });

  it("does not affect API keys", async () => {
    expect((await gateway.ask(QUERY, {}, { authorization: bearer("web") })).status).toBe(200);
  });

  it("causes one request to the provider in ten seconds and one log line in a minute, also for forged tokens", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const begin = performance.now();
    const before = provider.fetched();
    const ask = async () => {
      const token = await provider.token({}, privateKey, crypto.randomUUID());
      return (await gateway.ask(QUERY, {}, { authorization: `Bearer ${token}` })).status;
    };
    for (let at = 0; at < 20; at += 1)
      expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([503]));
    const passed = performance.now() - begin;
    expect(provider.fetched() - before).toBeLessThanOrEqual(1 + Math.floor(passed / 10_000));
    const warnings = gateway.output.filter((line) =>
      line.includes("keys of the identity provider cannot be fetched or used"),
    ).length;
    expect(warnings).toBeGreaterThan(0);
    expect(warnings).toBeLessThanOrEqual(1 + Math.ceil(passed / 60_000));
    expect(gateway.output.join("\n")).not.toMatch(/"stack"|eyJ/);
  });
});
