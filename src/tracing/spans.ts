// The spans of OpenTelemetry for the parts of this folder. The current span follows the work through promises, timers and
// callbacks. Work of a trace that is not sampled has no current span, and so costs nothing. Work that outlives its span, such as a
// poller that a request has started, is not traced.
import { AsyncLocalStorage } from "node:async_hooks";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Attributes, Span, SpanContext, Tracer } from "@opentelemetry/api";
import { GraphQLError } from "graphql";
import { CodedError } from "../errors.ts";
import { createLogContext, type LogContext } from "../util/logContext.ts";

export interface OpenSpan {
  context: SpanContext;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** What the work starts is part of this span, and the log lines of a trace's first span have its ID. */
  run<T>(work: () => T): T;
  /** Only the first call counts. `failure`: a status or an error code, never a message. */
  end(failure?: string): void;
}

export interface SpanOptions {
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
}

export interface TraceOptions extends SpanOptions {
  /** A trusted caller's span, which is continued. */
  parent?: SpanContext | null;
  /** A span of another trace that led to this one. */
  link?: SpanContext;
}

export interface Spans {
  /** Whether the current work is recorded. */
  isRecorded(): boolean;
  /** Begins a trace that is recorded, or continues a caller's. */
  startTrace(name: string, options: TraceOptions): OpenSpan;
  /** Begins a part of the current work. Null: that is not recorded. */
  startPart(name: string, options?: SpanOptions): OpenSpan | null;
  /** The same for work that may turn out to need no span. */
  lazyPart(name: string): LazySpan | null;
  /** Runs work that serves more than the current one, such as a connection. */
  outside<T>(work: () => T): T;
  /** Makes a callback run as a part of the current work, wherever it is called. */
  bind<Callback extends (...args: never[]) => unknown>(callback: Callback): Callback;
}

/** Begins with `begin`, or with the first span that its work begins. */
export interface LazySpan {
  /** The span that it is a part of. */
  parent: object;
  run<T>(work: () => T): T;
  begin(): void;
  end(attributes: Attributes, failure?: string): void;
}

/** `tracer` records each span: sampling.ts has decided before. */
export function createSpans(tracer: Tracer): Spans {
  const current = new AsyncLocalStorage<(() => Span) | undefined>();

  function start(name: string, { kind = "INTERNAL", attributes = {}, link }: TraceOptions, parent: Span | null): Span {
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const links = link ? { links: [{ context: link }] } : {};
    return tracer.startSpan(name, { kind: SpanKind[kind], attributes, ...links }, context);
  }
  function opened(span: Span, log: LogContext | null): OpenSpan {
    const getSpan = () => span;
    return {
      context: span.spanContext(),
      rename: (name) => void span.updateName(name),
      set: (attributes) => void span.setAttributes(attributes),
      run: (work) => current.run(getSpan, log ? () => log.run(work) : work),
      end(failure) {
        if (!span.isRecording()) return;
        endSpan(span, failure);
        log?.end();
      },
    };
  }
  function recordedParent(): Span | null {
    const span = current.getStore()?.();
    return span?.isRecording() ? span : null;
  }

  return {
    isRecorded: () => recordedParent() !== null,
    startTrace(name, { parent, ...options }) {
      const span = start(name, options, parent ? trace.wrapSpanContext(parent) : null);
      return opened(span, createLogContext({ traceId: span.spanContext().traceId }));
    },
    startPart(name, options = {}) {
      const parent = recordedParent();
      return parent && opened(start(name, options, parent), null);
    },
    lazyPart(name) {
      const parent = recordedParent();
      if (!parent) return null;
      let span: Span | undefined;
      const getSpan = () => (span ??= start(name, {}, parent));
      return {
        parent,
        run: (work) => current.run(getSpan, work),
        begin: () => void getSpan(),
        end: (attributes, failure) => endSpan(getSpan().setAttributes(attributes), failure),
      };
    },
    outside: (work) => (current.getStore() === undefined ? work() : current.run(undefined, work)),
    bind: (callback) => AsyncLocalStorage.bind(callback),
  };
}

function endSpan(span: Span, failure: string | undefined): void {
  if (failure !== undefined) span.setAttribute("error.type", failure).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** The header that continues a recorded trace in another service: https://www.w3.org/TR/trace-context/#traceparent-header */
export function traceparentOf({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`;
}

/** Ends the span after the work, and passes on its result. */
export async function endAfter<T>(span: OpenSpan, work: Promise<T>): Promise<T> {
  try {
    const result = await work;
    span.end();
    return result;
  } catch (error) {
    span.end(failureOf(error));
    throw error;
  }
}

/** The code alone: a message may quote values. */
export function failureOf(error: unknown): string {
  if (error instanceof CodedError) return error.code;
  const code = error instanceof GraphQLError ? error.extensions["code"] : undefined;
  if (typeof code === "string") return code;
  return error instanceof GraphQLError && error.originalError ? failureOf(error.originalError) : "INTERNAL";
}
