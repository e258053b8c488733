// The unit of ops/ under a real systemd, which is the first process of a namespace of its own.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { textAt } from "../house/sources.ts";
import { NO_SERVICE } from "../support/gateway.ts";
import { cuttingProxy } from "../support/network/cuttingProxy.ts";
import { freePort } from "../support/network/freePort.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const COMMAND = fileURLToPath(new URL("../../bin/switchboard.js", import.meta.url));
const SYSTEMD = "/lib/systemd/systemd";
const NAMESPACE = ["--fork", "--pid", "--mount", "--cgroup", "--mount-proc", "--kill-child"];
/** In a fresh /run, so that nothing of this machine's own systemd is touched. */
const BOOT = `mount -t tmpfs tmpfs /run && mkdir /run/systemd && exec ${SYSTEMD} --system --unit=test.target`;
/** More than systemd's own limit: five in ten seconds. */
const KILLS = 6;

/** Starts nothing but a program that ends. */
const canRun =
  spawnSync(SYSTEMD, ["--version"]).status === 0 &&
  spawnSync("unshare", [...NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/run"]).status === 0;

interface UnitOptions {
  environment: Record<string, string>;
  /** Lines of the section [Service] in a drop-in. */
  service: readonly string[];
}

/** Boots systemd with the unit, until the end of the test. Returns the folder of its files. */
function boot({ environment, service }: UnitOptions): string {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-systemd-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const unit = textAt("ops/systemd/switchboard.service")
    .replace(/^(ExecStart=)\S+(.*) \S+ start$/m, `$1${process.execPath}$2 ${COMMAND} start`)
    .replace("/etc/switchboard/environment", join(folder, "environment"))
    // There is no network to wait for.
    .replace(/^(After|Wants)=network-online.target$/gm, "DefaultDependencies=no");
  write("switchboard.service", [unit.replace("[Install]", [...service, "", "[Install]"].join("\n"))].join("\n"));
  write("test.target", "[Unit]\nDefaultDependencies=no\nWants=switchboard.service\n");
  write(
    "environment",
    Object.entries(environment)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const env = {
    PATH: process.env["PATH"],
    container: "test",
    SYSTEMD_UNIT_PATH: folder,
    SYSTEMD_LOG_TARGET: "console",
  };
  const child = spawn("unshare", [...NAMESPACE, "sh", "-c", BOOT], { env, stdio: "ignore" });
  onTestFinished(async () => {
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

describe("The unit under systemd", () => {
  if (!canRun)
    return it.skip("is not tested: systemd or unshare is not installed, or this user may not make namespaces");

  it("starts the gateway again after many ends, and it waits for PostgreSQL", { timeout: 300_000 }, async () => {
    await using database = await takeMigratedDatabase();
    await using relay = await cuttingProxy(database.url);
    relay.isClosed = true;
    const address = new URL(database.url);
    address.host = new URL(relay.url).host;
    const port = await freePort();
    const starts = join(mkdtempSync(join(tmpdir(), "switchboard-starts-")), "starts");
    writeFileSync(starts, "");
    onTestFinished(() => rmSync(join(starts, ".."), { recursive: true }));
    boot({
      environment: {
        PORT: String(port),
        AUTH: "none",
        CONSOLE: "off",
        UPSTREAM_URL: NO_SERVICE.url,
        UPSTREAM_TOKEN: TOKEN,
        UPSTREAM_TIME_ZONE: TIME_ZONE,
        // The server of the tests does not sync.
        DATABASE_FSYNC: "elsewhere",
        WEBHOOK_AUTHORIZATION,
      },
      service: [
        // Outside of the unit's sandbox, and as root.
        `ExecStartPost=+/bin/sh -c 'echo start >> ${starts}; [ $(wc -l < ${starts}) -gt ${KILLS} ] || kill -KILL $MAINPID'`,
        `Environment=DATABASE_URL=${address.href.replaceAll("%", "%%")}`,
      ],
    });
    const statusOf = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ status }) => status,
        () => null,
      );
    await until(async () => (await statusOf("/livez")) === 200, 120_000);
    expect(await statusOf("/readyz")).toBe(503);
    relay.isClosed = false;
    await until(async () => (await statusOf("/readyz")) === 200);
    // It waited in one process.
    expect(readFileSync(starts, "utf8")).toBe("start\n".repeat(KILLS + 1));
  });
});
