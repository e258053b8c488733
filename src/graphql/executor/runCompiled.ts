// Runs a compiled operation (compileOperation.ts). Each value is written to its place in the result when it is known; a
// promise reserves its place and fills it later. An error at a non-null place sets the nearest nullable ancestor to null.
import { GraphQLError, locatedError, type ExecutionResult, type FieldNode, type VariableValues } from "graphql";
import type { Context } from "../../resolvers/context.ts";
import type { MaybePromise } from "../../util/maybePromise.ts";
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
  /** A lower bound of the units of JSON written so far (see MAX_BYTES_PER_UNIT). Discarded data stays counted. */
  size: number;
  /** Promises that have not settled. */
  pending: number;
  /** Called when the last promise has settled. */
  onSettled: () => void;
}

export type Container = Record<string | number, unknown>;

/** An object or a list in the result. */
export interface ResponseNode {
  /** Null for `data`. */
  parent: ResponseNode | null;
  /** This node is `container[key]`. */
  container: Container;
  key: string | number;
  /** The object's type; null for a list. */
  typeName: string | null;
  nullable: boolean;
  /** An error below has set this node to null. */
  isDiscarded: boolean;
}

/** Writes a value to `container[key]`, where `container` is the data of `node`. Never throws. */
export type Write = (run: Run, node: ResponseNode, container: Container, key: string | number, value: unknown) => void;

export interface CompiledField {
  key: string;
  nodes: readonly FieldNode[];
  /** Lines and columns in the document, for errors. Computed at the first call. */
  locations: () => GraphQLError["locations"];
  /** Type and field, for errors: `Task.name`. */
  name: string;
  /** A lower bound of the field's units of JSON: its key, and a value of one digit. */
  size: number;
  /** Returns the value or a promise of it. Throws what the resolver throws. */
  read: (source: unknown, run: Run, node: ResponseNode) => unknown;
  write: Write;
}

/** The selected fields of one object type. */
export interface Selection {
  typeName: string;
  fields: readonly CompiledField[];
  /** The sum of the fields' sizes. */
  size: number;
}

interface FieldPosition {
  field: Pick<CompiledField, "nodes" | "locations" | "name">;
  nullable: boolean;
}

/** The most bytes that a unit of Run.size stands for: a digit may be a number of 24 bytes, a character an escape of 6. */
export const MAX_BYTES_PER_UNIT = 16;
/** A field has a colon, a comma and a digit beside its key and its text. */
export const FIELD_SIZE = 5;
/** A list item has a comma and a digit. */
export const ITEM_SIZE = 2;

export interface RunResult {
  result: ExecutionResult;
  size: number;
  /** The result or its list of errors exceeded its limit, and the execution stopped there. */
  isOverLimit: boolean;
}

/** Returns at once if no resolver returned a promise. Never throws or rejects. */
export function runSelection(
  selection: Selection,
  given: Pick<Run, "context" | "variableValues" | "rootValue" | "signal">,
): MaybePromise<RunResult> {
  const run: Run = { ...given, errors: [], data: {}, size: selection.size, pending: 0, onSettled: ignore };
  const root: ResponseNode = {
    parent: null,
    container: run as never,
    key: "data",
    typeName: selection.typeName,
    nullable: true,
    isDiscarded: false,
  };
  writeSelection(run, root, run.data as Container, run.rootValue, selection);
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
  const { errors, size } = run;
  const data = run.data as Record<string, unknown> | null;
  const result = errors.length > 0 ? { errors, data } : { data };
  return { result, size, isOverLimit: isOverLimit(run) };
}

/** Lists stop and promises are ignored once this is true. */
export function isOverLimit({ size }: Run): boolean {
  return size > RESULT_LIMITS.bytes;
}

const ignore = () => undefined;

export function writeSelection(
  run: Run,
  node: ResponseNode,
  data: Container,
  source: unknown,
  { fields }: Selection,
): void {
  for (const field of fields) {
    let value: unknown;
    try {
      value = field.read(source, run, node);
    } catch (error) {
      value =
        error instanceof Error ? error : new Error("A resolver threw a value that is not an Error.", { cause: error });
    }
    field.write(run, node, data, field.key, value);
    if (node.isDiscarded) return;
  }
}

export function writeLater(
  run: Run,
  node: ResponseNode,
  container: Container,
  key: string | number,
  { field, nullable, value, write }: FieldPosition & { value: PromiseLike<unknown>; write: Write },
): void {
  // Reserves the key's position among the others.
  container[key] = undefined;
  run.pending += 1;
  const settled = () => {
    run.pending -= 1;
    if (run.pending === 0) run.onSettled();
  };
  value.then(
    (result) => {
      if (!isOverLimit(run)) write(run, node, container, key, result);
      settled();
    },
    (error: unknown) => {
      writeError(run, node, container, key, { field, nullable, error });
      settled();
    },
  );
}

export function writeNull(
  run: Run,
  node: ResponseNode,
  container: Container,
  key: string | number,
  position: FieldPosition,
): void {
  if (position.nullable) container[key] = null;
  else {
    const error = new Error(`Cannot return null for non-nullable field ${position.field.name}.`);
    writeError(run, node, container, key, { ...position, error });
  }
}

/** Adds the error to the result, and sets the value or its nearest nullable ancestor to null. */
export function writeError(
  run: Run,
  node: ResponseNode,
  container: Container,
  key: string | number,
  { field, nullable, error }: FieldPosition & { error: unknown },
): void {
  if (isOverLimit(run) || isInDiscarded(node)) return;
  const located = locatedError(error, undefined, [...pathOf(node), key]);
  const source = located.locations ? {} : { nodes: field.nodes, locations: field.locations() };
  run.errors.push(Object.assign(located, source));
  if (run.errors.length > RESULT_LIMITS.fieldErrors) run.size = Infinity;
  if (nullable) container[key] = null;
  else discard(node);
}

/** Sets the nearest nullable ancestor to null. */
function discard(node: ResponseNode): void {
  for (let at: ResponseNode | null = node; at; at = at.parent) {
    at.isDiscarded = true;
    if (!at.nullable) continue;
    at.container[at.key] = null;
    return;
  }
}

function isInDiscarded(node: ResponseNode): boolean {
  for (let at: ResponseNode | null = node; at; at = at.parent) if (at.isDiscarded) return true;
  return false;
}

function pathOf(node: ResponseNode): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at.key);
  return path;
}

/** Finding a line scans the document from its start, so it is done once for each field. */
export function lazyLocations(nodes: readonly FieldNode[]): CompiledField["locations"] {
  let locations: GraphQLError["locations"];
  return () => (locations ??= new GraphQLError("", { nodes }).locations);
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
