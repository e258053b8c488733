// What a verdict on an operation may look at of its variables: everything but the letters of texts, and what is in an object
// of any shape, which may be megabytes. Whether a text is given
// can matter, what it says cannot; an id can (`node` asks as its id says), and so can numbers, Booleans and enums.
import {
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableValues,
} from "graphql";

/** The variables with the same empty text for each text and each object of any shape. */
export type KeyReader = (values: VariableValues) => VariableValues;

/** Scalars that no scope and no `asks` of the schema looks into (test/graphql/policy/decisionCache.test.ts). */
const texts: ReadonlySet<string> = new Set(["String", "DateTime", "JSONObject"]);

/** Of raw values (`sources`) only scalars make something, and a verdict takes none apart. */
const nothing: VariableValues = Object.freeze({ sources: Object.create(null), coerced: Object.create(null) });

export function createKeyReader(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): KeyReader {
  const types = variableDefinitions.flatMap(({ variable, type: node }) => {
    const type = typeFromAST(schema, node);
    return isInputType(type) ? [[variable.name.value, type] as const] : [];
  });
  if (types.length === 0) return () => nothing;
  return ({ coerced }) => {
    const seen: Record<string, unknown> = Object.create(null);
    for (const [name, type] of types) if (Object.hasOwn(coerced, name)) seen[name] = decisionKeyOf(type, coerced[name]);
    return { sources: nothing.sources, coerced: seen };
  };
}

/** Of a coerced value. */
export function decisionKeyOf(type: GraphQLInputType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (isNonNullType(type)) return decisionKeyOf(type.ofType, value);
  if (isListType(type)) return (value as unknown[]).map((item) => decisionKeyOf(type.ofType, item));
  if (!isInputObjectType(type)) return texts.has(type.name) ? "" : value;
  const seen: Record<string, unknown> = Object.create(null);
  const given = value as Record<string, unknown>;
  for (const { name, type: inner } of Object.values(type.getFields())) {
    if (Object.hasOwn(given, name)) seen[name] = decisionKeyOf(inner, given[name]);
  }
  return seen;
}
