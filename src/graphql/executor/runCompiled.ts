// Runs what compileOperation.ts made. Values are written where they belong as they come; a promise leaves its place free and fills
// it later, and the execution is over when none is open. An error that a place cannot take as null empties the nearest one
// above that can, and whatever was still to come below that is not told.
import { GraphQLError, locatedError, type ExecutionResult, type FieldNode, type VariableValues } from "graphql";
import type { Context } from "../../resolvers/context.ts";
import type { MaybePromise } from "../../util/maybePromise.ts";
import { LIMITS } from "../documents/documentLimits.ts";

export interface Run {
  /** For resolvers: a selection without any needs none. */
  context: () => Context;
  variableValues: VariableValues;
  errors: GraphQLError[];
  data: unknown;
  /** Bytes of JSON that were written so far, at least: see MOST_BYTES. What an error took back is counted all the same. */
  size: number;
  /** Promises that have not settled. */
  open: number;
  /** Called when the last of them has. */
  finish: () => void;
}

export type Container = Record<string | number, unknown>;

/** An object or a list in the answer: where it stands, and whether a null may stand there instead. */
export interface Slot {
  up: Slot | null;
  container: Container;
  key: string | number;
  nullable: boolean;
  /** Something below it failed, and it is no part of the answer any more. */
  dead: boolean;
}

/** Writes a value to `container[key]`. `slot` is the object or list that it is a part of. Never throws. */
export type Write = (run: Run, slot: Slot, container: Container, key: string | number, value: unknown) => void;

export interface CompiledField {
  key: string;
  nodes: readonly FieldNode[];
  /** Where it stands in the document, for errors: found out for the first of them. */
  places: () => GraphQLError["locations"];
  /** Type and field, for errors: `Task.name`. */
  name: string;
  /** Bytes that it takes at least: its key, and a value of one digit. */
  size: number;
  /** Its value, which may be a promise; throws what the resolver throws. */
  read: (source: unknown, run: Run) => unknown;
  write: Write;
}

export type Selection = readonly CompiledField[];

interface At {
  field: Pick<CompiledField, "nodes" | "places" | "name">;
  nullable: boolean;
}

/** What a byte of Run.size stands for at most: a digit may be a number of two dozen, a character an escape of six bytes. */
export const MOST_BYTES = 16;
const LARGEST = LIMITS.answer;
/** What a field, or an item of a list, has beside its key and its text: a colon, a comma and a digit. */
export const FIELD_SIZE = 5;
export const ITEM_SIZE = 2;

/** What an execution came to. */
export interface Written {
  result: ExecutionResult;
  size: number;
  /** The answer, or the list of its errors, is larger than any may be: the execution stopped where that was found out. */
  isFull: boolean;
}

/** When every field has its value or its error: at once, where no promise is among them. Never throws or rejects. */
export function runSelection(
  fields: Selection,
  { rootValue, context, variableValues }: Pick<Run, "context" | "variableValues"> & { rootValue: unknown },
): MaybePromise<Written> {
  const size = sizeOf(fields);
  const run: Run = { context, variableValues, errors: [], data: {}, size, open: 0, finish: ignore };
  const root: Slot = { up: null, container: run as never, key: "data", nullable: true, dead: false };
  writeSelection(run, root, run.data as Container, rootValue, fields);
  return run.open === 0 ? writtenBy(run) : finished(run);
}

/** By await: where `run` held a closure of itself, V8 kept each run, and all that it had read, until the next full collection. */
async function finished(run: Run): Promise<Written> {
  const { promise, resolve } = Promise.withResolvers<void>();
  run.finish = resolve;
  await promise;
  return writtenBy(run);
}

function writtenBy(run: Run): Written {
  const { data, errors, size } = run;
  const written = data as Record<string, unknown> | null;
  const result = errors.length > 0 ? { errors, data: written } : { data: written };
  return { result, size, isFull: isFull(run) };
}

/** No list is gone on with then. */
export function isFull({ size }: Run): boolean {
  return size > LARGEST;
}

/** Bytes of an object with these fields, at least, but for their texts. */
export function sizeOf(fields: Selection): number {
  return fields.reduce((sum, { size }) => sum + size, 0);
}

const ignore = () => undefined;

export function writeSelection(run: Run, slot: Slot, data: Container, source: unknown, fields: Selection): void {
  for (const field of fields) {
    let value: unknown;
    try {
      value = field.read(source, run);
    } catch (error) {
      value = error instanceof Error ? error : new Error("A resolver threw what is no error.", { cause: error });
    }
    field.write(run, slot, data, field.key, value);
    if (slot.dead) return;
  }
}

export function writeLater(
  run: Run,
  slot: Slot,
  container: Container,
  key: string | number,
  { field, nullable, value, write }: At & { value: PromiseLike<unknown>; write: Write },
): void {
  // Its place among the others is taken now.
  container[key] = undefined;
  run.open += 1;
  const settled = () => {
    run.open -= 1;
    if (run.open === 0) run.finish();
  };
  value.then(
    (result) => {
      if (!isFull(run)) write(run, slot, container, key, result);
      settled();
    },
    (error: unknown) => {
      fail(run, slot, container, key, { field, nullable, error });
      settled();
    },
  );
}

export function nullValue(run: Run, slot: Slot, container: Container, key: string | number, at: At): void {
  if (at.nullable) container[key] = null;
  else {
    const error = new Error(`Cannot return null for non-nullable field ${at.field.name}.`);
    fail(run, slot, container, key, { ...at, error });
  }
}

export function fail(
  run: Run,
  slot: Slot,
  container: Container,
  key: string | number,
  { field, nullable, error }: At & { error: unknown },
): void {
  if (isFull(run) || isGone(slot)) return;
  const located = locatedError(error, undefined, [...pathOf(slot), key]);
  const place = located.locations ? {} : { nodes: field.nodes, locations: field.places() };
  run.errors.push(Object.assign(located, place));
  if (run.errors.length > LIMITS.fieldErrors) run.size = Infinity;
  if (nullable) container[key] = null;
  else empty(slot);
}

/** The nearest place that may be null becomes null. */
function empty(slot: Slot): void {
  for (let at: Slot | null = slot; at; at = at.up) {
    at.dead = true;
    if (!at.nullable) continue;
    at.container[at.key] = null;
    return;
  }
}

function isGone(slot: Slot): boolean {
  for (let at: Slot | null = slot; at; at = at.up) if (at.dead) return true;
  return false;
}

function pathOf(slot: Slot): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = slot; at.up; at = at.up) path.unshift(at.key);
  return path;
}

/** An error looks for its line from the document's begin: once for each field is enough. */
export function placesOf(nodes: readonly FieldNode[]): CompiledField["places"] {
  let places: GraphQLError["locations"];
  return () => (places ??= new GraphQLError("", { nodes }).locations);
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
