// Compiles a validated operation. Which fields are selected, how they are read and how they are completed is decided once; each
// execution only calls the functions. README.md lists what is left to graphql-js.
import {
  getNullableType,
  GraphQLError,
  isAbstractType,
  isLeafType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
} from "graphql";
import type { Context } from "../../resolvers/context.ts";
import { isSkipped } from "../policy/selectedFields.ts";
import { compileArguments } from "./compileArguments.ts";
import { compileComplete } from "./completeValue.ts";
import { generateObject, type SelectedField } from "./generateObject.ts";
import { FIELD_SIZE, type CompleteObject } from "./runCompiled.ts";

type OperationParts = "schema" | "operation" | "fragmentDefinitions" | "variableValues";
export type FieldResolver = GraphQLFieldResolver<unknown, Context>;
export interface CompiledFrom extends Pick<ValidatedExecutionArgs, OperationParts> {
  /** Wraps each resolver. Default: resolvers are called as they are. */
  wrapResolver?: ((name: string, resolve: FieldResolver) => FieldResolver) | undefined;
}

/**
 * Returns null if graphql-js must execute the operation. The result depends on the variables of `@skip` and `@include`, so
 * it holds for operations that give these the same values. It keeps the given variables: pass no others.
 */
export function compileOperation(operation: CompiledFrom): CompleteObject | null {
  const { schema, operation: definition } = operation;
  const root = schema.getRootType(definition.operation);
  if (!root || definition.operation === "mutation" || usesIsTypeOf(schema)) return null;
  return compileObject([definition.selectionSet], root, operation, true);
}

function usesIsTypeOf(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some(
    (type) => (isObjectType(type) && type.isTypeOf) || (isAbstractType(type) && !type.resolveType),
  );
}

/** The function is generated for the first value: an abstract type has many object types and meets few of them. */
function compileObject(
  sets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  operation: CompiledFrom,
  nullable: boolean,
): CompleteObject {
  let complete: CompleteObject | undefined;
  return (run, node, key, value) => {
    complete ??= generateObject(type.name, selectedFields(sets, type, operation), nullable);
    return complete(run, node, key, value);
  };
}

function selectedFields(
  sets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  operation: CompiledFrom,
): SelectedField[] {
  const nodesByKey = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  for (const set of sets) collectFields(set, type, operation, nodesByKey, spread);
  return [...nodesByKey].map(([key, nodes]) => compileField(key, nodes, type, operation));
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

function compileField(
  key: string,
  nodes: readonly FieldNode[],
  parentType: GraphQLObjectType,
  operation: CompiledFrom,
): SelectedField {
  const [node] = nodes;
  const fieldName = node?.name.value ?? "";
  const name = `${parentType.name}.${fieldName}`;
  const size = key.length + FIELD_SIZE;
  if (fieldName === "__typename") return { key, size: size + parentType.name.length, constant: parentType.name };
  const { schema, operation: definition, fragmentDefinitions: fragments } = operation;
  const field = schema.getField(parentType, fieldName);
  if (!node || !field) throw new Error(`The field ${name} is not in the schema: the document was not validated.`);
  const { type: returnType } = field;
  const resolve = field.resolve && (operation.wrapResolver?.(name, field.resolve) ?? field.resolve);
  const parts = { responseKey: key, fieldName, fieldNodes: nodes, returnType, parentType, schema, fragments };
  const info = { ...parts, operation: definition };
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const objectOf = (type: GraphQLObjectType, nullable: boolean) => compileObject(sets, type, operation, nullable);
  const place = { nodes, name, locations: lazyLocations(nodes), info, objectOf };
  return {
    key,
    size,
    fieldName,
    leafType: leafNameOf(returnType),
    resolver: resolve ? { resolve, argumentsOf: compileArguments(field, node), info } : null,
    complete: compileComplete(returnType, place),
  };
}

/** Null for lists and objects. */
function leafNameOf(type: GraphQLOutputType): string | null {
  const nullable = getNullableType(type);
  return isLeafType(nullable) ? nullable.name : null;
}

/** Finding a line scans the document from its start, so it is done once for each field. */
function lazyLocations(nodes: readonly FieldNode[]): () => GraphQLError["locations"] {
  let locations: GraphQLError["locations"];
  return () => (locations ??= new GraphQLError("", { nodes }).locations);
}
