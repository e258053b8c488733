import * as fc from "fast-check";
import {
  getNamedType,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  OperationTypeNode,
  parse,
  validate,
  validateExecutionArgs,
  type GraphQLField,
  type GraphQLInputType,
} from "graphql";
import { describe, expect, it } from "vitest";
import { scopes } from "../../../src/auth/scopes.ts";
import { findDenied } from "../../../src/graphql/policy/authorize.ts";
import { costOf } from "../../../src/graphql/policy/cost.ts";
import { createDecisionCache, type Decide } from "../../../src/graphql/policy/decisionCache.ts";
import { nodeId } from "../../../src/resolvers/nodeId.ts";
import { schema } from "../../../src/schema/schema.ts";
import { unrestricted } from "../../../src/auth/viewerPolicy.ts";

/** A decision with all that was found, and not only its outcome. */
const decide: Decide<GraphQLError> = (operation, viewer) => {
  try {
    const found = { denied: findDenied(operation, viewer), ...costOf(operation) };
    return new GraphQLError(JSON.stringify(found));
  } catch (error) {
    return error as GraphQLError;
  }
};

const leaves: Record<string, fc.Arbitrary<unknown>> = {
  ID: fc.oneof(
    fc.constantFrom(nodeId("Task", "7"), nodeId("CallLog", "s"), nodeId("Assistant", "1", "2")),
    fc.string(),
  ),
  String: fc.string(),
  DateTime: fc.constantFrom("2026-11-20T09:30:00Z", "2026-11-21T09:30:00+08:00"),
  Int: fc.integer({ min: -1, max: 101 }),
  Float: fc.float({ noNaN: true, noDefaultInfinity: true }),
  Boolean: fc.boolean(),
  JSONObject: fc.constantFrom({}, { a: 1 }),
};

/** Values that a client may send. Optional ones may be missing or null. */
function sent(type: GraphQLInputType): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return given(type.ofType);
  return fc.option(given(type), { freq: 4, nil: null });
}

function given(type: GraphQLInputType): fc.Arbitrary<unknown> {
  if (isListType(type)) return fc.array(sent(type.ofType), { maxLength: 3 });
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (!isInputObjectType(type)) return leaves[getNamedType(type).name] ?? fc.constant("unknown");
  const fields = Object.values(type.getFields());
  const required = fields.filter((field) => isNonNullType(field.type) && field.default === undefined);
  return fc.record(Object.fromEntries(fields.map((field) => [field.name, sent(field.type)])), {
    requiredKeys: required.map(({ name }) => name),
  });
}

/** A document with one root field that takes all arguments from variables. */
function askedBy(operation: OperationTypeNode, { name, args, type }: GraphQLField<unknown, unknown>) {
  const [heads, uses] = [
    args.map((arg) => `$${arg.name}: ${String(arg.type)}`),
    args.map((arg) => `${arg.name}: $${arg.name}`),
  ];
  const asked = args.length > 0 ? `${name}(${uses.join(", ")})` : name;
  const selection = isLeafType(getNamedType(type)) ? "" : "{ __typename }";
  const head = args.length > 0 ? `(${heads.join(", ")})` : "";
  return { text: `${operation} Asked${head} { ${asked} ${selection} }`, variables: args };
}

const nested = {
  text: `query ($first: Int! = 2, $after: String, $filter: CallLogFilter, $phone: String, $since: DateTime, $with: Boolean!) {
    callLogs(first: $first, after: $after, filter: $filter) @skip(if: $with) {
      nodes { task @include(if: $with) { callLogs(first: $first, filter: { phone: $phone, since: $since }) { totalCount } } }
    }
    task(taskId: "7") { callLogs(filter: { phone: $phone }) @include(if: $with) { nodes { recordFile } } }
  }`,
  variables: ["first: Int", "after: String", "filter: CallLogFilter", "phone: String", "since: DateTime"]
    .map((declared) => declared.split(": ") as [string, string])
    .map(([name, type]) => ({ name, type: schema.getType(type) as GraphQLInputType }))
    .concat({ name: "with", type: schema.getType("Boolean") as GraphQLInputType }),
};

