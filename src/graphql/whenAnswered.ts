// Tells when an operation has its whole answer, for metrics and traces. An answer in parts ends with its last part: an error in
// any part is an error of the answer.
import { GraphQLError, type ExecutionResult } from "graphql";
import type { Parts } from "./executor/answerInParts.ts";
import type { OperationResult } from "./operation.ts";

/** What a part or a whole answer may have of errors. */
interface Failing extends ExecutionResult {
  incremental?: readonly Pick<ExecutionResult, "errors">[];
  completed?: readonly Pick<ExecutionResult, "errors">[];
  hasNext?: boolean;
}

/**
 * Calls `onAnswered` once, with the first error of the answer, if it has one. A subscription has its answer when it begins. Returns
 * what is to be sent in place of `result`.
 */
export function whenAnswered(
  result: OperationResult,
  onAnswered: (error: GraphQLError | undefined) => void,
): OperationResult {
  if ("isOneAnswer" in result) return observeParts(result as Parts, onAnswered);
  onAnswered(Symbol.asyncIterator in result ? undefined : result.errors?.[0]);
  return result;
}

function observeParts(parts: Parts, onAnswered: (error: GraphQLError | undefined) => void): Parts {
  let firstError: GraphQLError | undefined;
  let isOver = false;

  function end(error: GraphQLError | undefined): void {
    if (isOver) return;
    isOver = true;
    onAnswered(error);
  }
  const observed: Parts = {
    isOneAnswer: true,
    [Symbol.asyncIterator]: () => observed,
    async next() {
      const step = await parts.next();
      if (!step.done) firstError ??= firstErrorOf(step.value);
      if (step.done || (step.value as Failing).hasNext === false) end(firstError);
      return step;
    },
    async return() {
      end(firstError ?? ENDED_BY_CLIENT);
      return (await parts.return?.()) ?? { done: true, value: undefined };
    },
  };
  return observed;
}

function firstErrorOf(part: Failing): GraphQLError | undefined {
  for (const holders of [[part], part.incremental ?? [], part.completed ?? []]) {
    for (const { errors } of holders) if (errors?.[0]) return errors[0];
  }
  return undefined;
}

/** As an answer in one piece fails whose client has left. */
const ENDED_BY_CLIENT = new GraphQLError("The request was ended by its client.", { extensions: { code: "INTERNAL" } });
