import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { collectDefaultMetrics, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { catalogue, type MetricSpec } from "../../src/server/metrics/catalogue.ts";
import { ROOT, textAt } from "../house/sources.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { hasPromtool } from "./promtool.ts";

const RULES = "ops/prometheus/switchboard.rules.yml";
interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  annotations?: { runbook_url: string };
}
const { groups } = parse(textAt(RULES)) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.flatMap(({ alert, annotations }) =>
  alert ? [{ alert, runbook: annotations?.runbook_url ?? "" }] : [],
);

interface RuleTest {
  alertname: string;
  exp_alerts: unknown[];
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}
const { panels } = JSON.parse(textAt("ops/grafana/switchboard.json")) as { panels: Panel[] };
const expressions = [
  ...rules.map(({ expr, alert, record }) => ({ at: alert ?? record ?? "", expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ at: title, expr }))),
];

/** Labels that Prometheus adds, and those of a histogram's buckets. */
const ADDED = ["job", "namespace", "instance", "le"];
const specs = new Map<string, MetricSpec>();
for (const spec of Object.values(catalogue)) {
  const isHistogram = spec.type === "histogram";
  for (const suffix of isHistogram ? ["_bucket", "_sum", "_count"] : [""]) specs.set(`${spec.name}${suffix}`, spec);
}
function ofNode(): string[] {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry.getMetricsAsArray().map(({ name }) => name);
}
const recorded = rules.flatMap(({ record }) => record ?? []);
const known = new Set([...specs.keys(), ...ofNode(), ...recorded, "up"]);

/** The metrics that an expression names, each with the labels that it selects by. */
function metricsIn(expr: string): { name: string; labels: string[] }[] {
  const found = expr.matchAll(/\b((?:switchboard|webhook|nodejs|process)[\w:]+|up)\b(?:\{([^}]*)\})?/g);
  const labelsIn = (text: string) =>
    [...text.replaceAll(/"[^"]*"/g, '""').matchAll(/(\w+)\s*[!=]/g)].map(([, label = ""]) => label);
  return [...found]
    .filter(([, name = ""]) => name !== "switchboard")
    .map(([, name = "", selector = ""]) => ({ name, labels: labelsIn(selector) }));
}

