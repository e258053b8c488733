// `npm run bench -- incidents`: causes the incidents of docs/runbook.md at a real gateway, and waits until a real Prometheus tells of
// them by the alerts of ops/. Then it ends each incident, and waits until the alert has gone.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WebSocket } from "ws";
import { callEndedEvent } from "../test/support/events.ts";
import { spawnGateway, temporaryDirectory, type GatewayAddress, type GatewayProgram } from "../test/support/gateway.ts";
import { bearer, writeKeys } from "../test/support/keys.ts";
import { startPostgres } from "../test/support/postgres/postgresServer.ts";
import { spawnSandbox, WEBHOOK_AUTHORIZATION } from "../test/support/sandbox.ts";
import { until } from "../test/support/until.ts";
import { freePorts } from "../test/support/network/freePort.ts";
import { hasPrometheus, startPrometheus } from "../test/support/measuring/prometheus.ts";
import { repeat, type Incident, type World } from "./support/incident.ts";
import { standstills } from "./support/standstills.ts";

/** An alert waits at most for its window and its `for`, which are 20 s together; a slow machine needs more. */
const FIRES_MS = 120_000;

const LIST = "{ callLogs(first: 5) { nodes { sessionId } } }";

const incidents: Incident[] = [
  {
    title: "webhooks stop",
    alert: "SwitchboardWebhooksStopped",
    async cause({ sandbox, gateway }, signal) {
      await sandbox.control("PUT", "webhook", { url: "http://127.0.0.1:9/away", authorization: "x" });
      await repeat(signal, 500, () => sandbox.endCall());
      await sandbox.control("PUT", "webhook", { url: `${gateway.url}/calllog`, authorization: WEBHOOK_AUTHORIZATION });
    },
  },
  {
    title: "the service turns slow",
    alert: "SwitchboardServiceSlow",
    async cause({ sandbox, gateway, authorization }, signal) {
      await sandbox.control("POST", "faults", { kind: "latency", ms: 3000, match: { path: "/openapi" } });
      await repeat(signal, 200, () => Promise.all([1, 2, 3].map(() => gateway.ask(LIST, {}, authorization))));
      await sandbox.control("DELETE", "faults");
      await gateway.ask(LIST, {}, authorization);
    },
  },
  {
    title: "one key floods",
    alert: "SwitchboardOperationsLimited",
    cause: ({ gateway, authorization }, signal) =>
      repeat(signal, 10, () => Promise.all(Array.from({ length: 20 }, () => gateway.ask(LIST, {}, authorization)))),
  },
  {
    title: "subscribers lag",
    alert: "SwitchboardSubscribersSlow",
    async cause({ gateway, authorization }, signal) {
      const sockets = await Promise.all(Array.from({ length: 12 }, () => openPausedSubscriber(gateway, authorization)));
      const extra = { note: "x".repeat(100_000) };
      await repeat(signal, 20, () => gateway.deliver(callEndedEvent({ extra })));
      for (const socket of sockets) socket.terminate();
    },
  },
];

/** It subscribes to ended calls and then reads nothing. */
async function openPausedSubscriber(gateway: GatewayAddress, payload: object): Promise<WebSocket> {
  const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  socket.on("error", () => undefined);
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload }));
  await once(socket, "message");
  const query = "subscription { callEnded { sessionId extra } }";
  socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query } }));
  socket.pause();
  return socket;
}

async function play(world: World, { title, alert, cause }: Incident): Promise<void> {
  const { prometheus } = world;
  await until(async () => !(await prometheus.firing()).includes(alert), FIRES_MS);
  const controller = new AbortController();
  const startedAt = performance.now();
  const caused = cause(world, controller.signal);
  try {
    await until(async () => (await prometheus.firing()).includes(alert), FIRES_MS);
  } finally {
    controller.abort();
    await caused;
  }
  const firedAfter = (performance.now() - startedAt) / 1000;
  const all = (await prometheus.firing()).join(", ");
  const endedAt = performance.now();
  await until(async () => !(await prometheus.firing()).includes(alert), FIRES_MS);
  const goneAfter = (performance.now() - endedAt) / 1000;
  console.log(`| ${title} | ${alert} | ${firedAfter.toFixed(0)} | ${goneAfter.toFixed(0)} | ${all} |`);
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
    alert: "SwitchboardDatabaseNotWritable",
    async cause({ sandbox: service }, signal) {
      await server.kill();
      await repeat(signal, 200, () => service.endCall());
      await server.start();
    },
  };
  const diskFull: Incident = {
    title: "a disk full",
    alert: "SwitchboardDiskAlmostFull",
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
  console.log("| incident | alert | fires after, s | gone after, s | all that fired |");
  console.log("| --- | --- | --- | --- | --- |");
  const all = [...incidents, ...(disk ? [diskFull] : []), postgresAway, ...still];
  const chosen = all.filter(({ alert }) => only === undefined || only.split(",").includes(alert));
  for (const incident of chosen) await play(world, incident);
}
