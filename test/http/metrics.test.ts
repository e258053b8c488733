import { beforeAll, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { startBoth } from "../support/startBoth.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";

const { gateway } = await startBoth({ METRICS_PORT: "0", WEBHOOK_AUTHORIZATION_PREVIOUS: "the value before" });
let url: string;
beforeAll(async () => {
  const { port } = await gateway.line(({ msg }) => msg === "metrics are served");
  url = `http://127.0.0.1:${String(port)}`;
});

async function metrics(): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}
const value = async (name: string) => (await metrics()).get(name) ?? 0;

describe("A26: metrics are on a port of their own", () => {
  it("and not where clients are", async () => {
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${url}/graphql`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`)).headers.get("content-type")).toMatch(/^text\/plain/);
  });
});

describe("operations are counted", () => {
  it("by transport, kind and outcome", async () => {
    await gateway.ask("{ viewer { name } }");
    await gateway.ask("{ viewer { nothing } }");
    await using sse = await openSse(gateway.url, { query: "subscription { callEnded { sessionId } }" });
    await using socket = subscribe(openSocket(gateway.url), "{ viewer { name } }");
    await socket.next();
    const told = await metrics();
    const of = (transport: string, kind: string, code: string) =>
      told.get(`switchboard_operations_total{transport="${transport}",kind="${kind}",code="${code}"}`);
    expect(of("http", "query", "OK")).toBe(1);
    expect(of("http", "refused", "GRAPHQL_VALIDATION_FAILED")).toBe(1);
    expect(of("sse", "subscription", "OK")).toBe(1);
    expect(of("websocket", "query", "OK")).toBe(1);
    expect([
      told.get("switchboard_sockets"),
      told.get("switchboard_subscriptions"),
      told.get("switchboard_groups"),
    ]).toEqual([1, 1, 1]);
    expect(sse.response.status).toBe(200);
  });
});

describe("A40: a rotation of the webhook's value is seen in its metric", () => {
  it("which tells when the old one is not used any more", async () => {
    const send = (authorization: string) => gateway.deliver(callEndedEvent(), { authorization });
    const seen = async () =>
      Promise.all(["current", "previous", "none"].map((secret) => value(`webhook_auth_total{secret="${secret}"}`)));
    expect(await seen()).toEqual([0, 0, 0]);
    expect((await send("the value before")).status).toBe(200);
    expect((await send("the value before")).status).toBe(200);
    expect((await send("another")).status).toBe(401);
    expect((await send(WEBHOOK_AUTHORIZATION)).status).toBe(200);
    expect(await seen()).toEqual([1, 2, 1]);
  });

  it("and what became of deliveries in another", async () => {
    const event = callEndedEvent();
    await gateway.deliver(event);
    await gateway.deliver(event);
    await gateway.deliver("not json");
    await gateway.deliver("x".repeat(256 * 1024 + 1)).catch(() => undefined);
    expect(await value(`switchboard_webhooks_total{outcome="known"}`)).toBe(1);
    expect(await value(`switchboard_webhooks_total{outcome="quarantined"}`)).toBe(1);
    expect(await value(`switchboard_webhooks_total{outcome="too_large"}`)).toBe(1);
    expect(await value("switchboard_log_head")).toBe(4);
    expect(await value("switchboard_quarantined")).toBe(1);
  });
});

describe("the service is seen from here", () => {
  it("with what it was asked, shared and spared", async () => {
    const before = await value("switchboard_upstream_requests");
    const query = `{ callLogs(first: 1) { totalCount } }`;
    await Promise.all([gateway.ask(query), gateway.ask(query)]);
    expect(await value("switchboard_upstream_requests")).toBeGreaterThan(before);
    expect(await value(`switchboard_upstream_state{state="HEALTHY"}`)).toBe(1);
    expect(await value("switchboard_upstream_queued")).toBe(0);
    expect(await value("nodejs_eventloop_lag_max_seconds")).toBeGreaterThanOrEqual(0);
  });
});