const documents = Object.values(OperationTypeNode)
  .flatMap((kind) => Object.values(schema.getRootType(kind)?.getFields() ?? {}).map((field) => askedBy(kind, field)))
  .concat(nested as never)
  .map(({ text, variables }) => ({ document: parse(text), variables }));

describe("a cached decision is the one that would be made", () => {
  it("documents of this test select every root field of the schema", () => {
    for (const { document } of documents) expect(validate(schema, document)).toEqual([]);
    expect(documents.length).toBeGreaterThan(20);
  });

  it("holds for any variables and viewers, after any other decisions", () => {
    const cached = createDecisionCache(decide);
    const viewers = [[], ["calls:read"], ["calls:read", "people:read"], scopes] as const;
    const granted = viewers.map((some) => ({ name: "web", scopes: new Set(some), ...unrestricted }));
    const asking = fc.constantFrom(...documents).chain(({ document, variables }) =>
      fc.record({
        document: fc.constant(document),
        viewer: fc.constantFrom(...granted),
        variableValues: fc.record(Object.fromEntries(variables.map(({ name, type }) => [name, sent(type)])), {
          requiredKeys: variables.filter(({ type }) => isNonNullType(type)).map(({ name }) => name),
        }),
      }),
    );
    let decided = 0;
    fc.assert(
      fc.property(asking, ({ document, viewer, variableValues }) => {
        const operation = validateExecutionArgs({ schema, document, variableValues });
        if (!("operation" in operation)) return;
        decided += 1;
        expect(cached(operation, viewer)?.message).toBe(decide(operation, viewer)?.message);
      }),
      { numRuns: 3000 },
    );
    expect(decided).toBeGreaterThan(1500);
  });
});

describe("the key of a decision", () => {
  function countedDecisions() {
    let count = 0;
    const cached = createDecisionCache(() => ({ count: (count += 1) }));
    const viewer = { name: "web", scopes: new Set(["calls:read"] as const), ...unrestricted };
    const ask = (document: ReturnType<typeof parse>, variableValues: Record<string, unknown>) => {
      const operation = validateExecutionArgs({ schema, document, variableValues });
      if ("operation" in operation) cached(operation, viewer);
      return count;
    };
    return ask;
  }
  const list = parse(
    "query ($f: CallLogFilter, $s: DateTime, $n: Int!) { a: callLogs(filter: $f) { totalCount } b: callLogs(first: $n, filter: { since: $s }) { totalCount } }",
  );

  it("holds whether a text is given, and not its contents", () => {
    const ask = countedDecisions();
    const at = (day: number) => `2026-11-${day}T09:30:00Z`;
    expect(ask(list, { n: 5, s: at(20), f: { since: at(20), phone: "1" } })).toBe(1);
    expect(ask(list, { n: 5, s: at(21), f: { since: at(22), phone: "23" } })).toBe(1);
    expect(ask(list, { n: 5, s: at(21), f: { since: at(22) } })).toBe(2);
    expect(ask(list, { n: 5, f: { since: at(22) } })).toBe(3);
    expect(ask(list, { n: 6, f: { since: at(22) } })).toBe(4);
  });

  it("is kept for 32 values, and never for long variables", () => {
    const ask = countedDecisions();
    for (let n = 0; n < 100; n += 1) ask(list, { n });
    expect(ask(list, { n: 0 })).toBe(101);
    const ids = parse("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }");
    const many = { ids: Array.from({ length: 600 }, String) };
    expect([ask(ids, many), ask(ids, many)]).toEqual([102, 103]);
  });

  it("keeps the recently used decisions when a 33rd is made", () => {
    const ask = countedDecisions();
    for (let n = 0; n < 32; n += 1) ask(list, { n });
    ask(list, { n: 0 });
    expect(ask(list, { n: 32 })).toBe(33);
    expect(ask(list, { n: 0 })).toBe(33);
    expect(ask(list, { n: 31 })).toBe(33);
    expect(ask(list, { n: 1 })).toBe(34);
  });
});
