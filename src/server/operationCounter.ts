// Counts what a transport's operations came to: each once, by its first error's code, a subscription when it begins.
import type { GraphQLError } from "graphql";
import type { Counters } from "./counters.ts";
import { andThen } from "../util/maybePromise.ts";
import type { OperationPipeline, OperationResult } from "../graphql/pipeline.ts";

export function countOperations(
  pipeline: OperationPipeline,
  meter: Counters["operations"],
  transport: "http" | "websocket",
): OperationPipeline {
  const count = (kind: string, errors: readonly GraphQLError[] | undefined) => {
    const isStream = kind === "subscription" && transport === "http";
    meter.add({ transport: isStream ? "sse" : transport, kind, code: codeOf(errors) });
  };
  return {
    prepare(request, grant, largeBody) {
      const operation = pipeline.prepare(request, grant, largeBody);
      if ("errors" in operation) {
        count("refused", operation.errors);
        return operation;
      }
      const { kind } = operation;
      const counted = (result: OperationResult) => {
        count(kind, Symbol.asyncIterator in result ? undefined : result.errors);
        return result;
      };
      return { ...operation, run: (leaving, take) => andThen(operation.run(leaving, take), counted) };
    },
  };
}

function codeOf(errors: readonly GraphQLError[] | undefined): string {
  if (!errors?.[0]) return "OK";
  const { code } = errors[0].extensions;
  return typeof code === "string" ? code : "INTERNAL";
}
