// docs/reference/graph.md: each root field with its arguments, its filters, its scope and its cost.
import { getNamedType, isInputObjectType, type GraphQLObjectType } from "graphql";
import { schema } from "../../src/schema/schema.ts";
import { costOf, scopeOf, withoutScope, type Field } from "./fieldFacts.ts";
import { argumentRows, INPUT_HEAD, isFilter } from "./inputs.ts";
import { code, head, page, table } from "./markdown.ts";
import { typeLink } from "./typeLink.ts";

interface Root {
  name: "Query" | "Mutation" | "Subscription";
  fields: Field[];
}

const roots: Root[] = (["Query", "Mutation", "Subscription"] as const).map((name) => ({
  name,
  fields: Object.values((schema.getType(name) as GraphQLObjectType).getFields()),
}));

export function graphPage(): string {
  return page(
    head("The graph: fields to begin with", "Every query, mutation and subscription, with its arguments and filters."),
    "A cost is what the field may need at worst: requests to the service (`QUERY_BUDGET`), and rows of the log (`LOG_BUDGET`), where a " +
      "scan counts as ten. Fields below a list count once for each entry. Without a scope of its own a field needs `calls:read`. " +
      "The types are in [types.md](types.md), what to do with the fields is in [queries.md](../queries.md).",
    "## Which field takes which filter",
    filterTable(),
    ...roots.flatMap(sectionOf),
  );
}

/** A row for each field of a filter, a column for each root field that takes one. */
function filterTable(): string {
  const columns = roots.flatMap(({ name, fields }) =>
    fields.flatMap((field) => {
      const [filter] = field.args.filter(isFilter);
      const type = filter && getNamedType(filter.type);
      return type && isInputObjectType(type) ? [{ root: name, field, names: Object.keys(type.getFields()) }] : [];
    }),
  );
  const names = [...new Set(columns.flatMap((column) => column.names))];
  const heads = columns.map(({ root, field }) => `[${code(field.name)}](#${anchorOf(root, field)})`);
  return table(
    ["Filter", ...heads],
    names.map((name) => [code(name), ...columns.map((column) => (column.names.includes(name) ? "yes" : ""))]),
  );
}

const headingOf = (root: string, { name }: Field) => `${root}.${name}`;
const anchorOf = (root: string, field: Field) => headingOf(root, field).toLowerCase().replaceAll(".", "");

function sectionOf({ name, fields }: Root): string[] {
  const titles = { Query: "Queries", Mutation: "Mutations", Subscription: "Subscriptions" };
  return [`## ${titles[name]}`, ...fields.flatMap((field) => partOf(name, field))];
}

function partOf(root: string, field: Field): string[] {
  const scope = scopeOf(field) || "`calls:read`";
  const cost = costOf(field);
  const facts = [`Gives ${typeLink(field.type)}.`, `Scope: ${scope}.`, cost === "" ? "" : `Cost: ${cost}.`];
  return [
    `### ${headingOf(root, field)}`,
    withoutScope(field.description),
    facts.filter((fact) => fact !== "").join(" "),
    table(INPUT_HEAD, argumentRows(`${root}.${field.name}`, field)),
  ];
}
