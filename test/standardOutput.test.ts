// The output of a real gateway: a full disk, a reader that has gone, and one that stands still.
import { spawn, spawnSync, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { openSync, closeSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { callEndedEvent } from "./support/events.ts";
import { gatewayAt, MAIN, NO_SERVICE, temporaryDirectory, type GatewayAddress } from "./support/gateway.ts";
import { freePorts } from "./support/network/freePort.ts";
import { TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "./support/sandbox.ts";
import { until } from "./support/until.ts";

interface Started extends GatewayAddress {
  child: ChildProcess;
  lostLines(): Promise<number>;
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** It writes a line for each request. */
async function start(stdio: StdioOptions): Promise<Started> {
  const directory = await temporaryDirectory();
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const child = spawn(process.execPath, [MAIN], {
    stdio,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DATABASE_URL: directory.database,
      RECORDINGS_DIR: join(directory.path, "recordings"),
      UPSTREAM_URL: NO_SERVICE.url,
      UPSTREAM_TOKEN: TOKEN,
      UPSTREAM_TIME_ZONE: TIME_ZONE,
      WEBHOOK_AUTHORIZATION,
      RECONCILE_INTERVAL_S: "0",
      AUTH: "none",
      LOG_REQUESTS: "on",
      DRAIN_SECONDS: "0",
    },
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
    await directory[Symbol.asyncDispose]();
  });
  const gateway = gatewayAt(`http://127.0.0.1:${port}`);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode}.`);
    return fetch(`${gateway.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    ...gateway,
    child,
    async lostLines() {
      const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/^switchboard_log_lines_lost_total (\d+)$/m.exec(page)?.[1]);
    },
    async stop() {
      child.kill("SIGTERM");
      return (await exited)[0];
    },
  };
}

/** Their lines are longer than what is free on the disk. */
const LIVEZ_REQUESTS = 400;
/** Their lines are longer than what a pipe holds. */
const MORE_THAN_A_PIPE = 900;
async function sendRequests({ url }: GatewayAddress, count = LIVEZ_REQUESTS): Promise<void> {
  for (let sent = 0; sent < count; sent += 20)
    await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${url}/livez`)).text()));
}
async function expectWebhooksAccepted(gateway: GatewayAddress): Promise<void> {
  expect((await gateway.deliver(callEndedEvent())).status).toBe(200);
}

/** A disk in memory of 64 KiB. Null where this process may not mount one. */
async function mountTinyDisk(): Promise<string | null> {
  const directory = await temporaryDirectory();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", directory.path]);
  onTestFinished(async () => {
    if (mounted.status === 0) spawnSync("umount", ["-l", directory.path]);
    await directory[Symbol.asyncDispose]();
  });
  return mounted.status === 0 ? directory.path : null;
}

describe("B65: standard output", () => {
  it("on a full disk loses lines, which are counted, and goes on when there is space", async ({ skip }) => {
    const mounted = await mountTinyDisk();
    skip(mounted === null, "only root can mount a small disk");
    const disk = mounted ?? "";
    writeFileSync(join(disk, "other"), Buffer.alloc(32 * 1024));
    const file = join(disk, "log");
    const out = openSync(file, "a");
    const gateway = await start(["ignore", out, "ignore"]);
    closeSync(out);
    await sendRequests(gateway);
    expect(statfsSync(disk).bavail).toBe(0);
    await expectWebhooksAccepted(gateway);
    const lost = await gateway.lostLines();
    expect(lost).toBeGreaterThan(100);

    rmSync(join(disk, "other"));
    const told = await until(() =>
      /"lines":(\d+),"msg":"lines of the log were lost here/.exec(readFileSync(file, "utf8")),
    );
    await fetch(`${gateway.url}/livez?last`);
    await until(() => readFileSync(file, "utf8").trimEnd().split("\n").at(-1)?.includes("/livez"));
    expect(Number(told[1])).toBe(await gateway.lostLines());
    // At most one line is torn.
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.filter((line) => !line.startsWith("{") || !line.endsWith("}")).length).toBeLessThan(2);
    expect(await gateway.stop()).toBe(0);
  });

  it("that takes nothing, as /dev/full, ends nothing, and neither does standard error", async () => {
    const full = openSync("/dev/full", "a");
    const gateway = await start(["ignore", full, full]);
    closeSync(full);
    await expectWebhooksAccepted(gateway);
    expect(await gateway.lostLines()).toBeGreaterThan(1);
    expect(await gateway.stop()).toBe(0);
  });

  it("whose reader has gone ends nothing, and neither does standard error", async () => {
    const gateway = await start(["ignore", "pipe", "pipe"]);
    gateway.child.stdout?.destroy();
    gateway.child.stderr?.destroy();
    await sendRequests(gateway, 40);
    await expectWebhooksAccepted(gateway);
    expect(await gateway.lostLines()).toBeGreaterThan(30);
    expect(await gateway.stop()).toBe(0);
  });

  it("whose reader stands still holds no request up, and loses nothing of a megabyte", async () => {
    const gateway = await start(["ignore", "pipe", "ignore"]);
    await sendRequests(gateway, MORE_THAN_A_PIPE);
    await expectWebhooksAccepted(gateway);
    expect(await gateway.lostLines()).toBe(0);
    const { stdout } = gateway.child;
    if (!stdout) throw new Error("There is no pipe.");
    let output = "";
    stdout.setEncoding("utf8").on("data", (chunk: string) => void (output += chunk));
    await sendRequests(gateway, 20);
    const paths = () =>
      output
        .slice(0, output.lastIndexOf("\n"))
        .split("\n")
        .map((line) => (JSON.parse(line) as { path?: string }).path);
    await until(() => paths().filter((path) => path === "/livez").length === MORE_THAN_A_PIPE + 20);
    expect(await gateway.lostLines()).toBe(0);
    expect(await gateway.stop()).toBe(0);
  });

  it("whose reader never goes on does not keep the gateway from stopping", async () => {
    const gateway = await start(["ignore", "pipe", "ignore"]);
    await sendRequests(gateway, MORE_THAN_A_PIPE);
    expect(await gateway.stop()).toBe(0);
  });
});
