// The receiver of ops/ that prints alerts, behind a real Alertmanager with the configuration of ops/ where one is installed.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { ROOT, textAt } from "../house/sources.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { freePorts } from "../support/network/freePort.ts";
import { until } from "../support/until.ts";

const PROGRAM = ["alertmanager", "prometheus-alertmanager"].find((name) => spawnSync(name, ["--version"]).status === 0);
const labels = {
  alertname: "SwitchboardAway",
  severity: "critical",
  job: "kubernetes-pods",
  instance: "10.0.0.1:9464",
};
const annotations = {
  summary: "The gateway 10.0.0.1:9464 does not answer Prometheus.",
  runbook_url: "docs/runbook.md#a-gateway-does-not-answer",
};
const PRINTED =
  "CRITICAL  SwitchboardAway  The gateway 10.0.0.1:9464 does not answer Prometheus.  " +
  "docs/runbook.md#a-gateway-does-not-answer  instance=10.0.0.1:9464 job=kubernetes-pods";

async function startReceiver(): Promise<{ port: number; lines: string[] }> {
  const child = spawn(process.execPath, [join(ROOT, "ops/alertmanager/printAlerts.js")], {
    env: { ALERTS_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const [, port] = await until(() => /Port (\d+)\.$/.exec(lines[0] ?? ""));
  return { port: Number(port), lines };
}

describe("The receiver of alerts", () => {
  it("prints each alert of Alertmanager's webhook in one line, and refuses what is none", async () => {
    const { port, lines } = await startReceiver();
    const post = async (body: string) => (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body })).status;
    const alert = { status: "firing", labels, annotations, startsAt: "2026-11-20T09:30:00.000Z" };
    const over = { ...alert, status: "resolved", annotations: { summary: "two\nlines" } };
    expect(await post(JSON.stringify({ version: "4", status: "firing", alerts: [alert, over] }))).toBe(200);
    expect([await post("{"), await post("{}"), await post("null")]).toEqual([400, 400, 400]);
    // What another process prints may come after its answers.
    await until(() => lines.length > 2);
    expect(lines[1]).toBe(`2026-11-20T09:30:00.000Z  ${PRINTED}`);
    expect(lines[2]).toMatch(/ OVER {2}SwitchboardAway {2}two lines {2}/);
    expect(lines).toHaveLength(3);
  });

  it.skipIf(PROGRAM === undefined)("prints what a real Alertmanager sends by its configuration", async () => {
    const { port, lines } = await startReceiver();
    const directory = await temporaryDirectory();
    const config = parse(textAt("ops/alertmanager/alertmanager.yml")) as {
      route: Record<string, unknown>;
      receivers: { webhook_configs: { url: string }[] }[];
    };
    const [webhook] = config.receivers[0]?.webhook_configs ?? [];
    expect(webhook?.url).toBe("http://alerts:9095/");
    if (webhook) webhook.url = `http://127.0.0.1:${port}/`;
    config.route["group_wait"] = "1s";
    // JSON is YAML.
    await writeFile(join(directory.path, "alertmanager.yml"), JSON.stringify(config));
    const [own = 0] = await freePorts(1);
    const child = spawn(
      PROGRAM ?? "",
      [
        `--config.file=${join(directory.path, "alertmanager.yml")}`,
        `--storage.path=${join(directory.path, "data")}`,
        `--web.listen-address=127.0.0.1:${own}`,
        "--cluster.listen-address=",
      ],
      { stdio: "ignore" },
    );
    const exited = once(child, "exit");
    onTestFinished(async () => {
      child.kill("SIGTERM");
      await exited;
      await directory[Symbol.asyncDispose]();
    });
    const post = () =>
      fetch(`http://127.0.0.1:${own}/api/v2/alerts`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify([{ labels, annotations }]),
      }).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(post);
    const line = await until(() => lines[1]);
    expect(line).toContain(PRINTED);
  });
});
