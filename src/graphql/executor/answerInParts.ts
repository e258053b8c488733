// Answers a query with `@defer` or `@stream` in parts, as the incremental delivery specification has it: the first part names
// what is pending, later parts bring it. graphql-js divides the operation. All parts share one context: what one part has
// loaded, the next does not load again. The limits of an answer hold for all parts together. Each part is executed in a slice of
// the event loop of its own.
import {
  experimentalExecuteRootSelectionSet,
  type GraphQLError,
  type ExecutionResult,
  type ExperimentalIncrementalExecutionResults,
  type GraphQLSchema,
  type InitialIncrementalExecutionResult,
  type SubsequentIncrementalExecutionResult,
} from "graphql";
import { CodedError, withoutHttpHint } from "../../errors.ts";
import type { UpstreamUsage } from "../../upstream/requester.ts";
import type { MaybePromise } from "../../util/maybePromise.ts";
import type { TimeSlices } from "../../util/timeSlices.ts";
import type { PublishError } from "../publishError.ts";
import { executeOnce, failedResult, toPublicResult, withUsage, type OperationRun } from "./executionResult.ts";
import { isDivisible } from "./incrementalDirectives.ts";
import { jsonSize, RESULT_LIMITS } from "./resultSize.ts";

export const PARTS_LIMITS = {
  /** Fields of all parts together: graphql-js needs more memory for each than the compiled executor. */
  fields: 100_000,
  /** Deferred fragments and streamed lists that a client waits for at once. */
  pending: 5000,
  /** From the begin of the execution to the last part. Each request to the service has a shorter time of its own. */
  milliseconds: 120_000,
} as const;

/** Unlike the results of a subscription, they belong together. */
export interface Parts extends AsyncIterableIterator<ExecutionResult> {
  isOneAnswer: true;
}
type Part = InitialIncrementalExecutionResult | SubsequentIncrementalExecutionResult;

export interface RequestRun extends OperationRun {
  waitForSlice: () => ReturnType<TimeSlices["waitForSlice"]>;
}

/** Executes a query or a mutation. `acceptsParts`: whether the client takes an answer in parts. It does not throw or reject. */
export function executeRequest(run: RequestRun, acceptsParts: boolean): MaybePromise<ExecutionResult | Parts> {
  return acceptsParts && isDivisible(run.operation) ? executeInParts(run) : executeOnce(run);
}

async function executeInParts(run: RequestRun): Promise<ExecutionResult | Parts> {
  const { operation, openScope, clientSignal, waitForSlice, publish } = run;
  const abort = new AbortController();
  const signal = AbortSignal.any([clientSignal(), abort.signal]);
  const onExcess = () => abort.abort(tooManyFields());
  const deadline = setTimeout(() => abort.abort(tooLate()), PARTS_LIMITS.milliseconds).unref();
  const clearDeadline = () => clearTimeout(deadline);
  try {
    const { context, usage } = await openScope(() => signal);
    const executed = await experimentalExecuteRootSelectionSet({
      ...operation,
      schema: countFields(operation.schema, onExcess),
      contextValue: context(),
      externalAbortSignal: signal,
    });
    abort.signal.throwIfAborted();
    if ("initialResult" in executed) return sendParts(executed, { abort, clearDeadline, usage, waitForSlice, publish });
    clearDeadline();
    return toPublicResult(executed, run, usage);
  } catch (error) {
    clearDeadline();
    return failedResult(abort.signal.aborted ? abort.signal.reason : error, clientSignal, publish);
  }
}

/** The executor asks the schema for each field that it executes. */
function countFields(schema: GraphQLSchema, onExcess: () => void): GraphQLSchema {
  let left: number = PARTS_LIMITS.fields;
  const getField: GraphQLSchema["getField"] = (type, name) => {
    left -= 1;
    if (left < 0) {
      onExcess();
      throw tooManyFields();
    }
    return schema.getField(type, name);
  };
  return Object.create(schema, { getField: { value: getField } }) as GraphQLSchema;
}

interface Sending {
  /** Ends what the rest of the answer waits for. */
  abort: AbortController;
  /** To be called when no part is waited for any more. */
  clearDeadline: () => void;
  usage: UpstreamUsage | null;
  waitForSlice: RequestRun["waitForSlice"];
  publish: PublishError;
}

