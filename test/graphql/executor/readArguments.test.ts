import * as fc from "fast-check";
import {
  buildSchema,
  getArgumentValues,
  type GraphQLError,
  type GraphQLScalarType,
  Kind,
  parse,
  validate,
  validateExecutionArgs,
  valueFromASTUntyped,
  visit,
  type FieldNode,
} from "graphql";
import { describe, expect, it } from "vitest";
import { readArguments } from "../../../src/graphql/executor/readArguments.ts";
import { schema as ours } from "../../../src/schema/schema.ts";

const schema = buildSchema(`
  scalar Any
  scalar Counted
  input Filter { since: String, until: String = "late", words: [String!], deep: Filter, count: Int! = 4, any: Any }
  input One @oneOf { id: ID, word: String }
  type Query { f(first: Int! = 3, after: String = "begin", filter: Filter, ids: [ID!], one: One, any: Any, counted: Counted): Int }
`);
const any = schema.getType("Any") as GraphQLScalarType;
any.parseLiteral = (node, variables) => valueFromASTUntyped(node, variables);
any.coerceInputLiteral = undefined;
/** A scalar that parses its variables. */
const counted = schema.getType("Counted") as GraphQLScalarType;
counted.parseLiteral = (node, variables) => Object.values(valueFromASTUntyped(node, variables) as object).length;
counted.coerceInputLiteral = undefined;

const VARIABLES = `$n: Int, $m: Int = 9, $s: String, $t: String! = "t", $w: [String!], $id: ID, $d: Filter, $a: Any`;
const documents = [
  "f(first: $m)",
  "f(after: $s)",
  "f(after: $t, filter: { since: $s, until: $s })",
  'f(filter: { since: $s, words: [$t, "x", $t], count: $m })',
  "f(filter: { words: $w, deep: { since: $t, deep: $d } })",
  'f(filter: $d, ids: [1, "two"])',
  "f(first: 7, filter: { deep: { deep: { until: $s } } })",
  "f(any: { of: [$n, { more: $a }], id: $id, plain: 1 })",
  "f(any: { __proto__: { x: $n } })",
  "f(any: { __proto__: 1, x: $n })",
  'f(filter: { any: $a, since: "$n" })',
  "f(any: $a, filter: { count: $m, deep: { count: 5 } })",
  "f(counted: { a: $a, b: $n })",
  "f(counted: $a, after: $s)",
];

const texts = fc.constantFrom("a", "", "__proto__");
const given = fc.record(
  {
    n: fc.option(fc.nat()),
    m: fc.nat(),
    s: fc.option(texts),
    t: texts,
    w: fc.option(fc.array(texts)),
    id: fc.option(fc.oneof(fc.nat(), texts)),
    d: fc.option(fc.record({ since: fc.option(texts), count: fc.nat() }, { requiredKeys: [] })),
    a: fc.option(fc.oneof(fc.nat(), texts, fc.record({ name: texts }), fc.array(fc.nat()))),
  },
  { requiredKeys: [] },
);

function fieldsOf(source: string) {
  const document = parse(source);
  const nodes: FieldNode[] = [];
  visit(document, { Field: (node) => void nodes.push(node) });
  return { document, nodes };
}

/** The result, or the message of the error. */
function outcomeOf(make: () => unknown): unknown {
  try {
    return { made: make() };
  } catch (error) {
    return { message: (error as GraphQLError).message };
  }
}

describe("the arguments of a field", () => {
  it.each(documents)("equal those of graphql-js, whatever values came before: %s", (text) => {
    const { document, nodes } = fieldsOf(`query (${VARIABLES}) { ${text} }`);
    const field = schema.getQueryType()?.getFields()["f"];
    if (!field || !nodes[0]) throw new Error("there is no field");
    const [node] = nodes;
    let made = 0;
    fc.assert(
      fc.property(fc.array(given, { minLength: 1, maxLength: 6 }), (runs) => {
        const read = readArguments(field, node);
        for (const variableValues of runs) {
          const args = validateExecutionArgs({ schema, document, variableValues });
          if (!("variableValues" in args)) continue;
          const plain = outcomeOf(() => getArgumentValues(field, node, args.variableValues, undefined, true));
          const quick = outcomeOf(() => read(args.variableValues));
          expect(JSON.stringify(quick)).toBe(JSON.stringify(plain));
          expect(quick).toEqual(plain);
          made += 1;
        }
      }),
    );
    expect(made).toBeGreaterThan(50);
  });

  it("are a new object for each execution", () => {
    const { document, nodes } = fieldsOf("query ($s: String) { f(filter: { since: $s }) }");
    const field = schema.getQueryType()?.getFields()["f"];
    const read = readArguments(field as never, nodes[0] as FieldNode);
    const argsOf = () => {
      const args = validateExecutionArgs({ schema, document, variableValues: { s: "x" } });
      if (!("variableValues" in args)) throw new Error("it is refused");
      return read(args.variableValues) as { filter: object };
    };
    const [first, second] = [argsOf(), argsOf()];
    expect(first.filter).not.toBe(second.filter);
    expect(first).toEqual(second);
  });

  it("hold the range of a list in our own schema", () => {
    const text =
      'query ($u: DateTime!) { callLogs(first: 10, filter: { since: "2026-11-20T00:00:00Z", until: $u }) { totalCount } }';
    const { document, nodes } = fieldsOf(text);
    expect(validate(ours, document)).toEqual([]);
    const read = readArguments(ours.getQueryType()?.getFields()["callLogs"] as never, nodes[0] as FieldNode);
    for (const u of ["2026-11-21T00:00:00Z", "2026-11-22T08:00:00+08:00"]) {
      const args = validateExecutionArgs({ schema: ours, document, variableValues: { u } });
      if (!("variableValues" in args)) throw new Error("it is refused");
      const until = new Date(u).toISOString();
      expect(read(args.variableValues)).toEqual({
        first: 10,
        filter: { since: "2026-11-20T00:00:00.000Z", until },
      });
    }
    expect(nodes[0]?.kind).toBe(Kind.FIELD);
  });
});
