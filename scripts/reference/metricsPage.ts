// docs/reference/metrics.md: each metric of the gateway, and the alerts that watch it.
import { readFileSync } from "node:fs";
import { catalogue } from "../../src/server/metrics/catalogue.ts";
import { code, head, page, table } from "./markdown.ts";

const RULES = readFileSync(new URL("../../ops/prometheus/switchboard.rules.yml", import.meta.url), "utf8");

/** Each alert with its rule. */
const alerts = RULES.split(/^ +- (?=alert: )/m)
  .slice(1)
  .map((rule) => ({
    name: /^alert: (\w+)/.exec(rule)?.[1] ?? "",
    runbook: /runbook_url: docs\/(\S+)/.exec(rule)?.[1] ?? "",
    expression: rule.split(/^ +annotations:/m)[0] ?? "",
  }));

export function metricsPage(): string {
  const rows = Object.values(catalogue).map(({ name, type, labels, help }) => [
    code(name),
    type,
    labels.map(code).join(", "),
    help,
    alerts
      .filter(({ expression }) => new RegExp(`\\b${name}(?:_(?:bucket|sum|count))?\\b`).test(expression))
      .map((alert) => `[${alert.name}](../${alert.runbook})`)
      .join(", "),
  ]);
  return page(
    head("Metrics", "Every metric of the gateway at `METRICS_PORT`, with the alerts that watch it."),
    "[operating.md](../operating.md#metrics) says what the values of the labels mean. A histogram has the series `_bucket`, `_sum` and " +
      "`_count`. The metrics of every Node process (`process_…`, `nodejs_…`) come on top.",
    table(["Metric", "Type", "Labels", "Meaning", "Alerts"], rows),
  );
}