function sendParts(
  { initialResult, subsequentResults }: ExperimentalIncrementalExecutionResults,
  { abort, clearDeadline, usage, waitForSlice, publish }: Sending,
): Parts | ExecutionResult {
  const limits = createLimits();
  const ended = Promise.withResolvers<IteratorReturnResult<undefined>>();
  const pending = new Set<string>();
  let isOver = false;

  function stop(): void {
    isOver = true;
    clearDeadline();
    abort.abort();
    subsequentResults.return().catch(() => undefined);
  }
  /** Returns the part for the client; an error if it would exceed a limit. */
  function admit(part: Part): ExecutionResult | Error {
    const shown = toPublicPart(part, publish);
    const excess = abort.signal.aborted ? abort.signal.reason : limits.add(shown, pending.size);
    if (excess) return excess;
    if (!part.hasNext) clearDeadline();
    for (const { id } of part.pending ?? []) pending.add(id);
    for (const { id } of "completed" in part ? (part.completed ?? []) : []) pending.delete(id);
    return usage ? withUsage(shown, usage) : shown;
  }
  /** The last part in place of one that cannot be sent: nothing that is still pending will come. */
  function cut(error: unknown): ExecutionResult {
    stop();
    const errors = [withoutHttpHint(publish(error))];
    const last = { completed: [...pending].map((id) => ({ id, errors })), hasNext: false };
    return last as ExecutionResult;
  }
  async function nextPart(): Promise<IteratorResult<ExecutionResult, undefined>> {
    try {
      // graphql-js executes a part when it is asked for.
      const slice = waitForSlice();
      if (slice) await slice;
      if (isOver) return DONE;
      abort.signal.throwIfAborted();
      const step = await subsequentResults.next();
      if (isOver || step.done) return DONE;
      const part = admit(step.value);
      return { done: false, value: part instanceof Error ? cut(part) : part };
    } catch (error) {
      return isOver ? DONE : { done: false, value: cut(abort.signal.aborted ? abort.signal.reason : error) };
    }
  }

  const admitted = admit(initialResult);
  if (admitted instanceof Error) {
    stop();
    return { errors: [publish(admitted)], data: null };
  }
  let first: ExecutionResult | null = admitted;
  const parts: Parts = {
    isOneAnswer: true,
    [Symbol.asyncIterator]: () => parts,
    async next() {
      if (isOver) return DONE;
      if (!first) return Promise.race([nextPart(), ended.promise]);
      const value = first;
      first = null;
      return { done: false, value };
    },
    async return() {
      stop();
      ended.resolve(DONE);
      return DONE;
    },
  };
  return parts;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Returns an error for the part that exceeds what one answer may have. */
function createLimits() {
  let bytes = 0;
  let errors = 0;
  return {
    add(part: ExecutionResult, pending: number): Error | null {
      const {
        pending: added = [],
        incremental = [],
        completed = [],
      } = part as Partial<SubsequentIncrementalExecutionResult>;
      bytes += jsonSize(part, RESULT_LIMITS.bytes);
      for (const each of [part, ...incremental, ...completed]) errors += each.errors?.length ?? 0;
      if (bytes > RESULT_LIMITS.bytes)
        return tooComplex(`All parts of the answer are larger than ${RESULT_LIMITS.bytes / 1024 / 1024} MiB`);
      if (errors > RESULT_LIMITS.fieldErrors) return tooComplex(`More than ${RESULT_LIMITS.fieldErrors} fields failed`);
      if (pending + added.length > PARTS_LIMITS.pending)
        return tooComplex(`More than ${PARTS_LIMITS.pending} parts of the answer would be pending`);
      return null;
    },
  };
}

const tooManyFields = () => tooComplex(`An answer in parts has at most ${PARTS_LIMITS.fields} fields`);

const tooLate = () =>
  new CodedError(
    "UPSTREAM_TIMEOUT",
    `An answer in parts ends after ${PARTS_LIMITS.milliseconds / 1000} seconds: select fewer fields, or fewer items.`,
  );

const tooComplex = (rule: string) =>
  new CodedError("QUERY_TOO_COMPLEX", `${rule}: select fewer fields, or fewer items.`);

function toPublicPart(part: Part, publish: PublishError): ExecutionResult {
  const publicErrors = <Holder extends { errors?: readonly GraphQLError[] }>(holder: Holder): Holder =>
    holder.errors ? { ...holder, errors: holder.errors.map((error) => withoutHttpHint(publish(error))) } : holder;
  const { incremental, completed } = part as SubsequentIncrementalExecutionResult;
  const shown: SubsequentIncrementalExecutionResult = {
    ...publicErrors(part as ExecutionResult),
    hasNext: part.hasNext,
    ...(incremental && { incremental: incremental.map(publicErrors) }),
    ...(completed && { completed: completed.map(publicErrors) }),
  };
  return shown;
}
