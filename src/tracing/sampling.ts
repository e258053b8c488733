// Decides which traces are recorded (OTEL_TRACES_SAMPLER), before a span is made: a span that is thrown away would cost 5 % of the
// time of a small query. The share for traces that begin here is drawn at random, as the IDs of traces are.
import { ROOT_CONTEXT, TraceFlags, type SpanContext } from "@opentelemetry/api";
import { SamplingDecision, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace";
import type { TracingConfig } from "../config/tracingConfig.ts";

/** Whether to record a trace that begins here (null), or continues a caller's. */
export type IsSampled = (caller: SpanContext | null) => boolean;

export function createSampling({ sampler, ratio }: Pick<TracingConfig, "sampler" | "ratio">): IsSampled {
  const share = sampler.endsWith("always_on") ? 1 : sampler.endsWith("always_off") ? 0 : ratio;
  const followsCaller = sampler.startsWith("parentbased_");
  // All programs must decide alike for the ID of a trace.
  const byTraceId = new TraceIdRatioBasedSampler(share);
  return (caller) => {
    if (!caller) return Math.random() < share;
    if (followsCaller) return (caller.traceFlags & TraceFlags.SAMPLED) !== 0;
    return byTraceId.shouldSample(ROOT_CONTEXT, caller.traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  };
}
