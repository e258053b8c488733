// Compiles a validated operation. Which fields are selected, how they are read and how they are completed is decided once; each
// execution only calls the functions. README.md lists what is left to graphql-js.
import {
  getDirectiveValues,
  getNullableType,
  GraphQLError,
  GraphQLStreamDirective,
  isAbstractType,
  isLeafType,
  isObjectType,
  type FieldNode,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type ValidatedExecutionArgs,
} from "graphql";
import type { Context } from "../../resolvers/context.ts";
import {
  collectFields,
  type CollectedField,
  type CollectOptions,
  type Defer,
  type Selection,
} from "./collectFields.ts";
import { compileComplete, type FieldPlace } from "./completeValue.ts";
import { generateObject, type SelectedField } from "./generateObject.ts";
import { readArguments } from "./readArguments.ts";
import { FIELD_SIZE, type CompleteObject, type DeferPlan } from "./runCompiled.ts";

export type FieldResolver = GraphQLFieldResolver<unknown, Context>;
export interface CompiledFrom extends CollectOptions, Pick<ValidatedExecutionArgs, "operation"> {
  /** Wraps each resolver. Default: resolvers are called as they are. */
  wrapResolver?: ((name: string, resolve: FieldResolver) => FieldResolver) | undefined;
}

/**
 * Returns null if graphql-js must execute the operation. The result depends on the variables of directives, so it holds for
 * operations that give these the same values. It keeps the given variables: pass no others.
 */
export function compileOperation(operation: CompiledFrom): CompleteObject | null {
  const { schema, operation: definition } = operation;
  const root = schema.getRootType(definition.operation);
  if (!root || definition.operation === "mutation" || usesIsTypeOf(schema)) return null;
  return compileObject([{ set: definition.selectionSet, defer: null }], root, { operation, within: [] }, true);
}

function usesIsTypeOf(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some(
    (type) => (isObjectType(type) && type.isTypeOf) || (isAbstractType(type) && !type.resolveType),
  );
}

interface Scope {
  operation: CompiledFrom;
  /** The deferred fragments that the compiled fields belong to. */
  within: readonly Defer[];
}

/** The function is generated for the first value: an abstract type has many object types and meets few of them. */
function compileObject(
  selections: readonly Selection[],
  type: GraphQLObjectType,
  scope: Scope,
  nullable: boolean,
): CompleteObject {
  return lazily(() => {
    const { fields, defers, later } = collectFields(selections, type, scope.operation, scope.within);
    const parts = later.map((group) => ({
      defers: group.defers,
      complete: lazily(() => {
        const inGroup = { ...scope, within: group.defers };
        return compileFields(group.fields, type, inGroup, { defers: [], parts: [] }, true);
      }),
    }));
    return compileFields(fields, type, scope, { defers, parts }, nullable);
  });
}

function lazily(create: () => CompleteObject): CompleteObject {
  let complete: CompleteObject | undefined;
  return (run, node, key, value) => {
    complete ??= create();
    return complete(run, node, key, value);
  };
}

function compileFields(
  collected: readonly CollectedField[],
  type: GraphQLObjectType,
  scope: Scope,
  plan: Omit<DeferPlan, "fieldCount">,
  nullable: boolean,
): CompleteObject {
  const fields = collected.map((field) => compileField(field, type, scope));
  const { inParts } = scope.operation;
  return generateObject(type.name, fields, nullable, inParts ? { ...plan, fieldCount: fields.length } : null);
}

function compileField(collected: CollectedField, parentType: GraphQLObjectType, scope: Scope): SelectedField {
  const { operation } = scope;
  const { key } = collected;
  const nodes = collected.nodes.map(({ node }) => node);
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
  const objectOf = (type: GraphQLObjectType, nullable: boolean) =>
    compileObject(selectionsOf(collected), type, scope, nullable);
  const place = { nodes, name, locations: lazyLocations(nodes), info, objectOf, stream: streamOf(collected, scope) };
  return {
    key,
    size,
    fieldName,
    leafType: leafNameOf(returnType),
    resolver: resolve ? { resolve, argumentsOf: readArguments(field, node), info } : null,
    complete: compileComplete(returnType, place),
  };
}

function selectionsOf({ nodes }: CollectedField): Selection[] {
  return nodes.flatMap(({ node, defer }) => (node.selectionSet ? { set: node.selectionSet, defer } : []));
}

/** A streamed item is whole: the deferred fragments around its list do not divide it. */
function streamOf(collected: CollectedField, { operation }: Scope): FieldPlace["stream"] {
  const [first] = collected.nodes;
  if (!operation.inParts || !first) return null;
  const given = getDirectiveValues(GraphQLStreamDirective, first.node, operation.variableValues);
  if (!given || given["if"] === false) return null;
  const { label, initialCount } = given;
  const selections = selectionsOf(collected).map(({ set }) => ({ set, defer: null }));
  return {
    label: typeof label === "string" ? label : undefined,
    initialCount: Math.max(0, Number(initialCount)),
    objectOf: (type, nullable) => compileObject(selections, type, { operation, within: [] }, nullable),
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
