// GET /metrics on a port of its own, for Prometheus: what counters.ts counts, and what the parts know of themselves when they
// are asked. It has no credentials, so the port is for the operator's network alone.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type * as Prometheus from "prom-client";
import type { Log } from "../log.ts";
import type { Counter, Counters } from "./counters.ts";
import type { Store } from "../store/store.ts";
import { upstreamStates, type UpstreamStatus } from "../upstream/upstream.ts";
import { sendText } from "./httpResponse.ts";
import { createServer } from "./nodeHttp.ts";
import { pathOf, targetOf } from "./requestTarget.ts";

export interface MetricsDeps {
  host: string;
  /** Null: nothing is listened to, and nothing of prom-client is loaded. */
  port: number | null;
  counters: Counters;
  store: Pick<Store, "events" | "quarantine" | "recordings">;
  service: { status(): UpstreamStatus };
  sockets: { size: () => number };
  subscribers: { running(): number };
  groups: { running(): number };
  log: Log;
}

const LOOK_MS = 5000;
/** So long nobody was answered. */
const LONGEST_STALL_MS = 500;

export async function startMetrics(deps: MetricsDeps): Promise<AsyncDisposable> {
  const { host, port, log } = deps;
  if (port === null) return { [Symbol.asyncDispose]: async () => undefined };
  const prometheus = await import("prom-client");
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  registerOwn(prometheus, registry, deps);
  const watchdog = watchEventLoop(log);
  const server = createServer((request, response) => {
    // What Prometheus asks besides is for exporters that do as they are asked.
    if (pathOf(targetOf(request)) !== "/metrics") return sendText(response, 404, "There is nothing here.\n");
    if (request.method !== "GET" && request.method !== "HEAD")
      return sendText(response, 405, "", { allow: "GET, HEAD" });
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      (err: unknown) => {
        log.warn({ err }, "metrics could not be read");
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

function registerOwn(
  prometheus: typeof Prometheus,
  registry: Prometheus.Registry,
  { counters: meters, store, service, sockets, subscribers, groups, log }: MetricsDeps,
): void {
  const registers = [registry];
  /** Null: it cannot be had, as where the database is away. All else is wanted most then. */
  const readable = async <T>(read: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (err) {
      log.warn({ err }, "a metric cannot be read now");
      return null;
    }
  };
  const counted = <L extends string>(name: string, help: string, labelNames: L[], meter: Counter<L>) =>
    new prometheus.Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { labels, count } of meter.read()) this.inc(labels, count);
      },
    });
  const summed = (name: string, help: string, sum: "requests" | "retries" | "shared" | "cached") =>
    new prometheus.Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(service.status()[sum]);
      },
    });
  const told = (name: string, help: string, read: () => number | Promise<number>) =>
    new prometheus.Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await readable(read);
        if (value === null) this.remove();
        else this.set(value);
      },
    });

  // docs/operating.md has each with these words.
  counted("switchboard_operations_total", "Operations.", ["transport", "kind", "code"], meters.operations);
  counted("webhook_auth_total", "Headers of webhooks, by the value they fit.", ["secret"], meters.webhookAuth);
  counted("switchboard_webhooks_total", "Authentic webhooks.", ["outcome"], meters.webhooks);
  counted("switchboard_not_served_total", "What was not served.", ["place", "status"], meters.rejections);
  told("switchboard_sockets", "WebSockets that are open.", sockets.size);
  told("switchboard_subscriptions", "Subscriptions that run.", () => subscribers.running());
  told("switchboard_groups", "Groups of subscribers who are told the same.", () => groups.running());
  told("switchboard_log_head", "The newest place in the log of ended calls.", () => store.events.head());
  told("switchboard_quarantined", "Deliveries in quarantine.", () => store.quarantine.count());
  summed("switchboard_upstream_requests_total", "Reading requests to the service, retries too.", "requests");
  summed("switchboard_upstream_retries_total", "Reading requests that were sent again.", "retries");
  summed("switchboard_upstream_shared_total", "Questions that shared another's request.", "shared");
  summed("switchboard_upstream_cached_total", "Questions answered from what was kept.", "cached");
  told("switchboard_upstream_under_way", "Requests to the service under way.", () => service.status().underWay);
  told("switchboard_upstream_queued", "Requests to the service that wait for a slot.", () => service.status().queued);
  void new prometheus.Gauge({
    name: "switchboard_upstream_state",
    help: "1 for the state that the service is in.",
    labelNames: ["state"],
    registers,
    collect() {
      for (const each of upstreamStates) this.set({ state: each }, Number(service.status().state === each));
    },
  });
  void new prometheus.Gauge({
    name: "switchboard_recordings",
    help: "Recordings, by what became of them.",
    labelNames: ["status"],
    registers,
    async collect() {
      const counts = await readable(() => store.recordings.counts());
      this.reset();
      for (const [status, count] of Object.entries(counts ?? {})) this.set({ status }, count);
    },
  });
}

/** Tells the operator when the process stood still: a document, a database or a machine was too much for it. */
function watchEventLoop(log: Log): Disposable {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const timer = setInterval(() => {
    const milliseconds = Math.round(delay.max / 1e6);
    delay.reset();
    if (milliseconds >= LONGEST_STALL_MS)
      log.warn({ milliseconds }, "the process stood still, and nobody was answered");
  }, LOOK_MS).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
