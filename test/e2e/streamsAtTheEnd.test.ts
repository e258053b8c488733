import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../server/serve.ts";
import { spawnGateway, type GatewayProgram } from "../support/gateway.ts";
import { openSocket, subscribe, type Stream } from "../support/streams.ts";
import { until } from "../support/until.ts";

const QUERY = "subscription { callEnded { cursor } }";

describe("A gateway that stops, while a socket waits for an answer,", () => {
  const parts = new AsyncDisposableStack();
  let gateway: GatewayProgram;
  beforeAll(async () => {
    let isAsked = false;
    // A service that never answers keeps the query running, and the gateway from stopping at once.
    const service = parts.use(await serve(() => void (isAsked = true)));
    gateway = parts.use(await spawnGateway(service, { DRAIN_SECONDS: "30", UPSTREAM_TIMEOUT_MS: "30000" }));
    const waiting: Stream<unknown> = subscribe(openSocket(gateway.url), "{ callLogs { totalCount } }");
    waiting.next().catch(() => undefined);
    await until(() => isAsked);
    gateway.process.kill("SIGTERM");
    await until(async () => (await fetch(`${gateway.url}/readyz`)).status === 503);
  });
  afterAll(() => parts.disposeAsync());

  it("breaks the connection of an EventSource, which would never come back after a 503", async () => {
    const headers = { accept: "text/event-stream", "sec-fetch-site": "same-origin" };
    const opened = fetch(`${gateway.url}/graphql?query=${encodeURIComponent(QUERY)}`, { headers });
    expect(await opened.catch((error: Error) => error.message)).toBe("fetch failed");
  });

  it("tells other clients of server-sent events when to try again", async () => {
    const { status, headers } = await fetch(`${gateway.url}/graphql`, {
      method: "POST",
      headers: { accept: "text/event-stream", "content-type": "application/json" },
      body: JSON.stringify({ query: QUERY }),
    });
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
  });
});