describe("The dashboard and the alerts", () => {
  it("name only metrics that the gateway has, with their labels", () => {
    const missing = expressions.flatMap(({ at, expr }) => {
      const used = metricsIn(expr.replaceAll(/=~?"[^"]*"/g, '=""'));
      if (used.length === 0) return [`${at}: names no metric`];
      const grouped = [...expr.matchAll(/\b(?:by|on) \(([^)]+)\)/g)].flatMap(([, labels = ""]) => labels.split(", "));
      const labelsOf = (name: string) => [...ADDED, ...(specs.get(name)?.labels ?? [])] as string[];
      const groupable = used.flatMap(({ name }) => labelsOf(name));
      return [
        ...used.filter(({ name }) => !known.has(name)).map(({ name }) => `${at}: ${name}`),
        ...used.flatMap(({ name, labels }) =>
          labels.filter((label) => !labelsOf(name).includes(label)).map((label) => `${at}: ${name}{${label}}`),
        ),
        ...grouped.filter((label) => !groupable.includes(label)).map((label) => `${at}: by (${label})`),
      ];
    });
    expect(missing).toEqual([]);
    expect(expressions.length).toBeGreaterThan(50);
  });

  it("show every metric of the gateway", () => {
    const shown = new Set(expressions.flatMap(({ expr }) => metricsIn(expr)).map(({ name }) => specs.get(name)));
    expect(
      Object.values(catalogue)
        .filter((spec) => !shown.has(spec))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it("belong to docs/runbook.md, which names each alert where the alert leads, and only panels that exist", () => {
    const runbook = textAt("docs/runbook.md");
    const sections = runbook.split(/^(?=###? )/m);
    const anchorOf = (section: string) =>
      /^#+ (.+)/
        .exec(section)?.[1]
        ?.toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-");
    const named = sections.flatMap((section) =>
      [...section.matchAll(/`(Switchboard\w+)`/g)].map(([, alert]) => `${alert}: docs/runbook.md#${anchorOf(section)}`),
    );
    expect(new Set(named)).toEqual(new Set(alerts.map(({ alert, runbook }) => `${alert}: ${runbook}`)));
    const titles = panels.map(({ title }) => title);
    const shown = [...runbook.matchAll(/“([^”]+)”/g)].map(([, title = ""]) => title.replaceAll("\n", " "));
    expect(shown.length).toBeGreaterThan(15);
    expect(shown.filter((title) => !titles.includes(title))).toEqual([]);
  });

  it("are fired each by the benchmark `incidents` or by test/server/alerts.yml, as docs/runbook.md says", () => {
    const benchmark = ["bench/incidents.ts", "bench/support/standstills.ts", "bench/support/trafficIncidents.ts"];
    const played = benchmark.flatMap((file) =>
      [...textAt(file).matchAll(/"(Switchboard\w+)"/g)].map(([, name]) => name),
    );
    const { tests } = parse(textAt("test/server/alerts.yml")) as { tests: { alert_rule_test: RuleTest[] }[] };
    const tested = tests
      .flatMap(({ alert_rule_test }) => alert_rule_test)
      .filter(({ exp_alerts }) => exp_alerts.length > 0)
      .map(({ alertname }) => alertname);
    const names = alerts.map(({ alert }) => alert);
    expect(names.filter((name) => ![...played, ...tested].includes(name))).toEqual([]);
    expect([...played, ...tested].filter((name) => !names.includes(name ?? ""))).toEqual([]);
    const setUp = /^## Set it up$.*?(?=^## )/ms.exec(textAt("docs/runbook.md"))?.[0] ?? "";
    const [byBenchmark = "", byPromtool = ""] = setUp.split("promtool test rules");
    const namedIn = (text: string) => [...text.matchAll(/\b(Switchboard[A-Z]\w+)/g)].map(([, name]) => name);
    expect(new Set(namedIn(byBenchmark))).toEqual(new Set(played));
    expect(new Set(namedIn(byPromtool))).toEqual(new Set(names.filter((name) => !played.includes(name))));
  });

  it("get links that open anywhere by the command of docs/runbook.md, which changes nothing else and may run twice", async () => {
    const [, command = ""] = /^```sh\n(RUNBOOKS=[^`]+)^```$/m.exec(textAt("docs/runbook.md")) ?? [];
    const [, address = ""] = /^RUNBOOKS=(\S+)$/m.exec(command) ?? [];
    await using folder = await temporaryDirectory();
    cpSync(join(ROOT, "ops/prometheus"), join(folder.path, "ops/prometheus"), { recursive: true });
    const run = () => {
      execFileSync("sh", ["-ec", command], { cwd: folder.path });
      const [file = ""] = readdirSync(folder.path).filter((name) => name.endsWith(".yml"));
      return { file, text: readFileSync(join(folder.path, file), "utf8") };
    };
    const { file, text } = run();
    const linked = (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules: each }) => each);
    const links = linked.flatMap(({ annotations }) => annotations?.runbook_url ?? []);
    expect(links).toEqual(alerts.map(({ runbook }) => `${address}/${runbook}`));
    expect(links.every((link) => URL.canParse(link))).toBe(true);
    expect(text.replaceAll(`${address}/`, "")).toBe(textAt(RULES));
    cpSync(join(folder.path, file), join(folder.path, RULES));
    expect(run().text).toBe(text);
  });

  it.skipIf(!hasPromtool)("are accepted by promtool, and fire as test/server/alerts.yml says", () => {
    expect(execFileSync("promtool", ["check", "rules", RULES], { cwd: ROOT, encoding: "utf8" })).toContain("SUCCESS");
    const tested = spawnSync("promtool", ["test", "rules", "test/server/alerts.yml"], { cwd: ROOT, encoding: "utf8" });
    expect(tested.stdout + tested.stderr).toContain("SUCCESS");
    expect(tested.status).toBe(0);
  });
});
