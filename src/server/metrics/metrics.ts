// GET /metrics for Prometheus, on its own port (METRICS_PORT). It needs no credentials, so the port must be reachable only for
// the operator. catalogue.ts declares the metrics, observers.ts and readings.ts fill them.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { listenWhenPossible } from "../../util/start/listening.ts";
import type { Waiting } from "../../util/start/waiting.ts";
import { readVersion } from "../../util/version.ts";
import { sendText } from "../httpResponse.ts";
import type { DestinationContent } from "../../destinations/observer.ts";
import { pathOf, targetOf } from "../requestHead.ts";
import { watchEventLoop } from "./eventLoopWatch.ts";
import { createMetricRegistry } from "./instruments.ts";
import { createObservers, noObservers, type Observers } from "./observers.ts";
import { createReadings, type ReadingDeps } from "./readings.ts";

// Not `import`: see httpServer.ts.
const { createServer } = process.getBuiltinModule("node:http");

export const METRICS_PATH = "/metrics";

export interface Metrics {
  /** What the parts of the gateway report to. */
  observers: Observers;
  /** Serves the page until it is disposed of. Waits for the address, and throws a FinalError if it cannot be listened on. */
  serve(deps: ReadingDeps & { waiting: Waiting }): Promise<AsyncDisposable>;
}

export interface MetricsOptions {
  host: string;
  /** Null: no metrics are served, and prom-client is not loaded. */
  port: number | null;
}

export async function createMetrics({ host, port }: MetricsOptions): Promise<Metrics> {
  if (port === null) return { observers: noObservers, serve: async () => new AsyncDisposableStack() };
  const { registry, instruments } = await createMetricRegistry();
  instruments.buildInfo.set({ version: await readVersion(), node: process.version }, 1);
  const readers = new Set<string>();
  const destinations = new Map<string, DestinationContent>();
  return {
    observers: createObservers(instruments, readers, destinations),
    async serve(deps) {
      const { waiting, log } = deps;
      const read = createReadings(instruments, { readers, destinations }, deps);
      const server = createServer((request, response) => {
        // Prometheus may send a query, which only some exporters use.
        if (pathOf(targetOf(request)) !== METRICS_PATH) return sendText(response, 404, "There is nothing here.\n");
        if (request.method !== "GET" && request.method !== "HEAD")
          return sendText(response, 405, "", { allow: "GET, HEAD" });
        read()
          .then(() => registry.metrics())
          .then((text) => response.writeHead(200, { "content-type": registry.contentType }).end(text))
          .catch((err: unknown) => {
            log.warn({ err }, "the metrics cannot be read");
            if (response.headersSent) response.destroy();
            else sendText(response, 503, "The metrics cannot be read now.\n");
          });
      });
      const listen = async () => once(server.listen(port, host), "listening");
      await listenWhenPossible(listen, { host, variables: { host: "HOST", port: "METRICS_PORT" } }, waiting);
      const watchdog = watchEventLoop(log);
      server.on("error", (err) => log.warn({ err }, "a connection of Prometheus could not be accepted"));
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
    },
  };
}
