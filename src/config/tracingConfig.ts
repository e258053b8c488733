// The configuration of traces, by the standard variables of OpenTelemetry. A gateway is often started with variables that are meant
// for all programs, so they are read only where OTEL_EXPORTER_OTLP_ENDPOINT is set (usedVariables.ts).
import { z } from "zod";
import { percentDecoded } from "./databaseUrls.ts";
import { httpUrl, wholeNumber } from "./variableRules.ts";

export interface TracingConfig {
  /** Where spans are sent, by OTLP over HTTP. */
  url: string;
  /** `name=value` pairs, comma-separated and percent-encoded. Null: none. */
  headers: string | null;
  sampler: SamplerName;
  /** For the samplers by ratio: the share of traces that are recorded, from 0 to 1. */
  ratio: number;
  queue: {
    /** Finished spans that wait to be sent; more are dropped. */
    size: number;
    batchSize: number;
    delayMs: number;
  };
}

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
type SamplerName = (typeof samplers)[number];

const MAX_QUEUE = 100_000;

export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.string().default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.string().default("1"),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumber(1, MAX_QUEUE).default(2048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: wholeNumber(1, MAX_QUEUE).default(512),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(1, 600_000).default(5000),
  // OpenTelemetry reads these itself (tracing/startTracing.ts).
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.string().optional(),
  OTEL_EXPORTER_OTLP_COMPRESSION: z.string().optional(),
  OTEL_EXPORTER_OTLP_CERTIFICATE: z.string().optional(),
} satisfies Record<string, z.ZodType>;

const shape = z.object(tracingVariables);
type Variables = z.output<typeof shape>;

/** Null: nothing is traced. */
export function tracingConfigOf(vars: Variables): TracingConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: sampler } = vars;
  if (endpoint === undefined || vars.OTEL_SDK_DISABLED?.toLowerCase() === "true" || !isSampler(sampler)) return null;
  return {
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    headers: vars.OTEL_EXPORTER_OTLP_HEADERS ?? null,
    sampler,
    ratio: Number(vars.OTEL_TRACES_SAMPLER_ARG),
    queue: {
      size: vars.OTEL_BSP_MAX_QUEUE_SIZE,
      batchSize: vars.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
      delayMs: vars.OTEL_BSP_SCHEDULE_DELAY,
    },
  };
}

export function tracingProblems(vars: Partial<Variables>): string[] {
  if (vars.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return [];
  const problems: string[] = [];
  const { OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = vars;
  if (protocol !== undefined && protocol !== "http/json")
    problems.push("OTEL_EXPORTER_OTLP_PROTOCOL can only be http/json: leave it out and name the collector's HTTP port");
  if (sampler !== undefined && !isSampler(sampler))
    problems.push(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(", ")}`);
  if (ratio !== undefined && !/^(0(\.\d+)?|1(\.0+)?)$/.test(ratio))
    problems.push("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1");
  return problems;
}

function isSampler(name: string): name is SamplerName {
  return samplers.some((sampler) => sampler === name);
}

/** The values of the headers, as they are written and as they are sent. */
export function headerSecrets(headers: string): string[] {
  const values = headers.split(",").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
  return [...values, ...values.map(percentDecoded)];
}
