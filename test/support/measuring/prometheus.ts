// Runs Debian's Prometheus on this machine with the alerts of ops/, in which a minute is a second: windows, waits and thresholds in
// seconds are divided by 60. It scrapes once a second.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { textAt } from "../../house/sources.ts";
import { freePort } from "../network/freePort.ts";
import { temporaryDirectory } from "../gateway.ts";
import { until } from "../until.ts";

export interface Prometheus extends AsyncDisposable {
  /** The names of the alerts that fire now. */
  firing(): Promise<string[]>;
  /** How many rules were evaluated, and the errors of those that failed. */
  rules(): Promise<{ evaluated: number; errors: string[] }>;
}

export const hasPrometheus = spawnSync("prometheus", ["--version"]).status === 0;

/** `metricsUrl`: the address of a gateway's metrics. */
export async function startPrometheus(metricsUrl: string): Promise<Prometheus> {
  await using parts = new AsyncDisposableStack();
  const { path } = parts.use(await temporaryDirectory());
  const port = await freePort();
  await writeFile(join(path, "rules.yml"), shorten(textAt("ops/prometheus/switchboard.rules.yml")));
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [join(path, "rules.yml")],
    scrape_configs: [{ job_name: "switchboard", static_configs: [{ targets: [new URL(metricsUrl).host] }] }],
  };
  // JSON is YAML.
  await writeFile(join(path, "prometheus.yml"), JSON.stringify(config));
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(path, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(path, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  const exited = once(child, "exit");
  parts.defer(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  await until(() =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const running = parts.move();
  const ask = async <T>(what: string) => ((await (await fetch(`${url}/api/v1/${what}`)).json()) as { data: T }).data;
  return {
    async rules() {
      const { groups } = await ask<{ groups: { rules: { health: string; lastError?: string }[] }[] }>("rules");
      const evaluated = groups.flatMap(({ rules }) => rules).filter(({ health }) => health !== "unknown");
      return { evaluated: evaluated.length, errors: evaluated.flatMap(({ lastError }) => lastError ?? []) };
    },
    async firing() {
      const { alerts } = await ask<{ alerts: { state: string; labels: { alertname: string } }[] }>("alerts");
      const firing = alerts.filter(({ state }) => state === "firing");
      return [...new Set(firing.map(({ labels }) => labels.alertname))].toSorted();
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Rates are per second in both, and stay. */
function shorten(rules: string): string {
  return rules
    .replaceAll(/(\[|for: )(\d+)m/g, "$1$2s")
    .replaceAll(/(\[|for: )(\d+)d/g, (_, before: string, days: string) => `${before}${Number(days) * 24 * 60}s`)
    .replaceAll(/(\[|for: )(\d+)h/g, (_, before: string, hours: string) => `${before}${Number(hours) * 60}s`)
    .replaceAll(
      /((?:timestamp_seconds|pending_seconds)\) > )(\d+)/g,
      (_, before: string, seconds: string) => before + Number(seconds) / 60,
    );
}
