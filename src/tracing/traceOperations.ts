// The span of each operation: its checks and its execution. Of a subscription it covers the opening; its events have spans of
// their own (traceEvents.ts). Over HTTP it is a part of the request; on a WebSocket it begins a trace.
import type { OwnedPipeline } from "../graphql/pipeline.ts";
import { maskDigitRuns } from "../log.ts";
import { andThen } from "../util/maybePromise.ts";
import { failureOf, type OpenSpan, type Spans } from "./spans.ts";

const NAME = "GraphQL operation";

export function traceOperations(pipeline: OwnedPipeline, spans: Spans): OwnedPipeline {
  return {
    ...pipeline,
    prepare(request, grant, largeBody) {
      const span = spans.isInTrace() ? spans.startPart(NAME) : spans.startTrace(NAME, { kind: "SERVER" });
      if (!span) return pipeline.prepare(request, grant, largeBody);
      const operation = span.run(() => pipeline.prepare(request, grant, largeBody));
      if ("errors" in operation) {
        endWith(span, operation.errors);
        return operation;
      }
      const { kind, name } = operation;
      span.rename(kind);
      span.set({ "graphql.operation.type": kind });
      // The client chooses the name, and could put a number into it.
      if (name !== null) span.set({ "graphql.operation.name": maskDigitRuns(name) });
      return {
        ...operation,
        run: (...args) =>
          andThen(
            span.run(() => operation.run(...args)),
            (result) => {
              endWith(span, Symbol.asyncIterator in result ? undefined : result.errors);
              return result;
            },
          ),
      };
    },
  };
}

function endWith(span: OpenSpan, errors: readonly unknown[] | undefined): void {
  span.end(errors && errors.length > 0 ? failureOf(errors[0]) : undefined);
}
