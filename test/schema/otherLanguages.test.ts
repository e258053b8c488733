// The graph is plain enough for the generators of docs/frontends/README.md that are not run here: ariadne-codegen (Python), genqlient (Go),
// Apollo iOS (Swift) and Apollo Kotlin. It has no directive that they must know, and no name that they neither take nor escape.
import { buildSchema, isEnumType, isInputObjectType, isIntrospectionType, parse, visit } from "graphql";
import { isInterfaceType, isObjectType, isSpecifiedScalarType, printSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { schema } from "../../src/schema/schema.ts";

/** All four know them; gqlparser, which genqlient uses, knows no later ones. */
const KNOWN_DIRECTIVES = new Set(["deprecated", "specifiedBy"]);
/** Defined for operations, which need not use them. gqlparser takes a definition of what it knows, too. */
const OPERATION_DIRECTIVES = new Set(["defer", "stream"]);

/**
 * Names of types that a generated file would declare a second time, or that the language does not take. Apollo iOS renames some of
 * them for objects, but not for enums and input types.
 */
const RESERVED_TYPES = new Set(
  [
    // Python: keywords, and what ariadne-codegen imports into its modules.
    "None True False Annotated Any AsyncIterator AsyncBaseClient BaseModel Client Dict",
    "Enum Field GraphQLClientError List Literal Optional PlainSerializer Union Upload",
    // Swift and the module of Apollo iOS.
    "Bool DataDict Double DocumentType Error Fragments FragmentContainer Interface Int32",
    "Object ParentType Protocol Schema SchemaMetadata Selection SelectionSet Self Type",
    // Kotlin and Java: what every file imports.
    "Companion Exception Map Nothing Pair Set Unit Void",
  ].flatMap((words) => words.split(" ")),
);
/** Apollo iOS refuses the first two as fields, and the third as an argument. Its mocks have the last one of their own. */
const RESERVED_FIELDS = new Set(["__data", "fragments", "self", "hash"]);

/** The names that a generator would stumble over, each with the reason. */
function findFaults(sdl: string): string[] {
  const faults: string[] = [];
  visit(parse(sdl), {
    Directive: ({ name }) => void (KNOWN_DIRECTIVES.has(name.value) || faults.push(`@${name.value} is unknown`)),
    DirectiveDefinition: ({ name }) =>
      void (OPERATION_DIRECTIVES.has(name.value) || faults.push(`@${name.value} is defined`)),
  });
  const types = Object.values(buildSchema(sdl).getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const check = (name: string, isPlain: boolean) => void (isPlain || faults.push(`${name} is reserved or not plain`));
  /** Kotlin and Swift write a file for each type, and not all disks tell letter cases apart. */
  checkApart(
    "types",
    types.map(({ name }) => name),
    faults,
  );
  for (const type of types) {
    check(type.name, /^[A-Z][A-Za-z0-9]*$/.test(type.name) && !RESERVED_TYPES.has(type.name));
    if (isEnumType(type)) {
      const values = type.getValues().map(({ name }) => name);
      // All reserved words have lower-case letters, such as Python's None, and Kotlin's name, ordinal, type and Companion.
      for (const value of values) check(`${type.name}.${value}`, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(value));
      checkApart(type.name, values, faults);
    }
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    const fields = Object.values(type.getFields());
    // Keywords, such as Python's from, are escaped by each generator. In Go all names begin with a capital letter.
    const isPlain = (name: string) => /^[a-z][A-Za-z0-9]*$/.test(name) && !RESERVED_FIELDS.has(name);
    for (const { name } of fields) check(`${type.name}.${name}`, isPlain(name));
    // genqlient makes a method GetName for each field name.
    checkApart(
      type.name,
      fields.flatMap(({ name }) => [name, `get${name}`]),
      faults,
    );
    for (const field of fields)
      for (const { name } of "args" in field ? field.args : [])
        check(`${type.name}.${field.name}(${name})`, isPlain(name));
  }
  return faults;
}

/** Two names must differ in more than letter case and underscores: generators change both. */
function checkApart(where: string, names: readonly string[], faults: string[]): void {
  const plain = names.map((name) => name.toLowerCase().replaceAll("_", ""));
  const twice = names.filter((_, at) => plain.indexOf(plain[at] as string) !== at);
  faults.push(...twice.map((name) => `${where} has a name like ${name} twice`));
}

describe("The printed graph", () => {
  it("has only directives and names that generators of other languages take or escape", () => {
    expect(findFaults(printSchema(schema))).toEqual([]);
  });

  it.each([
    [
      "directive @cost(weight: Int) on FIELD_DEFINITION type Query { a: Int @cost(weight: 1) }",
      ["@cost is defined", "@cost is unknown"],
    ],
    ["type Query { a: Error } type Error { b: Int }", ["Error is reserved or not plain"]],
    ["type Query { fragments: Int a_b: Int }", ["Query.fragments", "Query.a_b"]],
    ["type Query { a(self: Int, B: Int): Int }", ["Query.a(self)", "Query.a(B)"]],
    ["type Query { a: E } enum E { type None GOOD_ONE }", ["E.type", "E.None"]],
    ["type Query { a: E } enum E { AB A_B }", ["E has a name like A_B twice"]],
    ["type Query { userId: Int userID: Int }", ["Query has a name like userID twice"]],
    ["type Query { name: Int getName: Int }", ["Query has a name like getName twice"]],
    ["type Query { a: Ab b: AB } type Ab { c: Int } type AB { c: Int }", ["types has a name like AB twice"]],
  ])("would be refused as %s", (sdl, expected) => {
    const faults = findFaults(sdl);
    for (const fault of expected) expect(faults.join("\n")).toContain(fault);
  });
});
