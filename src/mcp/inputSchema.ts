// The input schema of a tool, from the variables of its operation. Clients and models accept different parts of JSON Schema, so it has
// only what all of them take: an object at the top, one `type` each, no null, no references and no alternatives.
import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
  valueFromASTUntyped,
  type GraphQLInputType,
  type GraphQLSchema,
} from "graphql";
import type { ToolDocument } from "./toolDocument.ts";

export interface JsonSchema {
  type: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  enum?: (string | null)[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

export interface ObjectSchema extends JsonSchema {
  type: "object";
  properties: Record<string, JsonSchema>;
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  Int: { type: "integer" },
  Float: { type: "number" },
  Boolean: { type: "boolean" },
  JSONObject: { type: "object", additionalProperties: true },
  DateTime: { type: "string", description: "An instant with its offset, such as 2026-11-20T09:00:00+08:00." },
};

/** `own`: properties that are no variables. */
export function inputSchemaOf(
  { operation, variableTexts }: Pick<ToolDocument, "operation" | "variableTexts">,
  schema: GraphQLSchema,
  own: Record<string, JsonSchema> = {},
): ObjectSchema {
  const required: string[] = [];
  const properties: Record<string, JsonSchema> = {};
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node) as GraphQLInputType;
    if (isNonNullType(type) && !defaultValue) required.push(name);
    const said = described(schemaOf(type), variableTexts.get(name));
    properties[name] = defaultValue ? { ...said, default: valueFromASTUntyped(defaultValue) } : said;
  }
  return objectOf({ ...properties, ...own }, required);
}

function schemaOf(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return schemaOf(type.ofType);
  if (isListType(type)) return { type: "array", items: schemaOf(type.ofType) };
  if (isEnumType(type)) return { type: "string", enum: type.getValues().map(({ name }) => name) };
  if (!isInputObjectType(type)) return SCALARS[type.name] ?? { type: "string" };
  const fields = Object.values(type.getFields());
  const required = fields.filter(isRequiredInputField);
  return objectOf(
    Object.fromEntries(
      fields.map(({ name, type: inner, description }) => [name, described(schemaOf(inner), description)]),
    ),
    required.map(({ name }) => name),
  );
}

function objectOf(properties: Record<string, JsonSchema>, required: string[]): ObjectSchema {
  return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  if (!description) return schema;
  return { ...schema, description: schema.description ? `${description} ${schema.description}` : description };
}
