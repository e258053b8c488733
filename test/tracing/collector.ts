// A collector of OpenTelemetry: takes OTLP over HTTP in JSON, refuses what is not in the published format,
// and keeps the spans.
import { z } from "zod";
import { serve } from "../upstream/service.ts";
import { until } from "../support/until.ts";

export interface CollectedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  attributes: Record<string, unknown>;
  /** IDs of spans of other traces. */
  links: string[];
  failed: boolean;
}

export interface Collector extends AsyncDisposable {
  url: string;
  spans(): CollectedSpan[];
  /** Everything that was received, as text. */
  text(): string;
  /** Resolves with the first span of this name that fits. */
  span(name: string, fits?: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  /** From the first span of the trace down to this one, when all of them were received. */
  pathTo(span: CollectedSpan): Promise<string[]>;
  /** The attributes of the program. */
  resource(): Record<string, unknown>;
}

/**
 * A request of OTLP over HTTP in JSON, as opentelemetry-proto 1.x publishes it: unknown members are refused, IDs are hexadecimal and
 * neither empty nor zero, times are nanoseconds in decimal text, and enums are integers.
 */
const hexadecimal = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`));
const nanoseconds = z.string().regex(/^[1-9]\d{18}$/);
const count = z.int().nonnegative();
const attribute = z.strictObject({
  key: z.string().min(1),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }) }),
  ]),
});
const attributes = z.array(attribute);
const otlpSpan = z.strictObject({
  traceId: hexadecimal(32),
  spanId: hexadecimal(16),
  traceState: z.string().optional(),
  parentSpanId: hexadecimal(16).optional(),
  flags: count.optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  droppedAttributesCount: count,
  events: z.array(z.never()),
  droppedEventsCount: count,
  links: z.array(
    z.strictObject({
      traceId: hexadecimal(32),
      spanId: hexadecimal(16),
      traceState: z.string().optional(),
      attributes,
      droppedAttributesCount: count,
      flags: count.optional(),
    }),
  ),
  droppedLinksCount: count,
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
});
const otlpRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes, droppedAttributesCount: count }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string().optional() }),
          spans: z.array(otlpSpan),
          schemaUrl: z.string().optional(),
        }),
      ),
      schemaUrl: z.string().optional(),
    }),
  ),
});
type Attribute = z.output<typeof attribute>;
type OtlpSpan = z.output<typeof otlpSpan>;

/** The ERROR of the specification's StatusCode. */
const ERROR = 2;

export async function startCollector(): Promise<Collector> {
  const service = await serve((response, { target, headers }) => {
    const isOtlp = target === "/v1/traces" && headers["content-type"] === "application/json";
    response.writeHead(isOtlp ? 200 : 400, { "content-type": "application/json" }).end("{}");
  });
  const requests = () => service.asked.map(({ body }) => otlpRequest.parse(JSON.parse(body)));
  const spans = () =>
    requests()
      .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
      .flatMap((scope) => scope.spans.map(collected));
  return {
    ...service,
    spans,
    text: () => service.asked.map(({ target, headers, body }) => JSON.stringify([target, headers, body])).join("\n"),
    span: (name, fits = () => true) => until(() => spans().find((span) => span.name === name && fits(span))),
    async pathTo(span) {
      const path = [span.name];
      let { parentSpanId } = span;
      while (parentSpanId !== "") {
        const parent = await until(() => spans().find(({ spanId }) => spanId === parentSpanId));
        path.unshift(parent.name);
        ({ parentSpanId } = parent);
      }
      return path;
    },
    resource: () => valuesOf(requests()[0]?.resourceSpans[0]?.resource.attributes ?? []),
  };
}

function collected({ name, kind, traceId, spanId, parentSpanId = "", attributes: own, links, status }: OtlpSpan) {
  return {
    name,
    kind,
    traceId,
    spanId,
    parentSpanId,
    attributes: valuesOf(own),
    links: links.map((link) => link.spanId),
    failed: status.code === ERROR,
  };
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
