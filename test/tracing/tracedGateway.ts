// A gateway in this process in front of a fake service, which sends its spans to a collector.
import { onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import { createLogger } from "../../src/logger.ts";
import { gatewayAt, type GatewayAddress } from "../support/gateway.ts";
import { TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { tempFile } from "../store/tempStore.ts";
import { emptyPage, isProbe, json, serve, wholeTask, type Answer, type Asked } from "../upstream/service.ts";
import { startCollector, type Collector } from "./collector.ts";

export interface TracedGateway extends GatewayAddress {
  collector: Collector;
  /** The requests that the service got. */
  asked: Asked[];
  /** The lines of the log. */
  lines: Record<string, unknown>[];
  stop(): Promise<void>;
}

/** Ends with its test. `env` is the gateway's. */
export async function startTraced(env: Record<string, string> = {}, answer: Answer = tasksAndCalls) {
  await using parts = new AsyncDisposableStack();
  const collector = parts.use(await startCollector());
  const service = parts.use(await serve(answer));
  const { upstream, ...config } = readConfig({
    PORT: "0",
    UPSTREAM_URL: service.url,
    UPSTREAM_TOKEN: TOKEN,
    UPSTREAM_TIME_ZONE: TIME_ZONE,
    UPSTREAM_CACHE_MS: "0",
    WEBHOOK_AUTHORIZATION,
    AUTH: "none",
    DATABASE_URL: `file:${tempFile()}`,
    RECORDINGS_DIR: tempFile("recordings"),
    RECORDING_HOSTS: "nowhere.invalid",
    RECONCILE_INTERVAL_S: "0",
    DRAIN_SECONDS: "0",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "1",
    ...env,
  });
  if (!upstream) throw new Error("The configuration names no service.");
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({ level: "debug", secrets: [], write: (text) => lines.push(JSON.parse(text) as never) });
  const gateway = await createGateway({ ...config, upstream }, log);
  const running = parts.move();
  let stopping: Promise<void> | undefined;
  const dispose = async () => gateway[Symbol.asyncDispose]();
  const stop = () => (stopping ??= dispose());
  onTestFinished(async () => {
    await stop();
    await running.disposeAsync();
  });
  return { ...gatewayAt(gateway.url), collector, asked: service.asked, lines, stop } satisfies TracedGateway;
}

/** Two tasks with one call each. */
export const tasksAndCalls: Answer = (response, asked, request) => {
  if (isProbe(asked)) return json(emptyPage)(response, asked, request);
  const { pathname, searchParams } = new URL(asked.target, "http://service");
  const taskId = /^\/openapi\/tasks\/(\d+)$/.exec(pathname)?.[1];
  if (asked.method === "POST") return void response.writeHead(200).end();
  if (taskId !== undefined) return json({ ...wholeTask(), id: Number(taskId) })(response, asked, request);
  const ids = (searchParams.get("taskId") ?? "7,8").split(",");
  const items = ids.map((id) => ({
    sessionId: `session-${id}`,
    taskId: Number(id),
    startAt: "2026-11-20 09:30:00",
    assistant: [],
  }));
  json({ items, total: items.length, pageIndex: 1, pageSize: 100 })(response, asked, request);
};

/** Two tasks whose calls are loaded in one batch. */
export const BATCH = `query Batch {
  a: task(taskId: 7) { callLogs(first: 5) { nodes { sessionId } } }
  b: task(taskId: 8) { callLogs(first: 5) { nodes { sessionId } } }
}`;
