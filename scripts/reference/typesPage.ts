// docs/reference/types.md: each type of the graph with its fields, their scopes and costs.
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
} from "graphql";
import { schema } from "../../src/schema/schema.ts";
import { costOf, scopeOf, withoutScope, type Field } from "./fieldFacts.ts";
import { argumentRows, INPUT_HEAD, inputRows } from "./inputs.ts";
import { code, head, page, table } from "./markdown.ts";
import { typeLink } from "./typeLink.ts";

const ROOTS = new Set(["Query", "Mutation", "Subscription"]);
const types = Object.values(schema.getTypeMap())
  .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !ROOTS.has(type.name))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

export function typesPage(): string {
  const objects = types.filter((type) => isObjectType(type) || isInterfaceType(type));
  const inputs = types.filter(isInputObjectType);
  const enums = types.filter(isEnumType);
  const scalars = types.filter((type) => ![...objects, ...inputs, ...enums].includes(type as never));
  return page(
    head("The graph: types", "Every type with its fields, the scope that each needs, and what it costs."),
    "A field without a scope here needs that of the field which leads to it. A field that can fail is nullable: its failure costs only " +
      "that field. [graph.md](graph.md) has the fields to begin with.",
    "## Objects",
    ...objects.flatMap(objectPart),
    "## Inputs",
    ...inputs.flatMap((type) => [
      ...titleOf(type),
      table(INPUT_HEAD, inputRows(type.name, Object.values(type.getFields()))),
    ]),
    "## Enums",
    ...enums.flatMap((type) => [
      ...titleOf(type),
      table(
        ["Value", "Meaning"],
        type.getValues().map(({ name, description }) => [code(name), description ?? ""]),
      ),
    ]),
    "## Scalars",
    ...scalars.flatMap(titleOf),
  );
}

function titleOf(type: GraphQLNamedType): string[] {
  return [`### ${type.name}`, type.description ?? ""];
}

function objectPart(type: GraphQLObjectType | GraphQLInterfaceType): string[] {
  const scope = scopeOf(type);
  const fields = Object.values(type.getFields()) as Field[];
  const rows = fields.map((field) => [
    code(field.name),
    typeLink(field.type),
    scopeOf(field),
    costOf(field),
    withoutScope(field.description),
  ]);
  return [
    ...titleOf(type),
    scope === "" ? "" : `Scope of its fields: ${scope}.`,
    table(["Field", "Type", "Scope", "Cost", "Meaning"], rows),
    ...fields
      .filter(({ args }) => args.length > 0)
      .flatMap((field) => [
        `Arguments of \`${type.name}.${field.name}\`:`,
        table(INPUT_HEAD, argumentRows(`${type.name}.${field.name}`, field)),
      ]),
  ];
}
