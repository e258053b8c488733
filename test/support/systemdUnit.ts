// The unit of ops/ under a real systemd, which is the first process of a namespace of its own.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { textAt } from "../house/sources.ts";
import { NO_SERVICE, temporaryDirectory } from "./gateway.ts";
import { cuttingProxy } from "./network/cuttingProxy.ts";
import { freePort } from "./network/freePort.ts";
import { TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "./sandbox.ts";
import { until } from "./until.ts";

const COMMAND = fileURLToPath(new URL("../../bin/switchboard.js", import.meta.url));
const SYSTEMD = "/lib/systemd/systemd";
const NAMESPACE = ["--fork", "--pid", "--mount", "--cgroup", "--mount-proc", "--kill-child"];
/** In a fresh /run, so that nothing of this machine's own systemd is touched. */
const BOOT = `mount -t tmpfs tmpfs /run && mkdir /run/systemd && exec ${SYSTEMD} --system --unit=test.target`;

/** Starts nothing but a program that ends. */
export const canBootSystemd = (): boolean =>
  spawnSync(SYSTEMD, ["--version"]).status === 0 &&
  spawnSync("unshare", [...NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/run"]).status === 0;

interface UnitOptions {
  /** The folder of the unit's files. */
  folder: string;
  environment: Record<string, string>;
  /** Lines of the section [Service] in a drop-in. */
  service: readonly string[];
}

/** The unit does not see these folders, but a clone of the repository may be in one. */
const HIDDEN: readonly [string, RegExp][] = [
  ["PrivateTmp=no", /^\/(?:var\/)?tmp\//],
  ["ProtectHome=no", /^\/(?:home|root)\//],
];
const seeing = HIDDEN.filter(([, folder]) => folder.test(COMMAND)).map(([line]) => line);

/** Boots systemd with the unit. Disposing of it ends all its processes. */
function boot({ folder, environment, service }: UnitOptions): AsyncDisposable {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const unit = textAt("ops/systemd/switchboard.service")
    .replace(/^(ExecStart=)\S+(.*) \S+ start$/m, `$1${process.execPath}$2 ${COMMAND} start`)
    .replace("/etc/switchboard/environment", join(folder, "environment"))
    // There is no network to wait for.
    .replace(/^(After|Wants)=network-online.target$/gm, "DefaultDependencies=no");
  write("switchboard.service", unit.replace("[Install]", [...service, ...seeing, "", "[Install]"].join("\n")));
  write("test.target", "[Unit]\nDefaultDependencies=no\nWants=switchboard.service\n");
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
  write("environment", lines.join(""));
  const env = {
    PATH: process.env["PATH"],
    container: "test",
    SYSTEMD_UNIT_PATH: folder,
    SYSTEMD_LOG_TARGET: "console",
  };
  const child = spawn("unshare", [...NAMESPACE, "sh", "-c", BOOT], { env, stdio: "ignore" });
  return {
    async [Symbol.asyncDispose]() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

export interface WaitOptions {
  /** The address of a PostgreSQL that is away until the watch is over. */
  url: string;
  /** Starts that end at once, by SIGKILL. */
  kills: number;
  /** Resolves when the gateway has waited long enough. */
  wait: () => Promise<unknown>;
}

export interface WaitResult {
  /** Starts that systemd made until PostgreSQL was there. */
  starts: number;
  /** Answers of /livez and /readyz while it was away, each once, such as "200 503". */
  answers: readonly string[];
  /** Milliseconds from the return of PostgreSQL to the first 200 of /readyz. */
  readyAfterMs: number;
}

/** Starts the unit without PostgreSQL, watches it, and lets PostgreSQL come back. */
export async function waitUnderSystemd({ url, kills, wait }: WaitOptions): Promise<WaitResult> {
  await using directory = await temporaryDirectory();
  await using relay = await cuttingProxy(url);
  relay.isClosed = true;
  const address = new URL(url);
  address.host = new URL(relay.url).host;
  const port = await freePort();
  const starts = join(directory.path, "starts");
  writeFileSync(starts, "");
  await using _unit = boot({
    folder: directory.path,
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
      `ExecStartPost=+/bin/sh -c 'echo start >> ${starts}; [ $(wc -l < ${starts}) -gt ${kills} ] || kill -KILL $MAINPID'`,
      `Environment=DATABASE_URL=${address.href.replaceAll("%", "%%")}`,
    ],
  });
  const statusOf = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => null,
    );
  await until(async () => (await statusOf("/livez")) === 200, 120_000);
  const answers = new Set<string>();
  const watching = setInterval(() => void look(), 100);
  const look = async () => answers.add(`${await statusOf("/livez")} ${await statusOf("/readyz")}`);
  await look();
  await wait();
  await look();
  clearInterval(watching);
  // A look that is under way may see PostgreSQL again.
  const seen = [...answers];
  const returnedAt = performance.now();
  relay.isClosed = false;
  await until(async () => (await statusOf("/readyz")) === 200);
  return {
    starts: readFileSync(starts, "utf8").split("start\n").length - 1,
    answers: seen,
    readyAfterMs: performance.now() - returnedAt,
  };
}
