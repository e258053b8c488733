import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { catalogue } from "../../src/server/metrics/catalogue.ts";
import { textAt } from "../house/sources.ts";
import { callEndedEvent } from "../support/events.ts";
import { TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { startBoth } from "../support/startBoth.ts";
import { hasPrometheus, startPrometheus } from "../support/measuring/prometheus.ts";
import { hasPromtool } from "./promtool.ts";
import { runInShell, runbookCommands } from "./runbook.ts";
import { until } from "../support/until.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";

/** Alerts, and one recorded series. */
const RULES = textAt("ops/prometheus/switchboard.rules.yml").match(/^ +- (?:alert|record): /gm)?.length ?? 0;

const options = { METRICS_PORT: "0", WEBHOOK_AUTHORIZATION_PREVIOUS: "the value before" };
// Nobody listens there.
const own = { DESTINATIONS_FILE: "test/server/destinations.json", DESTINATION_HOSTS: "127.0.0.1:9" };
const { gateway, sandbox } = await startBoth({ ...options, ...own });
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
    for (const other of [`${gateway.url}/metrics`, `${url}/graphql`]) expect((await fetch(other)).status).toBe(404);
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
    const running = ["sockets", "subscriptions", "groups"].map((name) => values.get(`switchboard_${name}`));
    expect(running).toEqual([1, 1, 1]);
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
    // What is stored is read once a second.
    await until(async () => (await value("switchboard_quarantined")) === 1);
    expect(await value("switchboard_log_head")).toBe(4);
  });
});

describe("the histograms", () => {
  it("hold each webhook, its commit, and its delivery to a group of subscribers", async () => {
    await using sse = await openSse(gateway.url, { query: "subscription { callEnded { hangupReason } }" });
    expect(sse.response.status).toBe(200);
    await until(async () => (await value("switchboard_groups")) > 0);
    const names = [
      'switchboard_webhook_seconds_count{outcome="appended"}',
      "switchboard_commit_seconds_count",
      "switchboard_delivery_seconds_count",
      'switchboard_events_total{source="webhook",outcome="appended"}',
      'switchboard_operation_seconds_count{transport="http",kind="query"}',
    ];
    const before = await metrics();
    await gateway.ask("{ viewer { name } }");
    const deliveredAt = Date.now();
    await gateway.deliver(callEndedEvent());
    const added = async () => {
      const now = await metrics();
      return names.map((name) => (now.get(name) ?? 0) - (before.get(name) ?? 0));
    };
    await until(async () => (await added()).every((count) => count === 1));
    expect(await value("switchboard_last_webhook_timestamp_seconds")).toBeGreaterThanOrEqual(
      Math.floor(deliveredAt / 1000),
    );
    await until(async () => (await value('switchboard_reader_lag{reader="recordings"}')) === 0);
  });

  it("hold requests to the service by route and outcome", async () => {
    await gateway.ask("{ task(taskId: 987654321) { name } }");
    expect(await value('switchboard_upstream_request_seconds_count{route="task",outcome="4xx"}')).toBe(1);
    expect(await value('switchboard_database_seconds_count{database="sqlite"}')).toBeGreaterThan(0);
  });
});

