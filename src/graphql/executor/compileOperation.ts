// Compiles a checked operation into a tree of small functions: which fields there are, where their values come from and
// how they are written is found out once, and an execution only walks it. It does what graphql-js does
// (test/graphql/executor/compiledOperations.test.ts); what it cannot do, it says, and graphql-js executes that.
import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
} from "graphql";
import type { CompiledField, Container, Run, Selection, Slot, Write } from "./runCompiled.ts";
import { compileArguments } from "./compileArguments.ts";
import { compileLeaf, plainFirst } from "./compileLeaf.ts";
import {
  fail,
  FIELD_SIZE,
  isFull,
  isThenable,
  ITEM_SIZE,
  nullValue,
  placesOf,
  sizeOf,
  writeLater,
  writeSelection,
} from "./runCompiled.ts";

type Fields = Map<string, FieldNode[]>;
export type CompiledFrom = Pick<
  ValidatedExecutionArgs,
  "schema" | "operation" | "fragmentDefinitions" | "variableValues"
>;

/**
 * Null where graphql-js must do it: a mutation, whose fields follow each other. What `@skip` and `@include` leave out is
 * decided by the variables given here, so a compiled operation is only for variables that decide alike. It is remembered,
 * and those are all the variables that it may be given.
 */
export function compileOperation(operation: CompiledFrom): Selection | null {
  const { schema, operation: definition } = operation;
  const root = schema.getRootType(definition.operation);
  if (!root || definition.operation === "mutation") return null;
  return compileSelection([definition.selectionSet], root, operation);
}

/** The fields of one object type, compiled when they are first met: an interface has many types, and meets few. */
function compileSelection(
  sets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  operation: CompiledFrom,
): Selection {
  const fields: Fields = new Map();
  const seen = new Set<string>();
  for (const set of sets) collect(set, type, operation, fields, seen);
  return [...fields].map(([key, nodes]) => compileField(key, nodes, type, operation));
}

function collect(
  { selections }: SelectionSetNode,
  type: GraphQLObjectType,
  operation: CompiledFrom,
  fields: Fields,
  seen: Set<string>,
): void {
  for (const node of selections) {
    const { variableValues, schema, fragmentDefinitions } = operation;
    if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.["if"] === true) continue;
    if (getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.["if"] === false) continue;
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      fields.set(key, [...(fields.get(key) ?? []), node]);
      continue;
    }
    if (node.kind === Kind.FRAGMENT_SPREAD && seen.has(node.name.value)) continue;
    if (node.kind === Kind.FRAGMENT_SPREAD) seen.add(node.name.value);
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragmentDefinitions[node.name.value];
    const on = fragment?.typeCondition ? schema.getType(fragment.typeCondition.name.value) : type;
    const applies = on === type || (isAbstractType(on) && schema.isSubType(on, type));
    if (fragment && applies) collect(fragment.selectionSet, type, operation, fields, seen);
  }
}

function compileField(
  key: string,
  nodes: readonly FieldNode[],
  parent: GraphQLObjectType,
  operation: CompiledFrom,
): CompiledField {
  const [node] = nodes;
  const name = node?.name.value ?? "";
  const place = { key, nodes, name: `${parent.name}.${name}`, size: key.length + FIELD_SIZE, places: placesOf(nodes) };
  if (name === "__typename") {
    const size = place.size + parent.name.length;
    return { ...place, size, read: () => parent.name, write: key === "__proto__" ? asOwn(assign) : assign };
  }
  const field = operation.schema.getField(parent, name);
  if (!node || !field) throw new Error(`${place.name} was not validated`);
  const read = compileRead(field, node, infoOf(place, parent, field, operation));
  const write = compileWrite(field.type, place, operation, true);
  return { ...place, read, write: key === "__proto__" ? asOwn(write) : write };
}

type Read = CompiledField["read"];

function compileRead(field: GraphQLField<unknown, unknown>, node: FieldNode, info: GraphQLResolveInfo): Read {
  const { name, resolve } = field;
  if (!resolve) return (source) => propertyOf(source, name);
  const argumentsOf = compileArguments(field, node);
  return (source, { context, variableValues }) => resolve(source, argumentsOf(variableValues), context(), info);
}

/** What document and schema tell. A path and the values of variables are of one run, and no resolver here looks at them. */
function infoOf(
  { nodes, name }: Place,
  parentType: GraphQLObjectType,
  { type: returnType }: GraphQLField<unknown, unknown>,
  { schema, operation, fragmentDefinitions: fragments }: CompiledFrom,
): GraphQLResolveInfo {
  const told = { fieldName: name, fieldNodes: nodes, returnType, parentType, fragments, schema, operation };
  return told as unknown as GraphQLResolveInfo;
}

