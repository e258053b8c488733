// Executes an operation once and makes its result public: errors get codes, a result that is too large with its errors is
// replaced, and the costs are added where they are reported.
import type { ExecutionResult, ValidatedExecutionArgs } from "graphql";
import type { Context } from "../../resolvers/context.ts";
import { CodedError } from "../../errors.ts";
import type { UpstreamUsage } from "../../upstream/requester.ts";
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";
import type { ClientSignal } from "../clientSignal.ts";
import type { PublishError } from "../publishError.ts";
import type { Executor } from "./executor.ts";
import { isTooLarge, tooLargeResult } from "./resultSize.ts";

export interface ExecutionScope {
  /** Creates the context at the first call, and returns the same one then. */
  context: () => Context;
  /** Null if costs are not reported. */
  usage: UpstreamUsage | null;
}

export interface OperationRun {
  operation: ValidatedExecutionArgs;
  execute: Executor;
  /** Creates a new scope for each execution: what was loaded for one event is stale for the next. */
  openScope: (clientSignal: ClientSignal) => MaybePromise<ExecutionScope>;
  clientSignal: ClientSignal;
  publish: PublishError;
}

/** Returns at once if nothing is waited for. Throws or rejects if the client disconnects meanwhile. */
export function executeFor(
  { operation, execute, openScope, clientSignal, publish }: OperationRun,
  rootValue: unknown,
): MaybePromise<ExecutionResult> {
  return andThen(openScope(clientSignal), ({ context, usage }) =>
    andThen(execute({ operation, rootValue, context, clientSignal }), (executed) =>
      toPublicResult(executed, { operation, publish }, usage),
    ),
  );
}

export function toPublicResult(
  executed: ExecutionResult,
  { operation, publish }: Pick<OperationRun, "operation" | "publish">,
  usage: UpstreamUsage | null,
): ExecutionResult {
  const result = withinLimit(withPublicErrors(executed, publish), operation, publish);
  return usage ? withUsage(result, usage) : result;
}

export function withUsage(result: ExecutionResult, usage: UpstreamUsage): ExecutionResult {
  return { ...result, extensions: { ...result.extensions, upstream: rounded(usage) } };
}

/** Executes a query or a mutation. It does not throw or reject. */
export function executeOnce(run: OperationRun): MaybePromise<ExecutionResult> {
  const { operation, clientSignal, publish } = run;
  const toFailure = (error: unknown) => failedResult(error, clientSignal, publish);
  try {
    const result = executeFor(run, operation.rootValue);
    return result instanceof Promise ? result.catch(toFailure) : result;
  } catch (error) {
    return toFailure(error);
  }
}

/** The executor limits the data. The errors come on top of it, one for each item of a list at worst. */
function withinLimit(
  result: ExecutionResult,
  { operation }: ValidatedExecutionArgs,
  publish: PublishError,
): ExecutionResult {
  if (!result.errors || !isTooLarge(result)) return result;
  return withPublicErrors(tooLargeResult(operation.operation), publish);
}

export function withPublicErrors(result: ExecutionResult, publish: PublishError): ExecutionResult {
  return result.errors ? { ...result, errors: result.errors.map(publish) } : result;
}

/** The result in place of one that could not be executed. */
export function failedResult(error: unknown, clientSignal: ClientSignal, publish: PublishError): ExecutionResult {
  const cause = clientSignal().aborted ? new CodedError("INTERNAL", "The request was ended by its client.") : error;
  return { errors: [publish(cause)] };
}

function rounded(usage: UpstreamUsage): UpstreamUsage {
  return { ...usage, milliseconds: Math.round(usage.milliseconds) };
}
