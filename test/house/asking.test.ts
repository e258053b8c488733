import { getNamedType, isListType, isNonNullType, isObjectType, type GraphQLField, type GraphQLType } from "graphql";
import { describe, expect, it } from "vitest";
import { schema } from "../../src/schema/schema.ts";
import { sourcesIn } from "./sources.ts";

/** What leads to the service, as a resolver sees it. */
const LEADS_OUT = /\b(loaders|upstream|submitTask)\b/;

/** The text of each function of the resolvers, by name: up to the next that starts a line. */
const functions = new Map(
  sourcesIn("src/resolvers").flatMap(({ text }) =>
    text
      .split(/\n(?=(?:export )?(?:async )?function |(?:export )?const |(?:export )?interface |(?:export )?type )/)
      .flatMap((part): [string, string][] => {
        const name = /^(?:export )?(?:(?:async )?function\*? |const )(\w+)/.exec(part)?.[1];
        return name === undefined ? [] : [[name, part]];
      }),
  ),
);

function mayAsk(text: string, seen = new Set<string>()): boolean {
  if (LEADS_OUT.test(text)) return true;
  // Functions that are called, and tables of them.
  const called = [...text.matchAll(/(\w+)(?=\)?\()|\b(lookups)\b/g)].map(([name]) => name);
  return called.some((name) => {
    const body = seen.has(name) ? undefined : functions.get(name);
    seen.add(name);
    return body !== undefined && mayAsk(body, seen);
  });
}

const fields = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith("__"))
  .flatMap((type) => Object.values(isObjectType(type) ? type.getFields() : {}).map((field) => ({ type, field })));
const asksOf = ({ extensions }: GraphQLField<unknown, unknown>) => extensions["asks"];

describe("what a query costs is known before it runs", () => {
  it("each field whose resolver may ask the service says how often (asks, in schema/builder.ts)", () => {
    const silent = fields
      .filter(({ field }) => asksOf(field) === undefined)
      .filter(({ field }) => mayAsk(`${field.resolve?.toString() ?? ""} ${field.subscribe?.toString() ?? ""}`))
      .map(({ type, field }) => `${type.name}.${field.name}`);
    expect(silent).toEqual([]);
  });

  it("and this test sees through to those that do", () => {
    const loud = fields.filter(({ field }) => asksOf(field) !== undefined && mayAsk(String(field.resolve)));
    expect(loud.map(({ type, field }) => `${type.name}.${field.name}`)).toEqual(
      expect.arrayContaining(["Query.callLogs", "Task.callLogs", "CallLog.task", "CallEnded.task", "Query.node"]),
    );
  });

  it("each list above such a field has a size: first, ids or taskIds, its own or its connection's", () => {
    const unsized = fields
      .filter(({ field }) => isList(field.type) && reaches(getNamedType(field.type).name))
      .filter(({ field }) => !field.args.some(({ name }) => ["first", "ids", "taskIds"].includes(name)))
      .filter(({ type, field }) => !(type.name.endsWith("Connection") && ["edges", "nodes"].includes(field.name)))
      .map(({ type, field }) => `${type.name}.${field.name}`);
    expect(unsized).toEqual([]);
  });
});

function isList(type: GraphQLType): boolean {
  return isListType(type) || (isNonNullType(type) && isListType(type.ofType));
}

/** Whether something below the type asks. */
function reaches(typeName: string, seen = new Set<string>()): boolean {
  if (seen.has(typeName)) return false;
  seen.add(typeName);
  return fields
    .filter(({ type }) => type.name === typeName)
    .some(({ field }) => asksOf(field) !== undefined || reaches(getNamedType(field.type).name, seen));
}
