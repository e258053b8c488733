// Reads the arguments of a tool as models and their programs really write them, by the input schema of the tool.
import { isObject } from "../format/fieldParsers.ts";
import { parseRequestJson } from "../graphql/operationParams.ts";
import type { JsonSchema, ObjectSchema } from "./inputSchema.ts";

/**
 * The arguments, or what is wrong with them. Null for an optional argument leaves it out. An object or a list that was sent as text of
 * JSON is read: https://github.com/anthropics/claude-code/issues/18260, https://github.com/PrefectHQ/fastmcp/issues/932
 */
export function readArguments(args: Record<string, unknown>, schema: ObjectSchema): Record<string, unknown> | string {
  const known = Object.keys(schema.properties);
  if (Object.keys(args).some((name) => !known.includes(name)))
    return `An argument is unknown. The tool takes: ${known.join(", ") || "none"}.`;
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
  const noLists: string[] = [];
  const read = readMembers(given, schema.properties, [], noLists);
  // GraphQL would take such a text for a list of it alone, and the answer would be of something that nobody asked for.
  return noLists.length === 0 ? read : `${noLists.join(", ")} must be a list.`;
}

type Path = readonly (string | number)[];

/** `noLists`: gets the place of each text that the schema has a list for. */
function readMembers(
  value: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, JsonSchema>>,
  path: Path,
  noLists: string[],
): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, member]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, schema ? readValue(member, schema, [...path, name], noLists) : member] as const;
  });
  return Object.fromEntries(entries);
}

function readValue(value: unknown, schema: JsonSchema, path: Path, noLists: string[]): unknown {
  const { type, items, properties } = schema;
  const read = typeof value === "string" ? readText(value, schema) : value;
  if (type === "array" && typeof read === "string") noLists.push(path.join("."));
  if (Array.isArray(read)) return items ? read.map((item, at) => readValue(item, items, [...path, at], noLists)) : read;
  return isObject(read) && properties ? readMembers(read, properties, path, noLists) : read;
}

/** The object or the list that the text is JSON of, where the schema has one. */
function readText(text: string, { type }: JsonSchema): unknown {
  const opening = type === "object" ? "{" : type === "array" ? "[" : null;
  if (opening === null || !text.trimStart().startsWith(opening)) return text;
  return parseRequestJson(text) ?? text;
}
