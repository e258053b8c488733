// Finds changes of the graph that break clients, and deprecations that do not say when they end.
import {
  BreakingChangeType,
  DangerousChangeType,
  findSchemaChanges,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from "graphql";
import type { Break } from "./changelog.ts";

/** Another default value changes the answers to documents that stay the same. */
const BREAKING: ReadonlySet<string> = new Set([
  ...Object.keys(BreakingChangeType),
  DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE,
  DangerousChangeType.INPUT_FIELD_DEFAULT_VALUE_CHANGE,
]);
/** The coordinate in a change's description, such as `Query.calls(first:)`, `CallDirection.INBOUND` or `Viewer`. */
const COORDINATE = /@?\b[A-Z]\w*\.\w+(?:\(\w+:\))?|@\w+(?:\(\w+:\))?/;

export function findGraphBreaks(released: GraphQLSchema, current: GraphQLSchema): Break[] {
  return findSchemaChanges(released, current)
    .filter(({ type }) => BREAKING.has(type))
    .map(({ description }) => ({ name: nameIn(released, description), change: description.replace(/\.$/, "") }));
}

function nameIn(schema: GraphQLSchema, description: string): string {
  const coordinate = COORDINATE.exec(description)?.[0];
  if (coordinate !== undefined) return coordinate;
  return description.split(/\W+/).find((word) => schema.getType(word) !== undefined) ?? description;
}

const DATE = /\b\d{4}-\d{2}-\d{2}\b/;

/** The coordinates of what is deprecated without a date. */
export function findUndatedDeprecations(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith("__"))
    .flatMap(partsOf)
    .filter(({ deprecationReason: reason }) => reason != null && !hasDate(reason))
    .map(({ coordinate }) => coordinate);
}

function hasDate(reason: string): boolean {
  const date = DATE.exec(reason)?.[0];
  return date !== undefined && !Number.isNaN(Date.parse(date));
}

interface Part {
  coordinate: string;
  deprecationReason: string | null | undefined;
}

function partsOf(type: GraphQLNamedType): Part[] {
  if (isEnumType(type)) return type.getValues().map((value) => partAt(`${type.name}.${value.name}`, value));
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => partAt(`${type.name}.${field.name}`, field));
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => {
    const coordinate = `${type.name}.${field.name}`;
    return [partAt(coordinate, field), ...field.args.map((arg) => partAt(`${coordinate}(${arg.name}:)`, arg))];
  });
}

const partAt = (coordinate: string, { deprecationReason }: Omit<Part, "coordinate">): Part => ({
  coordinate,
  deprecationReason,
});
