// The arguments and the input fields of the graph, for the tables of the reference.
import {
  getNamedType,
  isInputObjectType,
  parse,
  print,
  visit,
  type GraphQLArgument,
  type GraphQLInputField,
} from "graphql";
import { printedSchema } from "../../src/schema/schema.ts";
import { scopeOf, withoutScope, type Field } from "./fieldFacts.ts";
import { code } from "./markdown.ts";
import { typeLink } from "./typeLink.ts";

type Input = GraphQLArgument | GraphQLInputField;

export const INPUT_HEAD = ["Name", "Type", "Default", "Scope", "Meaning"] as const;

/** One line for each argument, and for each field of a filter below it. `parent`: the coordinate of the field. */
export function argumentRows(parent: string, field: Field): string[][] {
  return field.args.flatMap((argument) => {
    const type = getNamedType(argument.type);
    const own = rowOf(argument.name, `${parent}.${argument.name}`, argument);
    if (!isFilter(argument)) return [own];
    return [
      own,
      ...inputRows(type.name, Object.values(isInputObjectType(type) ? type.getFields() : {}), argument.name),
    ];
  });
}

/** A filter's fields stand where it is used; other inputs have a table of their own. */
export const isFilter = ({ name, type }: Input) => isInputObjectType(getNamedType(type)) && /filter|range/i.test(name);

export function inputRows(typeName: string, fields: readonly GraphQLInputField[], below?: string): string[][] {
  const label = (name: string) => (below === undefined ? name : `${below} { ${name} }`);
  return fields.map((field) => rowOf(label(field.name), `${typeName}.${field.name}`, field));
}

function rowOf(label: string, coordinate: string, input: Input): string[] {
  const value = defaults.get(coordinate);
  return [
    code(label),
    typeLink(input.type),
    value === undefined ? "" : code(value),
    scopeOf(input),
    withoutScope(input.description),
  ];
}

/** As a document writes them, by coordinate: `Query.callLogs.first`. */
const defaults = findDefaults();

function findDefaults(): Map<string, string> {
  const found = new Map<string, string>();
  const path: string[] = [];
  visit(parse(printedSchema(), { noLocation: true }), {
    enter(node) {
      if (!("name" in node) || !node.name || !node.kind.endsWith("Definition")) return;
      path.push(node.name.value);
      if (node.kind === "InputValueDefinition" && node.defaultValue)
        found.set(path.join("."), print(node.defaultValue));
    },
    leave(node) {
      if ("name" in node && node.name && node.kind.endsWith("Definition")) path.pop();
    },
  });
  return found;
}