describe("the counter of ended subscriptions", () => {
  it("tells a client that left from the others", async () => {
    const left = 'switchboard_subscriptions_ended_total{reason="client"}';
    const before = await value(left);
    const sse = await openSse(gateway.url, { query: "subscription { callEnded { sessionId } }" });
    await sse[Symbol.asyncDispose]();
    await until(async () => (await value(left)) > before);
    expect(await value(left)).toBe(before + 1);
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

/** The type, help and labels of each metric on the page. */
function readPage(text: string): Map<string, { type: string; help: string; labels: Set<string> }> {
  const found = new Map(
    [...text.matchAll(/^# HELP (\w+) (.+)\n# TYPE \w+ (\w+)$/gm)].map((match) => [match[1] ?? "", match]),
  );
  return new Map(
    [...found].map(([name, [, , help = "", type = ""]]) => {
      const samples = text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.+)\\} `, "gm"));
      const labels = [...samples].flatMap(([, pairs = ""]) =>
        [...pairs.matchAll(/(\w+)="/g)].map(([, label = ""]) => label),
      );
      return [name, { type, help, labels: new Set(labels.filter((label) => label !== "le" || type !== "histogram")) }];
    }),
  );
}
const specs = Object.values(catalogue).map((spec) => ({ ...spec, labels: [...spec.labels] as string[] }));

describe("the page of metrics", () => {
  it.skipIf(!hasPromtool)("is accepted by promtool", async () => {
    const checked = spawnSync("promtool", ["check", "metrics"], { input: await served(), encoding: "utf8" });
    const complaints = (checked.stdout + checked.stderr).split("\n").filter((line) => line !== "");
    // prom-client names three gauges of Node like counters.
    expect(complaints.filter((line) => !/^nodejs_active_\w+_total /.test(line))).toEqual([]);
    expect(complaints.length).toBeLessThanOrEqual(3);
  });
});

describe("the commands of docs/runbook.md", () => {
  const env = { DATA: "test/server", UPSTREAM_TOKEN: TOKEN, SWITCHBOARD_KEY: "any" };

  it.each(runbookCommands)("work: %s", async (block) => {
    // One of each kind that the commands look for.
    await gateway.deliver(callEndedEvent());
    await gateway.deliver(callEndedEvent({ end_at: "", hangup_side: "", hangup_reason: "" }));
    const { code, output } = await runInShell(block, {
      ...env,
      GATEWAY: gateway.url,
      METRICS: url,
      UPSTREAM_URL: sandbox.url,
    });
    // One test above left a delivery that cannot be read again either, which the exit code tells.
    expect([code, output]).toEqual([block.includes("--reprocess") ? 1 : 0, expect.stringMatching(/\S/)]);
    if (block.includes("/calllog")) expect(output).toMatch(/^401$/m);
    if (block.includes("/livez") || block.includes("/readyz")) expect(output).toMatch(/200$/m);
    expect(output).not.toMatch(/"errors"/);
  });
});

describe("a real Prometheus", () => {
  it.skipIf(!hasPrometheus)("scrapes the gateway, and evaluates every rule without an error", async () => {
    await using prometheus = await startPrometheus(url);
    const rules = await until(async () => {
      const { evaluated, errors } = await prometheus.rules();
      return evaluated >= RULES && { evaluated, errors };
    });
    expect(rules).toEqual({ evaluated: RULES, errors: [] });
    // It fires as soon as a scrape has failed.
    expect(await prometheus.firing()).not.toContain("SwitchboardAway");
  });
});

describe("the catalogue of metrics", () => {
  it("is what the page shows: names, types, helps, and the labels of each metric that has samples", async () => {
    await gateway.ask("{ viewer { name } callLogs(first: 1) { nodes { task { name } } } }");
    await gateway.deliver(callEndedEvent(), { authorization: "another" });
    const page = readPage(await served());
    const own = [...page].filter(([name]) => /^(switchboard|webhook)_/.test(name));
    const shown = new Map(own.map(([name, { type, help }]) => [name, [type, help]]));
    expect(shown).toEqual(new Map(specs.map(({ name, type, help }) => [name, [type, help]])));
    const sampled = specs.filter(({ name, labels }) => labels.length > 0 && page.get(name)?.labels.size !== 0);
    for (const { name, labels } of sampled)
      expect([name, ...(page.get(name)?.labels ?? [])]).toEqual([name, ...labels]);
    // Without samples here: PostgreSQL's connections, and alerts where no rule stands.
    expect(specs.filter((spec) => spec.labels.length > 0 && !sampled.includes(spec)).map(({ name }) => name)).toEqual([
      "switchboard_alerts_open",
      "switchboard_postgres_connections",
    ]);
  });

  it("is the table in docs/operating.md", () => {
    const row = /^\| `((?:switchboard|webhook)_\w+)` \| (\w+) \| (.+?) \| (.+) \|$/gm;
    const written = [...textAt("docs/operating.md").matchAll(row)].map(([, name, type, labels = "", meaning = ""]) => {
      const help = specs.find((spec) => spec.name === name)?.help ?? "";
      return [name, type, labels.match(/\w+/g) ?? [], meaning.startsWith(help) ? help : meaning];
    });
    expect(written).toEqual(specs.map(({ name, type, labels, help }) => [name, type, labels, help]));
  });

  it("calls a metric _total exactly if it is a counter, and _seconds or _bytes by its unit", () => {
    for (const { name, type } of specs) expect([name, type === "counter"]).toEqual([name, name.endsWith("_total")]);
    const units = /_(total|seconds|bytes)$/;
    const unitless = specs
      .filter(({ name, type }) => type === "histogram" && !units.test(name))
      .map(({ name }) => name);
    expect(unitless).toEqual(["switchboard_commit_events", "switchboard_upstream_tasks"]);
    // All have the prefix, except webhook_auth_total.
    expect(specs.filter(({ name }) => !name.startsWith("switchboard_")).map(({ name }) => name)).toEqual([
      "webhook_auth_total",
    ]);
  });
});
