// One execution, and its result as clients are told it: errors public, and what it cost where that is told.
import type { ExecutionResult, ValidatedExecutionArgs } from "graphql";
import type { Context } from "../../resolvers/context.ts";
import { CodedError } from "../../errors.ts";
import type { UpstreamUsage } from "../../upstream/requester.ts";
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";
import { isTooLarge, tooLargeAnswer } from "./resultSize.ts";
import type { Executor } from "./executor.ts";
import type { ClientSignal } from "../clientSignal.ts";
import type { Open } from "../requestId.ts";

export interface Execution {
  /** The same each time; made for the first resolver that takes it. */
  context: () => Context;
  /** Null where it is not told. */
  tally: UpstreamUsage | null;
}

/** An operation that runs: once, or once for each event. */
export interface Running {
  operation: ValidatedExecutionArgs;
  execute: Executor;
  /** A new one for each execution: what was loaded for one event is stale for the next. */
  begin: (leaving: ClientSignal) => MaybePromise<Execution>;
  leaving: ClientSignal;
  open: Open;
}

/** At once where nothing is waited for. Throws or rejects where its asker left while something was waited for. */
export function resultOf({ operation, execute, begin, leaving, open }: Running, rootValue: unknown) {
  return andThen(begin(leaving), ({ context, tally }) => {
    const told = (executed: ExecutionResult): ExecutionResult => {
      const result = withinLimit(opened(executed, open), operation, open);
      return tally ? { ...result, extensions: { ...result.extensions, upstream: rounded(tally) } } : result;
    };
    return andThen(execute({ operation, rootValue, context, leaving }), told);
  });
}

/** Somebody who waits whatever it takes. */
export const staying: ClientSignal = () => new AbortController().signal;

/** Neither throws nor rejects. */
export function runOnce(running: Running): MaybePromise<ExecutionResult> {
  const { operation, leaving, open } = running;
  const told = (error: unknown) => failed(error, leaving, open);
  try {
    const result = resultOf(running, operation.rootValue);
    return result instanceof Promise ? result.catch(told) : result;
  } catch (error) {
    return told(error);
  }
}

/** The data is: see Execute. Errors come on top of it, as many as there are items in lists. */
function withinLimit(result: ExecutionResult, { operation }: ValidatedExecutionArgs, open: Open): ExecutionResult {
  if (!result.errors || !isTooLarge(result)) return result;
  return opened(tooLargeAnswer(operation.operation), open);
}

export function opened(result: ExecutionResult, open: Open): ExecutionResult {
  return result.errors ? { ...result, errors: result.errors.map(open) } : result;
}

/** A client that has left is told nothing of what it was. */
export function failed(error: unknown, leaving: ClientSignal, open: Open): ExecutionResult {
  const told = leaving().aborted ? new CodedError("INTERNAL", "The request was ended by its client.") : error;
  return { errors: [open(told)] };
}

function rounded(tally: UpstreamUsage): UpstreamUsage {
  return { ...tally, milliseconds: Math.round(tally.milliseconds) };
}
