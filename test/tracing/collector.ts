// A collector of OpenTelemetry: takes OTLP over HTTP in JSON, as its specification has it, and keeps the spans.
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

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number };
}

interface OtlpSpan extends Pick<CollectedSpan, "name" | "kind" | "traceId" | "spanId"> {
  parentSpanId?: string;
  attributes: Attribute[];
  links?: { spanId: string }[];
  status: { code?: number };
}

interface OtlpRequest {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

/** The ERROR of the specification's StatusCode. */
const ERROR = 2;

export async function startCollector(): Promise<Collector> {
  const service = await serve((response, { target, headers }) => {
    const isOtlp = target === "/v1/traces" && headers["content-type"] === "application/json";
    response.writeHead(isOtlp ? 200 : 400, { "content-type": "application/json" }).end("{}");
  });
  const requests = () => service.asked.map(({ body }) => JSON.parse(body) as OtlpRequest);
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

function collected({ name, kind, traceId, spanId, parentSpanId = "", attributes, links = [], status }: OtlpSpan) {
  return {
    name,
    kind,
    traceId,
    spanId,
    parentSpanId,
    attributes: valuesOf(attributes),
    links: links.map((link) => link.spanId),
    failed: status.code === ERROR,
  };
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
