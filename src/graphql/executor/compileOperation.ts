// Compiles a validated operation into a tree of functions. Which fields are selected, how they are read and how they are
// written is decided once; each execution only walks the tree. README.md lists what is left to graphql-js.
import {
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
  type GraphQLSchema,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
} from "graphql";
import { isSkipped } from "../policy/selectedFields.ts";
import { compileArguments } from "./compileArguments.ts";
import { compileLeaf, withFastPath } from "./compileLeaf.ts";
import { createResolveInfo, createUndeclaredInfo, type FieldInfo } from "./resolveInfo.ts";
import {
  FIELD_SIZE,
  isIterable,
  isOverLimit,
  isThenable,
  ITEM_SIZE,
  lazyLocations,
  writeError,
  writeLater,
  writeNull,
  writeSelection,
  type CompiledField,
  type Container,
  type ResponseNode,
  type Selection,
  type Write,
} from "./runCompiled.ts";

type OperationParts = "schema" | "operation" | "fragmentDefinitions" | "variableValues";
export type CompiledFrom = Pick<ValidatedExecutionArgs, OperationParts>;

/**
 * Returns null if graphql-js must execute the operation. The result depends on the variables of `@skip` and `@include`, so
 * it holds for operations that give these the same values. It keeps the given variables: pass no others.
 */
export function compileOperation(operation: CompiledFrom): Selection | null {
  const { schema, operation: definition } = operation;
  const root = schema.getRootType(definition.operation);
  if (!root || definition.operation === "mutation" || usesIsTypeOf(schema)) return null;
  return compileSelection([definition.selectionSet], root, operation);
}

function usesIsTypeOf(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some(
    (type) => (isObjectType(type) && type.isTypeOf) || (isAbstractType(type) && !type.resolveType),
  );
}

function compileSelection(
  sets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  operation: CompiledFrom,
): Selection {
  const nodesByKey = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  for (const set of sets) collectFields(set, type, operation, nodesByKey, spread);
  const fields = [...nodesByKey].map(([key, nodes]) => compileField(key, nodes, type, operation));
  return { typeName: type.name, fields, size: fields.reduce((sum, { size }) => sum + size, 0) };
}

/** `spread`: names of the fragments that were collected; each counts once. */
function collectFields(
  { selections }: SelectionSetNode,
  type: GraphQLObjectType,
  operation: CompiledFrom,
  nodesByKey: Map<string, FieldNode[]>,
  spread: Set<string>,
): void {
  for (const node of selections) {
    const { variableValues, schema, fragmentDefinitions } = operation;
    if (isSkipped(node, variableValues)) continue;
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      nodesByKey.set(key, [...(nodesByKey.get(key) ?? []), node]);
      continue;
    }
    if (node.kind === Kind.FRAGMENT_SPREAD && spread.has(node.name.value)) continue;
    if (node.kind === Kind.FRAGMENT_SPREAD) spread.add(node.name.value);
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragmentDefinitions[node.name.value];
    const condition = fragment?.typeCondition ? schema.getType(fragment.typeCondition.name.value) : type;
    const applies = condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
    if (fragment && applies) collectFields(fragment.selectionSet, type, operation, nodesByKey, spread);
  }
}

/** A field at its position in the operation, with what errors and `info` say of it. */
interface FieldPlan extends Pick<CompiledField, "key" | "nodes" | "name" | "size" | "locations"> {
  info: FieldInfo;
}

function compileField(
  key: string,
  nodes: readonly FieldNode[],
  parentType: GraphQLObjectType,
  operation: CompiledFrom,
): CompiledField {
  const [node] = nodes;
  const fieldName = node?.name.value ?? "";
  const name = `${parentType.name}.${fieldName}`;
  const base = { key, nodes, name, size: key.length + FIELD_SIZE, locations: lazyLocations(nodes) };
  if (fieldName === "__typename") {
    const size = base.size + parentType.name.length;
    return { ...base, size, read: () => parentType.name, write: key === "__proto__" ? asOwnKey(assign) : assign };
  }
  const { schema, operation: definition, fragmentDefinitions: fragments } = operation;
  const field = schema.getField(parentType, fieldName);
  if (!node || !field) throw new Error(`The field ${name} is not in the schema: the document was not validated.`);
  const returnType = field.type;
  const info = { responseKey: key, fieldName, fieldNodes: nodes, returnType, parentType, schema, fragments };
  const plan: FieldPlan = { ...base, info: { ...info, operation: definition } };
  const write = compileWrite(returnType, plan, operation, true);
  return { ...base, read: compileRead(field, node, plan.info), write: key === "__proto__" ? asOwnKey(write) : write };
}

