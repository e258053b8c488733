// A plugin of graphql-codegen for `npm run schema`: prints what switchboard-client/testing knows of the graph, which is its SDL
// without descriptions, its object types by name, and its root fields with their arguments and results.
import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  isAbstractType,
  parse,
  print,
  printSchema,
  visit,
  type ASTNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
} from "graphql";

const ROOTS = ["Query", "Mutation", "Subscription"];
const SCALARS: Record<string, string> = {
  ID: "string",
  String: "string",
  Int: "number",
  Float: "number",
  Boolean: "boolean",
  DateTime: "string",
  JSONObject: "Record<string, unknown>",
};

export const plugin = (schema: GraphQLSchema): string => {
  const objects = Object.values(schema.getTypeMap())
    .filter((type) => type instanceof GraphQLObjectType)
    .filter(({ name }) => !name.startsWith("__"));
  const entities = objects.filter(({ name }) => !ROOTS.includes(name));
  const roots = objects.filter(({ name }) => ROOTS.includes(name));
  return [
    "// Written by `npm run schema`: the graph as switchboard-client/testing knows it.",
    'import type * as graph from "./graph.ts";',
    interfaceText(
      "ObjectTypes",
      entities.map(({ name }) => `  ${name}: graph.${name};`),
    ),
    ...roots.map((root) =>
      interfaceText(
        `${root.name}Fields`,
        Object.values(root.getFields()).map((field) => rootFieldText(schema, field)),
      ),
    ),
    `/** The graph without its descriptions. */\nexport const sdl = \`${bareSdl(schema)}\`;\n`,
  ].join("\n\n");
};

function rootFieldText(schema: GraphQLSchema, { name, args, type }: GraphQLField<unknown, unknown>): string {
  const lines = args.map((arg) => `      ${arg.name}${isRequired(arg) ? "" : "?"}: ${typeText(schema, arg.type)};\n`);
  const argsText = lines.length === 0 ? "Record<string, never>" : `{\n${lines.join("")}    }`;
  return `  ${name}: {\n    args: ${argsText};\n    result: ${typeText(schema, type)};\n  };`;
}

/** An argument that a resolver always gets: one that must be given, or that has a default value. */
const isRequired = ({ type }: GraphQLArgument): boolean => type instanceof GraphQLNonNull;

const typeText = (schema: GraphQLSchema, type: GraphQLType): string =>
  type instanceof GraphQLNonNull ? presentText(schema, type.ofType) : `${presentText(schema, type)} | null`;

function presentText(schema: GraphQLSchema, type: Exclude<GraphQLType, GraphQLNonNull<never>>): string {
  if (type instanceof GraphQLList) return `(${typeText(schema, type.ofType)})[]`;
  return namedText(schema, type as GraphQLNamedType);
}

/** The object types of an interface, because a value must have their `__typename`. */
function namedText(schema: GraphQLSchema, type: GraphQLNamedType): string {
  const names = isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [type.name];
  return names.map((name) => SCALARS[name] ?? `graph.${name}`).join(" | ");
}

const interfaceText = (name: string, lines: readonly string[]): string =>
  `export interface ${name} {\n${lines.join("\n")}\n}`;

function bareSdl(schema: GraphQLSchema): string {
  const withoutDescription = (node: ASTNode) =>
    "description" in node ? { ...node, description: undefined } : undefined;
  return print(visit(parse(printSchema(schema)), { enter: withoutDescription }));
}
