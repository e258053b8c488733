// GET /metrics for Prometheus, on its own port (METRICS_PORT): the counts of counters.ts, and gauges that are read from the
// parts of the gateway at each request. It needs no credentials, so the port must be reachable only for the operator.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type * as Prometheus from "prom-client";
import type { Log } from "../log.ts";
import type { Counter, Counters } from "./counters.ts";
import type { Store } from "../store/store.ts";
import { upstreamStates, type UpstreamStatus } from "../upstream/upstream.ts";
import { sendText } from "./httpResponse.ts";
import { pathOf, targetOf } from "./requestHead.ts";

// Not `import`: see httpServer.ts.
const { createServer } = process.getBuiltinModule("node:http");

export interface MetricsDeps {
  host: string;
  /** Null: no metrics are served, and prom-client is not loaded. */
  port: number | null;
  counters: Counters;
  store: Pick<Store, "events" | "quarantine" | "recordings">;
  service: { status(): UpstreamStatus };
  sockets: { size: () => number };
  subscribers: { running(): number };
  groups: { running(): number };
  log: Log;
}

const STALL_CHECK_MS = 5000;
/** A turn of the event loop that is at least this long is logged. */
const STALL_MS = 500;

export async function startMetrics(deps: MetricsDeps): Promise<AsyncDisposable> {
  const { host, port, log } = deps;
  if (port === null) return { [Symbol.asyncDispose]: async () => undefined };
  const prometheus = await import("prom-client");
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  registerGatewayMetrics(prometheus, registry, deps);
  const watchdog = watchEventLoop(log);
  const server = createServer((request, response) => {
    // Prometheus may send a query, which only some exporters use.
    if (pathOf(targetOf(request)) !== "/metrics") return sendText(response, 404, "There is nothing here.\n");
    if (request.method !== "GET" && request.method !== "HEAD")
      return sendText(response, 405, "", { allow: "GET, HEAD" });
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      (err: unknown) => {
        log.warn({ err }, "the metrics cannot be read");
        sendText(response, 503, "The metrics cannot be read now.\n");
      },
    );
  });
  server.listen(port, host);
  await once(server, "listening");
  log.info({ port: (server.address() as AddressInfo).port }, "metrics are served");
  return {
    async [Symbol.asyncDispose]() {
      watchdog[Symbol.dispose]();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function registerGatewayMetrics(
  prometheus: typeof Prometheus,
  registry: Prometheus.Registry,
  { counters, store, service, sockets, subscribers, groups, log }: MetricsDeps,
): void {
  const registers = [registry];
  /** Null: the value is unavailable, for example while the database is down. The other metrics are still served. */
  const readOrNull = async <T>(read: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (err) {
      log.warn({ err }, "a metric cannot be read");
      return null;
    }
  };
  const addCounter = <L extends string>(name: string, help: string, labelNames: L[], counter: Counter<L>) =>
    new prometheus.Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { labels, count } of counter.read()) this.inc(labels, count);
      },
    });
  const addUpstreamCounter = (name: string, help: string, sum: "requests" | "retries" | "shared" | "cached") =>
    new prometheus.Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(service.status()[sum]);
      },
    });
  const addGauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new prometheus.Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await readOrNull(read);
        if (value === null) this.remove();
        else this.set(value);
      },
    });

  // docs/operating.md lists them with the same texts.
  addCounter("switchboard_operations_total", "Operations.", ["transport", "kind", "code"], counters.operations);
  // The one name without the prefix: alerts for the rotation of the secret use it (docs/security.md).
  addCounter(
    "webhook_auth_total",
    "Authorization headers of webhooks, by the accepted value.",
    ["secret"],
    counters.webhookAuth,
  );
  addCounter("switchboard_webhooks_total", "Authentic webhooks.", ["outcome"], counters.webhooks);
  addCounter(
    "switchboard_not_served_total",
    "Rejected connections, requests and sockets.",
    ["place", "status"],
    counters.rejections,
  );
  addGauge("switchboard_sockets", "Open WebSockets.", sockets.size);
  addGauge("switchboard_subscriptions", "Running subscriptions.", () => subscribers.running());
  addGauge("switchboard_groups", "Groups of subscriptions that share results.", () => groups.running());
  addGauge("switchboard_log_head", "The position of the newest entry in the log of ended calls.", () =>
    store.events.head(),
  );
  addGauge("switchboard_quarantined", "Webhooks in quarantine.", () => store.quarantine.count());
  addUpstreamCounter("switchboard_upstream_requests_total", "Read requests to the service, with retries.", "requests");
  addUpstreamCounter("switchboard_upstream_retries_total", "Retries of read requests to the service.", "retries");
  addUpstreamCounter("switchboard_upstream_shared_total", "Reads that shared another request.", "shared");
  addUpstreamCounter("switchboard_upstream_cached_total", "Reads that the cache answered.", "cached");
  addGauge("switchboard_upstream_under_way", "Requests to the service in flight.", () => service.status().underWay);
  addGauge(
    "switchboard_upstream_queued",
    "Requests to the service that wait for a free slot.",
    () => service.status().queued,
  );
  void new prometheus.Gauge({
    name: "switchboard_upstream_state",
    help: "1 for the current state of the service.",
    labelNames: ["state"],
    registers,
    collect() {
      for (const each of upstreamStates) this.set({ state: each }, Number(service.status().state === each));
    },
  });
  void new prometheus.Gauge({
    name: "switchboard_recordings",
    help: "Recordings, by status.",
    labelNames: ["status"],
    registers,
    async collect() {
      const counts = await readOrNull(() => store.recordings.counts());
      this.reset();
      for (const [status, count] of Object.entries(counts ?? {})) this.set({ status }, count);
    },
  });
}

/** Logs when the event loop was blocked, and no request was handled meanwhile. */
function watchEventLoop(log: Log): Disposable {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const timer = setInterval(() => {
    const milliseconds = Math.round(delay.max / 1e6);
    delay.reset();
    if (milliseconds >= STALL_MS) log.warn({ milliseconds }, "the event loop was blocked");
  }, STALL_CHECK_MS).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
