// One execution, and its result as clients are told it: errors public, and what it cost where that is told.
import type { ExecutionResult, ValidatedExecutionArgs } from "graphql";
import type { Context } from "../context.ts";
import { publicError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { UpstreamTally } from "../upstream/asker.ts";
import type { Execute } from "./execute.ts";

export interface Execution {
  context: Context;
  /** Null where it is not told. */
  tally: UpstreamTally | null;
}

export interface Opening {
  requestId: string;
  log: Log;
}

export interface Executing extends Execution {
  operation: ValidatedExecutionArgs;
  execute: Execute;
  rootValue: unknown;
  signal: AbortSignal;
  open: Opening;
}

/** Rejects where the signal aborts. */
export async function resultOf(executing: Executing): Promise<ExecutionResult> {
  const { operation, execute, rootValue, context, tally, signal, open } = executing;
  const result = opened(await execute({ operation, rootValue, context, signal }), open);
  return tally ? { ...result, extensions: { ...result.extensions, upstream: rounded(tally) } } : result;
}

export function opened(result: ExecutionResult, open: Opening): ExecutionResult {
  return result.errors ? { ...result, errors: result.errors.map((error) => publicError(error, open)) } : result;
}

function rounded(tally: UpstreamTally): UpstreamTally {
  return { ...tally, milliseconds: Math.round(tally.milliseconds) };
}
