// The state of one execution of a compiled operation, and its result. A promise reserves its place in the result and fills it
// later. An error at a non-null place sets the nearest nullable ancestor to null.
import { locatedError, type ExecutionResult, type GraphQLError, type FieldNode, type VariableValues } from "graphql";
import type { Context } from "../../resolvers/context.ts";
import type { MaybePromise } from "../../util/maybePromise.ts";
import type { Defer } from "./collectFields.ts";
import { RESULT_LIMITS } from "./resultSize.ts";

/** The state of one execution. */
export interface Run {
  /** Creates the context at the first call: a selection without resolvers needs none. */
  context: () => Context;
  variableValues: VariableValues;
  rootValue: unknown;
  /** Aborted when the client disconnects. */
  signal: () => AbortSignal;
  errors: GraphQLError[];
  data: unknown;
  /**
   * The result has at least so many characters of JSON, of MAX_BYTES_PER_UNIT bytes at most each. Discarded data may stay counted.
   * Infinity: there were too many errors.
   */
  minUnits: number;
  /** Promises that have not settled. */
  pending: number;
  /** Called when the last promise has settled. */
  onSettled: () => void;
  /** The place in the answer that the data continues; null for the first part, and for an answer in one piece. */
  continues: ResponseNode | null;
  /** Null for an answer in one piece. */
  later: LaterWork | null;
  /** What was found for later parts. */
  found: FoundWork | null;
}

/** An object or a list in the result. */
export interface ResponseNode {
  /** Null for the object of the root. */
  parent: ResponseNode | null;
  /** Its key or index in the parent's data. Null for a part that continues the parent: it has the parent's path. */
  key: string | number | null;
  data: Record<string | number, unknown>;
  /** The object's type; null for a list. */
  typeName: string | null;
  nullable: boolean;
  /** An error below has set this node to null. */
  isDiscarded: boolean;
}

/**
 * Returns what stands in the result for the value. The caller stores it in the node's data at the key, unless the node was
 * discarded. Never throws.
 */
export type Complete = (run: Run, node: ResponseNode, key: string | number, value: unknown) => unknown;

/** The same for an object, which alone may be the root. */
export type CompleteObject = (
  run: Run,
  node: ResponseNode | null,
  key: string | number | null,
  value: unknown,
) => unknown;

/** What of an object comes later. */
export interface DeferPlan {
  /** The fields that the object has now. */
  fieldCount: number;
  /** The uses of `@defer` that begin at the object. */
  defers: readonly Defer[];
  parts: readonly { defers: readonly Defer[]; complete: CompleteObject }[];
}

export interface StreamPlan {
  label: string | undefined;
  completeItem: Complete;
}

/** The rest of a streamed list. */
export interface FoundList {
  plan: StreamPlan;
  node: ResponseNode;
  items: readonly unknown[];
  /** The next item to execute. */
  next: number;
}

/** What one run has found for later parts. */
export interface FoundWork {
  objects: { node: ResponseNode; source: unknown; plan: DeferPlan }[];
  lists: FoundList[];
}

/** Gets what comes in later parts of an answer, while it is executed. */
export interface LaterWork {
  /** Called for each object when it is executed, before it is known whether an error sets it to null. */
  addObject(run: Run, node: ResponseNode, source: unknown, plan: DeferPlan): void;
  /** Called when the items before `next` are in the node's data. */
  addList(run: Run, node: ResponseNode, items: readonly unknown[], next: number, plan: StreamPlan): void;
  /** Called when the first part is executed. */
  begin(run: Run): void;
}

/** Where errors of a value occur, and whether the value may be null. */
export interface Place {
  nodes: readonly FieldNode[];
  /** Lines and columns in the document. Computed at the first call. */
  locations: () => GraphQLError["locations"];
  /** Type and field: `Task.name`. */
  name: string;
  nullable: boolean;
}

/** The most bytes that a unit of Run.minUnits stands for: a digit may be a number of 24 bytes, a character an escape of 6. */
export const MAX_BYTES_PER_UNIT = 16;
/** A field has a colon, a comma and a digit beside its key and its text. */
export const FIELD_SIZE = 5;
/** A list item has a comma and a digit. */
export const ITEM_SIZE = 2;

