// `npm run bench -- incidents`: causes the incidents of docs/runbook.md at a real gateway, and waits until a real Prometheus tells of
// them by the alerts of ops/. Then it ends each incident, and waits until the alert has gone.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { callEndedEvent } from "../test/support/events.ts";
import { spawnGateway, temporaryDirectory, type GatewayProgram } from "../test/support/gateway.ts";
import { bearer, writeKeys } from "../test/support/keys.ts";
import { startPostgres } from "../test/support/postgres/postgresServer.ts";
import { spawnSandbox, WEBHOOK_AUTHORIZATION } from "../test/support/sandbox.ts";
import { until } from "../test/support/until.ts";
import { freePorts } from "../test/support/network/freePort.ts";
import { hasPrometheus, startPrometheus } from "../test/support/measuring/prometheus.ts";
import { repeat, type Incident, type World } from "./support/incident.ts";
import { standstills } from "./support/standstills.ts";
import { trafficIncidents } from "./support/trafficIncidents.ts";

/** An alert waits at most for its window and its `for`, which are 20 s together; a slow machine needs more. */
const FIRES_MS = 120_000;

async function play(world: World, { title, alerts, cause }: Incident): Promise<void> {
  const { prometheus, gateway } = world;
  const areFiring = async (wanted: boolean) => {
    const firing = await prometheus.firing();
    return alerts.every((alert) => firing.includes(alert) === wanted);
  };
  // A gateway that never got a webhook has been without one since the time began.
  await gateway.deliver(callEndedEvent({ record_url: "" }));
  await until(() => areFiring(false), FIRES_MS);
  const controller = new AbortController();
  const startedAt = performance.now();
  const caused = cause(world, controller.signal);
  try {
    await until(() => areFiring(true), FIRES_MS);
  } finally {
    controller.abort();
    await caused;
  }
  const firedAfter = (performance.now() - startedAt) / 1000;
  const all = (await prometheus.firing()).join(", ");
  const endedAt = performance.now();
  await until(() => areFiring(false), FIRES_MS);
  const goneAfter = (performance.now() - endedAt) / 1000;
  console.log(`| ${title} | ${alerts.join(", ")} | ${firedAfter.toFixed(0)} | ${goneAfter.toFixed(0)} | ${all} |`);
}

const DISK_BYTES = 64 * 1024 * 1024;

/** A disk in memory. Null where this process may not mount one. */
async function mountSmallDisk(): Promise<(AsyncDisposable & { path: string }) | null> {
  const directory = await temporaryDirectory();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", directory.path]);
  if (mounted.status !== 0) {
    await directory[Symbol.asyncDispose]();
    return null;
  }
  return {
    path: directory.path,
    async [Symbol.asyncDispose]() {
      spawnSync("umount", [directory.path]);
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Prints a table. Throws if an alert does not fire, or does not go away. `only`: names of alerts, comma-separated. */
export async function benchIncidents(only = process.env["ALERTS"]): Promise<void> {
  if (!hasPrometheus) throw new Error("incidents needs Prometheus: apt-get install --no-install-recommends prometheus");
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  const server = parts.use(await startPostgres({ fsync: true }));
  const sandbox = parts.use(await spawnSandbox());
  const disk = await mountSmallDisk();
  if (disk) parts.use(disk);
  const recordings = disk ? { RECORDINGS_DIR: disk.path } : {};
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const settings = {
    ...recordings,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    RECONCILE_INTERVAL_S: "1",
    RECORDING_HOSTS: new URL(sandbox.url).host,
    RATE_LIMIT: "600",
    UPSTREAM_CACHE_MS: "0",
    UPSTREAM_TIMEOUT_MS: "5000",
  };
  const keys = await writeKeys(directory.path, { web: ["calls:read", "people:read"] });
  const variables = { ...settings, DATABASE_URL: server.url, API_KEYS_FILE: keys };
  // The gateway inherits the limit, so that few connections use it up.
  const limitFiles = (limit: string) => spawnSync("prlimit", [`--pid=${process.pid}`, `--nofile=${limit}`]);
  const start = async () => {
    limitFiles("500:500");
    const starting = spawnGateway(sandbox, variables);
    await new Promise((resolve) => setTimeout(resolve, 500));
    limitFiles("20000:20000");
    return starting;
  };
  let gateway: GatewayProgram = await start();
  parts.defer(() => gateway[Symbol.asyncDispose]());
  await sandbox.control("PUT", "webhook", { url: `${gateway.url}/calllog`, authorization: WEBHOOK_AUTHORIZATION });
  const prometheus = parts.use(await startPrometheus(`http://127.0.0.1:${metricsPort}`));
  const world = { gateway, sandbox, prometheus, authorization: { authorization: bearer("web") } };
  const postgresAway: Incident = {
    title: "PostgreSQL away",
    alerts: ["SwitchboardDatabaseNotWritable", "SwitchboardWebhooksFail"],
    async cause({ sandbox: service }, signal) {
      await server.kill();
      await repeat(signal, 200, () => service.endCall());
      await server.start();
    },
  };
  const diskFull: Incident = {
    title: "a disk full",
    alerts: ["SwitchboardDiskAlmostFull"],
    async cause(_, signal) {
      const file = join(disk?.path ?? "", "other");
      await writeFile(file, Buffer.alloc(DISK_BYTES * 0.95));
      await once(signal, "abort");
      await rm(file);
    },
  };
  const still = standstills({
    databaseUrl: server.url,
    metricsPort,
    kill: async () => gateway[Symbol.asyncDispose](),
    start: async () => void (gateway = await start()),
  });
  if (!disk) console.log("a disk full is left out: only root can mount a small disk");
  console.log("| incident | alerts | fires after, s | gone after, s | all that fired |");
  console.log("| --- | --- | --- | --- | --- |");
  const all = [...trafficIncidents, ...(disk ? [diskFull] : []), postgresAway, ...still];
  const chosen = all.filter(
    ({ alerts }) => only === undefined || alerts.some((alert) => only.split(",").includes(alert)),
  );
  for (const incident of chosen) await play(world, incident);
}
