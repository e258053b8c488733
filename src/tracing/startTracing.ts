// Starts OpenTelemetry: the sampler, the queue of finished spans and their exporter. The exporter also reads standard variables by
// itself, such as OTEL_EXPORTER_OTLP_HEADERS, and the resource reads OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
import { type Context, type SpanKind, type Attributes, type Link, trace, TraceFlags } from "@opentelemetry/api";
import { ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import type { TracingConfig } from "../config/tracingConfig.ts";
import type { Log } from "../log.ts";
import { createLogAggregator } from "../util/logAggregator.ts";
import { createSpans, endAfter } from "./spans.ts";
import { createEventTracing } from "./traceEvents.ts";
import { traceOperations } from "./traceOperations.ts";
import { traceRequests } from "./traceRequests.ts";
import { traceResolvers } from "./traceResolvers.ts";
import { traceTaskSender, traceTransport, traceUpstream } from "./traceService.ts";
import type { Tracing } from "./tracing.ts";

export interface TracingOptions extends TracingConfig {
  version: string;
  /** The number of proxies in front. Only with one or more is the traceparent of a request continued. */
  trustedProxies: number;
  log: Log;
}

/** How long the end of the gateway waits for the collector to take the last spans. */
const FLUSH_MS = 3000;
const LOG_INTERVAL_MS = 60_000;

export function startTracing(options: TracingOptions): Tracing {
  const { url, version, trustedProxies, log, queue } = options;
  const failures = createLogAggregator(
    (batches) => log.warn({ batches }, "spans could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT and are lost"),
    { intervalMs: LOG_INTERVAL_MS, reportsFirstAtOnce: true },
  );
  // The queue is bounded: while the collector is away, new spans are dropped.
  const processor = new BatchSpanProcessor({
    exporter: reportingFailures(new OTLPTraceExporter({ url }), (name) => failures.add(name)),
    maxQueueSize: queue.size,
    maxExportBatchSize: queue.batchSize,
    scheduledDelayMillis: queue.delayMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "switchboard", "service.version": version }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: followingLinks(createSampler(options)),
    spanProcessors: [processor],
  });
  const spans = createSpans(provider.getTracer("switchboard", version));
  const events = createEventTracing(spans);
  const restores: (() => void)[] = [];

  return {
    request: traceRequests(spans, { trustsCaller: trustedProxies > 0 }),
    pipeline: (pipeline) => traceOperations(pipeline, spans),
    schema(schema) {
      restores.push(traceResolvers(schema, spans));
      return schema;
    },
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
      for (const restore of restores) restore();
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

/** The standard's samplers, by the names of OTEL_TRACES_SAMPLER. */
function createSampler({ sampler, ratio }: TracingConfig): Sampler {
  const root = sampler.endsWith("always_on")
    ? new AlwaysOnSampler()
    : sampler.endsWith("always_off")
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

/** A delivery is sampled if the commit that it links to is. Otherwise one of a hundred recorded webhooks would show where it went. */
function followingLinks(sampler: Sampler): Sampler {
  return {
    shouldSample(
      context: Context,
      traceId: string,
      name: string,
      kind: SpanKind,
      attributes: Attributes,
      links: Link[],
    ) {
      const isRoot = trace.getSpanContext(context) === undefined;
      const isLinked = links.some((link) => (link.context.traceFlags & TraceFlags.SAMPLED) !== 0);
      if (isRoot && isLinked) return { decision: SamplingDecision.RECORD_AND_SAMPLED };
      return sampler.shouldSample(context, traceId, name, kind, attributes, links);
    },
    toString: () => `FollowingLinks{${sampler.toString()}}`,
  };
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