export interface RunResult {
  result: ExecutionResult;
  minUnits: number;
  /** The result or its list of errors exceeded its limit, and the execution stopped there. */
  isOverLimit: boolean;
}

/** What all runs of one execution share. */
export type RunContext = Pick<Run, "context" | "variableValues" | "rootValue" | "signal" | "later">;

export function createRun(
  { context, variableValues, rootValue, signal, later }: RunContext,
  continues: Run["continues"],
): Run {
  return {
    context,
    variableValues,
    rootValue,
    signal,
    later,
    continues,
    errors: [],
    data: null,
    minUnits: 0,
    pending: 0,
    onSettled: ignore,
    found: null,
  };
}

/** Returns at once if no resolver returned a promise. Never rejects; throws what the context throws. */
export function runCompiled(complete: CompleteObject, given: RunContext): MaybePromise<RunResult> {
  const run = createRun(given, null);
  run.data = complete(run, null, "data", run.rootValue);
  return run.pending === 0 ? resultOf(run) : settledResult(run);
}

/** Awaits a promise that `run` does not refer to: with a closure of its own, V8 keeps each run until the next full GC. */
async function settledResult(run: Run): Promise<RunResult> {
  const { promise, resolve } = Promise.withResolvers<void>();
  run.onSettled = resolve;
  await promise;
  return resultOf(run);
}

function resultOf(run: Run): RunResult {
  run.later?.begin(run);
  const { errors, minUnits } = run;
  const data = run.data as Record<string, unknown> | null;
  const result = errors.length > 0 ? { errors, data } : { data };
  return { result, minUnits, isOverLimit: isOverLimit(run) };
}

/** Lists stop and promises are ignored once this is true. */
export function isOverLimit({ minUnits }: Run): boolean {
  return minUnits > RESULT_LIMITS.bytes;
}

const ignore = () => undefined;

/** Stores the value when it is known; until then, the place is reserved. */
export function completeLater(
  run: Run,
  node: ResponseNode,
  key: string | number,
  value: PromiseLike<unknown>,
  complete: Complete,
): undefined {
  run.pending += 1;
  const settle = (settled: unknown) => {
    if (!isOverLimit(run)) node.data[key] = complete(run, node, key, settled);
    run.pending -= 1;
    if (run.pending === 0) run.onSettled();
  };
  // A thenable of a library may call back at once; a promise does not.
  Promise.resolve(value).then(settle, (error: unknown) => settle(errorOf(error)));
}

/** A resolver may throw anything. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error("A resolver threw a value that is not an Error.", { cause: thrown });
}

/**
 * Adds the error to the result, and sets the value or its nearest nullable ancestor to null. When the client has left, each of a
 * thousand waiting fields fails, and nobody gets the result: then no error is created, because each costs two stack traces.
 */
export function completeError(
  run: Run,
  node: ResponseNode,
  key: string | number,
  error: unknown,
  { nodes, locations, nullable }: Pick<Place, "nodes" | "locations" | "nullable">,
): null {
  if (isOverLimit(run) || run.signal().aborted || isInDiscarded(node)) return null;
  const located = locatedError(error, undefined, [...pathOf(node), key]);
  run.errors.push(Object.assign(located, located.locations ? {} : { nodes, locations: locations() }));
  if (run.errors.length > RESULT_LIMITS.fieldErrors) run.minUnits = Infinity;
  if (!nullable) discard(run, node);
  return null;
}

/** Sets the nearest nullable ancestor to null, or all of the run's data. */
function discard(run: Run, node: ResponseNode): void {
  node.isDiscarded = true;
  const { parent, key, nullable } = node;
  if (!parent || parent === run.continues) run.data = null;
  else if (nullable) parent.data[key ?? ""] = null;
  else discard(run, parent);
}

export function isInDiscarded(node: ResponseNode): boolean {
  for (let at: ResponseNode | null = node; at; at = at.parent) if (at.isDiscarded) return true;
  return false;
}

export function pathOf(node: ResponseNode): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = node; at.parent; at = at.parent) if (at.key !== null) path.unshift(at.key);
  return path;
}
