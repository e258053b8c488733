// The output schema of a tool, from the selection of its operation. Null is a type of every nullable field: strict clients check each
// result against it.
import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import type { JsonSchema, ObjectSchema } from "./inputSchema.ts";

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  Int: { type: "integer" },
  Float: { type: "number" },
  Boolean: { type: "boolean" },
  JSONObject: { type: "object", additionalProperties: true },
};

interface Found {
  field: FieldNode;
  type: GraphQLOutputType;
  description: string | undefined;
  /** Whether each object of the parent has it. */
  isCertain: boolean;
}

/** A selection on objects of a type. */
interface Part {
  type: GraphQLNamedType;
  set: SelectionSetNode;
  /** Whether it is made on each object that has the field: a field of two fragments has the selections of one, or of both. */
  isCertain: boolean;
}

/** The schema of `data`. The document fits the schema. */
export function dataSchemaOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
): ObjectSchema {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);

  function objectSchema(parts: readonly Part[]): ObjectSchema {
    const byKey = new Map<string, Found[]>();
    const isOne = new Set(parts.map(({ type }) => type)).size === 1;
    for (const { type, set, isCertain } of parts) collect(type, set.selections, isOne && isCertain, byKey);
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const [key, found] of byKey) {
      properties[key] = fieldSchema(found);
      if (found.some(({ isCertain }) => isCertain)) required.push(key);
    }
    return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
  }

  function fieldSchema(found: readonly Found[]): JsonSchema {
    const [{ type, description }] = found as [Found];
    const parts = found.flatMap(({ field, type: of, isCertain }) =>
      field.selectionSet
        ? { type: getNamedType(of), set: field.selectionSet, isCertain: isCertain || found.length === 1 }
        : [],
    );
    const own = valueSchema(type, parts);
    return description ? { ...own, description } : own;
  }

  function valueSchema(type: GraphQLOutputType, parts: readonly Part[]): JsonSchema {
    if (isNonNullType(type)) return notNull(type.ofType, parts);
    const own = notNull(type, parts);
    return { ...own, type: [own.type as string, "null"], ...(own.enum && { enum: [...own.enum, null] }) };
  }

  function notNull(type: GraphQLOutputType, parts: readonly Part[]): JsonSchema {
    if (isListType(type)) return { type: "array", items: valueSchema(type.ofType, parts) };
    const named = getNamedType(type);
    if (isCompositeType(named)) return objectSchema(parts);
    if (isEnumType(named)) return { type: "string", enum: named.getValues().map(({ name }) => name) };
    return SCALARS[named.name] ?? { type: "string" };
  }

  function collect(
    type: GraphQLNamedType,
    selections: readonly SelectionNode[],
    isCertain: boolean,
    byKey: Map<string, Found[]>,
  ): void {
    for (const node of selections) {
      const isHere = isCertain && !node.directives?.length;
      if (node.kind === Kind.FIELD) {
        const definition = schema.getField(type as never, node.name.value);
        if (!definition) continue;
        const key = (node.alias ?? node.name).value;
        const description = definition.description ?? undefined;
        const found = { field: node, type: definition.type, description, isCertain: isHere };
        byKey.set(key, [...(byKey.get(key) ?? []), found]);
        continue;
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      if (!fragment) continue;
      const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
      collect(condition ?? type, fragment.selectionSet.selections, isHere && isAlways(condition, type), byKey);
    }
  }

  /** Whether every object of `type` is one of `condition`. */
  function isAlways(condition: GraphQLNamedType | undefined, type: GraphQLNamedType): boolean {
    if (!condition || condition === type) return true;
    return isAbstractType(condition) && !isAbstractType(type) && schema.isSubType(condition, type as never);
  }

  const root = schema.getRootType(operation.operation) as GraphQLNamedType;
  return objectSchema([{ type: root, set: operation.selectionSet, isCertain: true }]);
}
