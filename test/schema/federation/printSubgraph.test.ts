import { parse, type FieldDefinitionNode, type ObjectTypeDefinitionNode } from "graphql";
import { describe, expect, it } from "vitest";
import { printedSubgraph } from "../../../src/schema/federation/subgraph.ts";
import { printedSchema, schema } from "../../../src/schema/schema.ts";

const sdl = printedSubgraph(schema);
const types = new Map(
  parse(sdl).definitions.flatMap((node) => (node.kind === "ObjectTypeDefinition" ? [[node.name.value, node]] : [])),
);
const typeOf = (name: string) => types.get(name) as ObjectTypeDefinitionNode;
const fieldOf = (type: string, name: string) =>
  typeOf(type).fields?.find((field) => field.name.value === name) as FieldDefinitionNode;
const namesOf = ({ directives = [] }: { directives?: readonly { name: { value: string } }[] | undefined }) =>
  directives.map(({ name }) => name.value);

describe("The printed subgraph", () => {
  it("has the keys of its entities", () => {
    const keys = [...sdl.matchAll(/^type (\w+)[^{]*@key\(fields: "([^"]+)"\)/gm)].map(
      ([, type, key]) => `${type}: ${key}`,
    );
    expect(keys.sort()).toEqual([
      "Assistant: assistantId versionId",
      "CallEnded: sessionId",
      "CallLog: sessionId",
      "Person: phone",
      "Task: taskId",
      "TaskSubmission: id",
    ]);
  });

  it("shares PageInfo without a scope, which would hold for the lists of other subgraphs", () => {
    expect(namesOf(typeOf("PageInfo"))).toEqual(["shareable"]);
    for (const field of typeOf("PageInfo").fields ?? []) expect(namesOf(field)).toEqual([]);
  });

  it("names scopes as the gateway checks them", () => {
    expect(sdl).toMatch(
      /recordFile: String @requiresScopes\(scopes: \[\["recordings:read"\]\]\) @tag\(name: "recordings-read"\)/,
    );
    expect(sdl).toMatch(
      /createTask\(.*?\): CreateTaskPayload @requiresScopes\(scopes: \[\["tasks:create"\], \["tasks:propose"\]\]\) @tag\(name: "tasks-create"\) @tag/s,
    );
    expect(namesOf(fieldOf("Task", "name"))).toEqual(["requiresScopes"]);
    expect(namesOf(fieldOf("Query", "serviceTimeZone"))).toEqual(["authenticated"]);
    expect(namesOf(fieldOf("Task", "taskId"))).toEqual([]);
  });

  it("names costs as the gateway counts them at worst", () => {
    expect(sdl).toMatch(
      /\[Task\] @requiresScopes\(scopes: \[\["calls:read"\]\]\) @cost\(weight: 100\) @listSize\(assumedSize: 100\)/,
    );
    expect(namesOf(fieldOf("Query", "callLogs"))).toEqual(["requiresScopes", "cost", "listSize"]);
    const slicing = /@listSize\(slicingArguments: \["first"\], requireOneSlicingArgument: false/.source;
    expect(sdl).toMatch(new RegExp(`byTask\\(.*?\\): \\[.*? ${slicing}\\)`, "s"));
    expect(sdl).toMatch(new RegExp(`callLogs\\(.*?\\): CallLogConnection.*? ${slicing}, sizedFields: `, "s"));
  });

  it("has nothing of the machinery of a router", () => {
    expect(sdl).not.toMatch(/_entities|_service|_Any|_Entity/);
  });

  it("leaves the graph itself as it is", () => {
    expect(printedSchema()).not.toMatch(/\bPerson\b|@key/);
  });
});
