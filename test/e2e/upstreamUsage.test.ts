import { describe, expect, it } from "vitest";
import { MAIN, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { startSandbox } from "../support/sandbox.ts";
import { openSse } from "../support/streams.ts";

interface Told {
  data?: unknown;
  extensions?: { upstream: { requests: number; shared: number; cached: number; milliseconds: number } };
}

async function ask(url: string, query: string): Promise<Told> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  return (await response.json()) as Told;
}

const LIST = "{ callLogs(first: 20) { nodes { sessionId } } }";

describe("extensions.upstream", () => {
  it("counts sent, shared and cached requests with the sandbox", async () => {
    await using directory = await temporaryDirectory();
    const env = { PORT: "0", SANDBOX_PORT: "0", UPSTREAM_CACHE_MS: "60000", RECONCILE_INTERVAL_S: "0" };
    await using program = startProgram([MAIN], env, directory.path);
    const { url } = (await program.line((line) => line["msg"] === "the gateway listens")) as { url: string };
    // Until then its webhooks end what is cached of their tasks.
    await program.line((line) => line["msg"] === "The sandbox has begun.");
    // A process finds out once where lists end.
    await ask(url, "{ callLogs(first: 5) { nodes { sessionId } } }");
    const together = await Promise.all([ask(url, LIST), ask(url, LIST), ask(url, LIST)]);
    const upstream = together.map(({ extensions }) => extensions?.upstream);
    const responsesOf = ({ requests = 0, shared = 0, cached = 0 } = {}) => requests + shared + cached;
    // The sandbox's calls depend on the hour, so a list may need several pages.
    const needed = responsesOf(upstream[0]);
    expect(needed).toBeGreaterThan(0);
    expect(upstream.reduce((sum, usage) => sum + (usage?.requests ?? 0), 0)).toBe(needed);
    for (const usage of upstream) {
      expect(usage).toEqual({
        requests: expect.any(Number),
        shared: expect.any(Number),
        cached: expect.any(Number),
        milliseconds: expect.any(Number),
      });
      expect(responsesOf(usage)).toBe(needed);
    }
    expect((await ask(url, "{ __typename }")).extensions?.upstream).toEqual({
      requests: 0,
      shared: 0,
      cached: 0,
      milliseconds: 0,
    });
    await using stream = await openSse<unknown>(url, { query: "subscription { callEndedStream { cursor } }" });
    expect(await stream.next()).toHaveProperty("extensions.upstream.requests", 0);
  });

  it("is absent with a real service, whose load is not public", async () => {
    await using sandbox = await startSandbox();
    await using gateway = await startGateway(sandbox);
    expect(await ask(gateway.url, LIST)).not.toHaveProperty("extensions");
  });
});