function propertyOf(source: unknown, name: string): unknown {
  return (source as Record<string, unknown>)[name];
}

/** A key that would be the object's prototype: as a member of its own it is a key as any other. */
function asOwn(write: Write): Write {
  return (run, slot, container, key, value) => {
    Object.defineProperty(container, key, { value: undefined, configurable: true, enumerable: true, writable: true });
    write(run, slot, container, key, value);
  };
}

type Place = Pick<CompiledField, "key" | "nodes" | "name" | "size" | "places">;

function compileWrite(type: GraphQLOutputType, field: Place, operation: CompiledFrom, nullable: boolean): Write {
  if (isNonNullType(type)) return compileWrite(type.ofType, field, operation, false);
  const inner = compileValue(type, field, operation, nullable);
  const write: Write = (run, slot, container, key, value) => {
    if (value === null || value === undefined) return nullValue(run, slot, container, key, { field, nullable });
    if (value instanceof Error) return fail(run, slot, container, key, { field, nullable, error: value });
    if (isThenable(value)) return writeLater(run, slot, container, key, { field, nullable, value, write });
    return inner(run, slot, container, key, value);
  };
  return isLeafType(type) ? plainFirst(type, write) : write;
}

function compileValue(
  type: Exclude<GraphQLOutputType, { ofType: unknown }> | GraphQLList<GraphQLOutputType>,
  field: Place,
  operation: CompiledFrom,
  nullable: boolean,
): Write {
  if (isLeafType(type)) return compileLeaf(type, field, nullable);
  if (isListType(type)) return compileList(type, field, operation, nullable);
  const sets = field.nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  if (isObjectType(type)) return compileObject(() => compileSelection(sets, type, operation), nullable);
  return compileAbstract(type, sets, field, operation, nullable);
}

function compileList(
  { ofType }: GraphQLList<GraphQLOutputType>,
  field: Place,
  operation: CompiledFrom,
  nullable: boolean,
): Write {
  const writeItem = compileWrite(ofType, field, operation, true);
  return (run, up, container, key, value) => {
    if (typeof value === "string" || !isIterable(value)) {
      const error = new Error(`Expected Iterable, but did not find one for field "${field.name}".`);
      return fail(run, up, container, key, { field, nullable, error });
    }
    const list: unknown[] = [];
    container[key] = list;
    const slot: Slot = { up, container, key, nullable, dead: false };
    const items: readonly unknown[] = Array.isArray(value) ? value : [...value];
    run.size += ITEM_SIZE * items.length;
    for (let index = 0; index < items.length; index += 1) {
      writeItem(run, slot, list as never, index, items[index]);
      if (slot.dead || isFull(run)) return;
    }
  };
}

function compileObject(compileFields: () => Selection, nullable: boolean): Write {
  let fields: Selection | undefined;
  let size = 0;
  return (run, up, container, key, value) => {
    if (!fields) size = sizeOf((fields = compileFields()));
    run.size += size;
    const data: Container = {};
    container[key] = data;
    writeSelection(run, { up, container, key, nullable, dead: false }, data, value, fields);
  };
}

function compileAbstract(
  type: GraphQLAbstractType,
  sets: readonly SelectionSetNode[],
  field: Place,
  operation: CompiledFrom,
  nullable: boolean,
): Write {
  const writers = new Map<string, Write>();
  function writerOf(name: unknown): Write {
    const known = writers.get(name as string);
    if (known) return known;
    const actual = typeof name === "string" ? operation.schema.getType(name) : undefined;
    if (!isObjectType(actual) || !operation.schema.isSubType(type, actual)) {
      throw new Error(`${field.name} is of no type that ${type.name} may be.`);
    }
    const writer = compileObject(() => compileSelection(sets, actual, operation), nullable);
    writers.set(actual.name, writer);
    return writer;
  }
  return (run, slot, container, key, value) => {
    let writer: Write;
    try {
      writer = writerOf(type.resolveType?.(value, run.context(), undefined as never, type));
    } catch (error) {
      return fail(run, slot, container, key, { field, nullable, error });
    }
    return writer(run, slot, container, key, value);
  };
}

const assign: Write = (_run: Run, _slot, container, key, value) => {
  container[key] = value;
};

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
