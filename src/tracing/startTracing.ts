// Starts OpenTelemetry: the queue of finished spans and their exporter. The exporter also reads standard variables by
// itself, such as OTEL_EXPORTER_OTLP_TIMEOUT, and the resource reads OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
import { ExportResultCode, parseKeyPairsIntoRecord } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider, type SpanExporter } from "@opentelemetry/sdk-trace";
import { tracingVariables, type TracingConfig } from "../config/tracingConfig.ts";
import { trimInvisible } from "../config/variableText.ts";
import type { Logger } from "../logger.ts";
import { createLogAggregator } from "../util/logAggregator.ts";
import { createSampling } from "./sampling.ts";
import { createSpans, endAfter } from "./spans.ts";
import { createEventTracing } from "./traceEvents.ts";
import { traceMessages, traceOperations } from "./traceOperations.ts";
import { traceRequests } from "./traceRequests.ts";
import { traceResolvers } from "./traceResolvers.ts";
import { traceTaskSender, traceTransport, traceUpstream } from "./traceService.ts";
import type { Tracing } from "./tracing.ts";

export interface TracingOptions extends Omit<TracingConfig, "headers"> {
  /** Those of now, as the configuration has them. */
  headers: () => string;
  version: string;
  /** The number of proxies in front. Only with one or more is the traceparent of a request continued. */
  trustedProxies: number;
  log: Logger;
}

/** How long the end of the gateway waits for the collector to take the last spans. */
const FLUSH_MS = 3000;
const LOG_INTERVAL_MS = 60_000;

export function startTracing(options: TracingOptions): Tracing {
  const { url, version, trustedProxies, log, queue } = options;
  trimOwnVariables();
  const headers = async () => parseKeyPairsIntoRecord(options.headers());
  const failures = createLogAggregator(
    (batches) => log.warn({ batches }, "spans could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT and are lost"),
    { intervalMs: LOG_INTERVAL_MS, reportsFirstAtOnce: true },
  );
  // The queue is bounded: while the collector is away, new spans are dropped.
  const processor = new BatchSpanProcessor({
    exporter: reportingFailures(new OTLPTraceExporter({ url, headers }), (name) => failures.add(name)),
    maxQueueSize: queue.size,
    maxExportBatchSize: queue.batchSize,
    scheduledDelayMillis: queue.delayMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "switchboard", "service.version": version }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    // Each span that is made is recorded: sampling.ts decides before.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [processor],
  });
  const isSampled = createSampling(options);
  const spans = createSpans(provider.getTracer("switchboard", version));
  const events = createEventTracing(spans);

  return {
    request: traceRequests({ spans, isSampled, trustsCaller: trustedProxies > 0 }),
    pipeline: (pipeline) => traceOperations(pipeline, spans),
    messages: (pipeline) => traceMessages(pipeline, spans, isSampled),
    executor: (create) => traceResolvers(create, spans),
    batch: (name, read) => (keys) => {
      const span = spans.startPart(`batch ${name}`, { attributes: { "switchboard.batch.size": keys.length } });
      return span
        ? endAfter(
            span,
            span.run(() => read(keys)),
          )
        : read(keys);
    },
    upstream: (upstream) => traceUpstream(upstream, spans),
    transport: (transport, serviceUrl) => traceTransport(transport, serviceUrl, spans),
    taskSender: (sender, serviceUrl) => traceTaskSender(sender, serviceUrl, spans),
    ...events,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          failures.add("FLUSH_TIMEOUT");
          resolve();
        }, FLUSH_MS);
        // A failure was reported by the exporter.
        void provider
          .shutdown()
          .catch(() => undefined)
          .then(() => {
            clearTimeout(timer);
            resolve();
          });
      });
      failures[Symbol.dispose]();
    },
  };
}

/** For those that OpenTelemetry reads by itself. */
function trimOwnVariables(): void {
  for (const name of Object.keys(tracingVariables)) {
    const text = process.env[name];
    if (text !== undefined) process.env[name] = trimInvisible(text);
  }
}

/** Reports the code of each failure. A message may quote the collector. */
function reportingFailures(exporter: SpanExporter, report: (name: string) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) report(codeOf(result.error));
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function codeOf(error: Error | undefined): string {
  const { code, message = "" } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === "string" || typeof code === "number") return String(code);
  return /timeout|timed out/i.test(message) ? "TIMEOUT" : "UNKNOWN";
}