function compileRead(field: GraphQLField<unknown, unknown>, node: FieldNode, info: FieldInfo): CompiledField["read"] {
  const { name, resolve } = field;
  if (!resolve) return (source) => (source as Record<string, unknown>)[name];
  const argumentsOf = compileArguments(field, node);
  if (resolve.length < 4) {
    const undeclared = createUndeclaredInfo(info);
    return (source, run) => resolve(source, argumentsOf(run.variableValues), run.context(), undeclared);
  }
  return (source, run, parent) =>
    resolve(source, argumentsOf(run.variableValues), run.context(), createResolveInfo(info, run, parent));
}

/** Makes `__proto__` a member of the object, as any other key is. An assignment would replace its prototype. */
function asOwnKey(write: Write): Write {
  return (run, node, container, key, value) => {
    Object.defineProperty(container, key, { value: undefined, configurable: true, enumerable: true, writable: true });
    write(run, node, container, key, value);
  };
}

function compileWrite(type: GraphQLOutputType, field: FieldPlan, operation: CompiledFrom, nullable: boolean): Write {
  if (isNonNullType(type)) return compileWrite(type.ofType, field, operation, false);
  const inner = compileValue(type, field, operation, nullable);
  const write: Write = (run, node, container, key, value) => {
    if (value === null || value === undefined) return writeNull(run, node, container, key, { field, nullable });
    if (value instanceof Error) return writeError(run, node, container, key, { field, nullable, error: value });
    if (isThenable(value)) return writeLater(run, node, container, key, { field, nullable, value, write });
    return inner(run, node, container, key, value);
  };
  return isLeafType(type) ? withFastPath(type, write) : write;
}

function compileValue(
  type: Exclude<GraphQLOutputType, { ofType: unknown }> | GraphQLList<GraphQLOutputType>,
  field: FieldPlan,
  operation: CompiledFrom,
  nullable: boolean,
): Write {
  if (isLeafType(type)) return compileLeaf(type, field, nullable);
  if (isListType(type)) return compileList(type, field, operation, nullable);
  const sets = field.nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  if (isObjectType(type)) return compileObject(type, sets, operation, nullable);
  return compileAbstract(type, sets, field, operation, nullable);
}

function compileList(
  { ofType }: GraphQLList<GraphQLOutputType>,
  field: FieldPlan,
  operation: CompiledFrom,
  nullable: boolean,
): Write {
  const writeItem = compileWrite(ofType, field, operation, true);
  return (run, parent, container, key, value) => {
    if (typeof value === "string" || !isIterable(value)) {
      const error = new Error(`Expected Iterable, but did not find one for field "${field.name}".`);
      return writeError(run, parent, container, key, { field, nullable, error });
    }
    const list: unknown[] = [];
    container[key] = list;
    const node: ResponseNode = { parent, container, key, typeName: null, nullable, isDiscarded: false };
    const items: readonly unknown[] = Array.isArray(value) ? value : [...value];
    run.size += ITEM_SIZE * items.length;
    for (let index = 0; index < items.length; index += 1) {
      writeItem(run, node, list as never, index, items[index]);
      if (node.isDiscarded || isOverLimit(run)) return;
    }
  };
}

/** The selection is compiled for the first value: an abstract type has many object types and meets few of them. */
function compileObject(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  operation: CompiledFrom,
  nullable: boolean,
): Write {
  const typeName = type.name;
  let selection: Selection | undefined;
  return (run, parent, container, key, value) => {
    selection ??= compileSelection(sets, type, operation);
    run.size += selection.size;
    const data: Container = {};
    container[key] = data;
    const node: ResponseNode = { parent, container, key, typeName, nullable, isDiscarded: false };
    writeSelection(run, node, data, value, selection);
  };
}

function compileAbstract(
  type: GraphQLAbstractType,
  sets: readonly SelectionSetNode[],
  field: FieldPlan,
  operation: CompiledFrom,
  nullable: boolean,
): Write {
  const writers = new Map<string, Write>();
  function writerOf(name: unknown): Write {
    const known = writers.get(name as string);
    if (known) return known;
    const actual = typeof name === "string" ? operation.schema.getType(name) : undefined;
    if (!isObjectType(actual) || !operation.schema.isSubType(type, actual)) {
      throw new Error(`resolveType of ${type.name} must return one of its object types, for the field ${field.name}.`);
    }
    const writer = compileObject(actual, sets, operation, nullable);
    writers.set(actual.name, writer);
    return writer;
  }
  return (run, node, container, key, value) => {
    try {
      const name: unknown = type.resolveType?.(value, run.context(), createResolveInfo(field.info, run, node), type);
      if (!isThenable(name)) return writerOf(name)(run, node, container, key, value);
      const write: Write = (_run, _node, _container, _key, writer) =>
        (writer as Write)(run, node, container, key, value);
      writeLater(run, node, container, key, { field, nullable, value: name.then(writerOf), write });
    } catch (error) {
      writeError(run, node, container, key, { field, nullable, error });
    }
  };
}

const assign: Write = (_run, _node, container, key, value) => {
  container[key] = value;
};
