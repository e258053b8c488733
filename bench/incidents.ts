// `npm run bench -- incidents`: causes the incidents of docs/runbook.md at a real gateway, and waits until a real Prometheus tells of
// them by the alerts of ops/. Then it ends each incident, and waits until the alert has gone.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WebSocket } from "ws";
import { callEndedEvent } from "../test/support/events.ts";
import { spawnGateway, temporaryDirectory, type TestGateway } from "../test/support/gateway.ts";
import { bearer, writeKeys } from "../test/support/keys.ts";
import { startPostgres } from "../test/support/postgres/postgresServer.ts";
import { spawnSandbox, WEBHOOK_AUTHORIZATION, type TestSandbox } from "../test/support/sandbox.ts";
import { until } from "../test/support/until.ts";
import { hasPrometheus, startPrometheus, type Prometheus } from "../test/support/measuring/prometheus.ts";

/** An alert waits at most for its window and its `for`, which are 20 s together; a slow machine needs more. */
const FIRES_MS = 120_000;

interface World {
  gateway: TestGateway;
  sandbox: TestSandbox;
  prometheus: Prometheus;
  authorization: { authorization: string };
}

interface Incident {
  title: string;
  /** The alert that must fire. Others may, too. */
  alert: string;
  /** Causes the incident until the signal is aborted. Resolves when it has ended. */
  cause(world: World, signal: AbortSignal): Promise<void>;
}

const LIST = "{ callLogs(first: 5) { nodes { sessionId } } }";

/** Repeats `work`, with pauses, until the signal is aborted. */
async function repeat(signal: AbortSignal, pauseMs: number, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await work().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

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
async function openPausedSubscriber(gateway: TestGateway, payload: object): Promise<WebSocket> {
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

const DISK_BYTES = 16 * 1024 * 1024;

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

/** Prints a table. Throws if an alert does not fire, or does not go away. */
export async function benchIncidents(): Promise<void> {
  if (!hasPrometheus) throw new Error("incidents needs Prometheus: apt-get install --no-install-recommends prometheus");
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  const server = parts.use(await startPostgres({ fsync: true }));
  const sandbox = parts.use(await spawnSandbox());
  const disk = await mountSmallDisk();
  if (disk) parts.use(disk);
  const recordings = disk ? { RECORDINGS_DIR: disk.path } : {};
  const settings = {
    ...recordings,
    METRICS_PORT: "0",
    RECONCILE_INTERVAL_S: "1",
    RATE_LIMIT: "600",
    UPSTREAM_CACHE_MS: "0",
  };
  const keys = await writeKeys(directory.path, { web: ["calls:read", "people:read"] });
  const gateway = parts.use(
    await spawnGateway(sandbox, { ...settings, DATABASE_URL: server.url, API_KEYS_FILE: keys }),
  );
  await sandbox.control("PUT", "webhook", { url: `${gateway.url}/calllog`, authorization: WEBHOOK_AUTHORIZATION });
  const { port } = await gateway.line(({ msg }) => msg === "metrics are served");
  const prometheus = parts.use(await startPrometheus(`http://127.0.0.1:${String(port)}`));
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
  if (!disk) console.log("a disk full is left out: only root can mount a small disk");
  console.log("| incident | alert | fires after, s | gone after, s | all that fired |");
  console.log("| --- | --- | --- | --- | --- |");
  for (const incident of [...incidents, ...(disk ? [diskFull] : []), postgresAway]) await play(world, incident);
}
