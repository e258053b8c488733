import { beforeAll, describe, expect, it } from "vitest";
import { textAt } from "../house/sources.ts";
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

const served = async () => (await fetch(`${url}/metrics`)).text();
async function metrics(): Promise<Map<string, number>> {
  const text = await served();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}
const value = async (name: string) => (await metrics()).get(name) ?? 0;

describe("A26: metrics", () => {
  it("are served on their own port and not on the public one", async () => {
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${url}/graphql`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`)).headers.get("content-type")).toMatch(/^text\/plain/);
  });
});

describe("the counter of operations", () => {
  it("counts by transport, kind and outcome", async () => {
    await gateway.ask("{ viewer { name } }");
    await gateway.ask("{ viewer { nothing } }");
    await using sse = await openSse(gateway.url, { query: "subscription { callEnded { sessionId } }" });
    await using socket = subscribe(openSocket(gateway.url), "{ viewer { name } }");
    await socket.next();
    const values = await metrics();
    const of = (transport: string, kind: string, code: string) =>
      values.get(`switchboard_operations_total{transport="${transport}",kind="${kind}",code="${code}"}`);
    expect(of("http", "query", "OK")).toBe(1);
    expect(of("http", "refused", "GRAPHQL_VALIDATION_FAILED")).toBe(1);
    expect(of("sse", "subscription", "OK")).toBe(1);
    expect(of("websocket", "query", "OK")).toBe(1);
    expect([
      values.get("switchboard_sockets"),
      values.get("switchboard_subscriptions"),
      values.get("switchboard_groups"),
    ]).toEqual([1, 1, 1]);
    expect(sse.response.status).toBe(200);
  });
});

describe("A40: the counters of webhooks", () => {
  it("show when the previous value of WEBHOOK_AUTHORIZATION is no longer used", async () => {
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

  it("show the outcomes of webhooks", async () => {
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

describe("the metrics of the service", () => {
  it("count requests, shared ones and the state", async () => {
    const before = await value("switchboard_upstream_requests_total");
    const query = `{ callLogs(first: 1) { totalCount } }`;
    await Promise.all([gateway.ask(query), gateway.ask(query)]);
    expect(await value("switchboard_upstream_requests_total")).toBeGreaterThan(before);
    expect(await value(`switchboard_upstream_state{state="HEALTHY"}`)).toBe(1);
    expect(await value("switchboard_upstream_queued")).toBe(0);
    expect(await value("nodejs_eventloop_lag_max_seconds")).toBeGreaterThanOrEqual(0);
  });
});

describe("the metrics in docs/operating.md", () => {
  const own = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match.slice(1));

  it("are those of the gateway, with type, labels and meaning", async () => {
    await gateway.ask("{ viewer { name } }");
    await gateway.deliver(callEndedEvent());
    await gateway.deliver(callEndedEvent(), { authorization: "another" });
    const text = await served();
    const helps = new Map(own(text, /^# HELP ((?:switchboard|webhook)_\w+) (.+)$/gm) as [string, string][]);
    const labels = (name: string) => {
      const [sample] = own(text, new RegExp(`^${name}\\{(.+)\\} `, "gm"));
      return [...(sample?.[0] ?? "").matchAll(/(\w+)="/g)].map(([, label]) => label);
    };
    const exposed = own(text, /^# TYPE ((?:switchboard|webhook)_\w+) (\w+)$/gm).map(
      ([name = "", type]): [string, unknown[]] => [name, [type, labels(name), helps.get(name)]],
    );
    const rows = own(
      textAt("docs/operating.md"),
      /^\| `((?:switchboard|webhook)_\w+)` \| (\w+) \| (.+?) \| (.+) \|$/gm,
    );
    const written = rows.map(([name = "", type, named = "", meaning = ""]): [string, unknown[]] => {
      const help = helps.get(name) ?? "";
      return [name, [type, own(named, /`(\w+)`/g).flat(), meaning.startsWith(help) ? help : meaning]];
    });
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(exposed));
    expect([written.length, exposed.length > 15]).toEqual([exposed.length, true]);
  });

  it("are called _total exactly if they are counters", async () => {
    const types = own(await served(), /^# TYPE ((?:switchboard|webhook)_\w+) (\w+)$/gm);
    for (const [name, type] of types) expect([name, type === "counter"]).toEqual([name, name?.endsWith("_total")]);
    // All metrics of the gateway have the prefix, except webhook_auth_total. The others are those of Node.
    const names = own(await served(), /^# TYPE (\w+) /gm).flat();
    expect(names.filter((name) => !/^(switchboard|process|nodejs)_/.test(name))).toEqual(["webhook_auth_total"]);
  });
});
