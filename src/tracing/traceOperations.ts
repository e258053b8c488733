// The span of each operation: its checks and its execution. Of a subscription it covers the opening; its events have spans of
// their own (traceEvents.ts). Of an answer in parts it ends with the last part. It is a part of an HTTP request, or of a message on a WebSocket.
import type { Operation, OperationPipeline } from "../graphql/operation.ts";
import { whenAnswered } from "../graphql/whenAnswered.ts";
import { maskDigitRuns } from "../logger.ts";
import { andThen } from "../util/maybePromise.ts";
import type { IsSampled } from "./sampling.ts";
import { failureOf, type OpenSpan, type Spans } from "./spans.ts";

export function traceOperations<Pipeline extends OperationPipeline>(pipeline: Pipeline, spans: Spans): Pipeline {
  return prepareWithin(pipeline, () => spans.startPart("GraphQL operation"), describe);
}

/** Each message that asks for an operation begins a trace, as each HTTP request does. */
export function traceMessages<Pipeline extends OperationPipeline>(
  pipeline: Pipeline,
  spans: Spans,
  isSampled: IsSampled,
): Pipeline {
  const start = () => (isSampled(null) ? spans.startTrace("WebSocket subscribe", { kind: "SERVER" }) : null);
  return prepareWithin(pipeline, start, () => undefined);
}

function describe(span: OpenSpan, { kind, name }: Operation): void {
  span.rename(kind);
  span.set({ "graphql.operation.type": kind });
  // The client chooses the name, and could put a number into it.
  if (name !== null) span.set({ "graphql.operation.name": maskDigitRuns(name) });
}

function prepareWithin<Pipeline extends OperationPipeline>(
  pipeline: Pipeline,
  start: () => OpenSpan | null,
  describeOperation: (span: OpenSpan, operation: Operation) => void,
): Pipeline {
  return {
    ...pipeline,
    prepare(...request: Parameters<OperationPipeline["prepare"]>): ReturnType<OperationPipeline["prepare"]> {
      const span = start();
      if (!span) return pipeline.prepare(...request);
      const operation = span.run(() => pipeline.prepare(...request));
      if ("errors" in operation) {
        endWith(span, operation.errors[0]);
        return operation;
      }
      describeOperation(span, operation);
      return {
        ...operation,
        run: (...args) =>
          andThen(
            span.run(() => operation.run(...args)),
            (result) => whenAnswered(result, (error) => endWith(span, error)),
          ),
      };
    },
  };
}

function endWith(span: OpenSpan, error: unknown): void {
  span.end(error === undefined ? undefined : failureOf(error));
}
