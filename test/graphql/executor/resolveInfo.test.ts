import {
  buildSchema,
  parse,
  validateExecutionArgs,
  type ExecutionResult,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
} from "graphql";
import { describe, expect, it } from "vitest";
import { createExecutor } from "../../../src/graphql/executor/executor.ts";

const SDL = `
  interface Node { id: ID, info: String }
  type Item implements Node { id: ID, info: String }
  type Query { item(at: Int): Item, items: [[Item]], node: Node, later: Node }
`;
const signal = new AbortController().signal;

/** The members of `info`, as a resolver reads them. */
function shownOf(info: GraphQLResolveInfo) {
  const { path, variableValues, rootValue } = info;
  const { fieldName, parentType, returnType, operation, fieldNodes, fragments, schema } = info;
  return {
    path,
    variables: { ...variableValues.coerced },
    rootValue,
    fieldName,
    types: [String(parentType), String(returnType)],
    operation: operation.name?.value,
    nodes: fieldNodes.length,
    fragments: Object.keys(fragments),
    isSchema: schema.getType("Item") === parentType,
  };
}

function itemSchema(shown: unknown[]) {
  const schema = buildSchema(SDL);
  const item = schema.getType("Item") as GraphQLObjectType;
  // Without it, the schema would be executed by graphql-js.
  (schema.getType("Node") as GraphQLInterfaceType).resolveType = () => "Item";
  const info = item.getFields()["info"];
  if (info) {
    info.resolve = async (_source, _args, _context, given) => {
      await Promise.resolve();
      shown.push(shownOf(given));
      return "read";
    };
  }
  return schema;
}

async function run(schema: ReturnType<typeof buildSchema>, query: string, { compiles = true, runs = 1 } = {}) {
  const execute = createExecutor({ compiles });
  const document = parse(query);
  const results: ExecutionResult[] = [];
  for (let at = 1; at <= runs; at += 1) {
    const operation = validateExecutionArgs({ schema, document, variableValues: { at } });
    if (!("operation" in operation)) throw new Error(String(operation));
    const rootValue = { item: {}, items: [[{}, {}], [{}]], node: { id: "n" }, later: { id: "l" }, run: at };
    results.push(await execute({ operation, rootValue, context: () => ({}) as never, clientSignal: () => signal }));
  }
  return results;
}

describe("the info argument of a resolver", () => {
  const query =
    "query Q($at: Int) { a: item(at: $at) { ...F } items { i: info } } fragment F on Item { info info @include(if: true) }";

  it("holds the same in a compiled operation as in one run by graphql-js, on every run", async () => {
    const [walked, compiled]: [unknown[], unknown[]] = [[], []];
    await run(itemSchema(walked), query, { compiles: false, runs: 3 });
    await run(itemSchema(compiled), query, { compiles: true, runs: 3 });
    expect(compiled).toHaveLength(12);
    expect(compiled).toEqual(walked);
  });

  it("holds the path and the variables of the run that it belongs to", async () => {
    const shown: unknown[] = [];
    await run(itemSchema(shown), "query Q($at: Int) { a: item(at: $at) { info } }", { runs: 2 });
    const path = { prev: { prev: undefined, key: "a", typename: "Query" }, key: "info", typename: "Item" };
    expect(shown).toMatchObject([
      { path, variables: { at: 1 }, rootValue: { run: 1 } },
      { path, variables: { at: 2 }, rootValue: { run: 2 } },
    ]);
  });

  it("gives the abort signal and the helpers for promises", async () => {
    const schema = itemSchema([]);
    const field = (schema.getType("Item") as GraphQLObjectType).getFields()["info"];
    if (!field) throw new Error("there is no field");
    const seen: unknown[] = [];
    field.resolve = async (_source, _args, _context, info) => {
      const { promiseAll, track } = info.getAsyncHelpers();
      track([]);
      seen.push(info.getAbortSignal()?.aborted, await promiseAll([1, Promise.resolve(2)]));
      return null;
    };
    await run(schema, "{ item { info } }");
    expect(seen).toEqual([false, [1, 2]]);
  });
});

describe("the info argument of a resolver that does not declare it", () => {
  it("throws for members of one execution and has all others", async () => {
    const schema = itemSchema([]);
    const field = (schema.getType("Item") as GraphQLObjectType).getFields()["info"];
    if (!field) throw new Error("there is no field");
    field.resolve = (...args) => `${args[3].fieldName} ${args[3].path.key}`;
    const [refused] = await run(schema, "{ item { info } }");
    expect(refused?.errors?.map(({ message }) => message)).toEqual([
      "A resolver that reads info must declare it as its fourth parameter.",
    ]);
    field.resolve = (...args) => args[3].fieldName;
    expect(await run(schema, "{ item { info } }")).toEqual([{ data: { item: { info: "info" } } }]);
  });
});

describe("an abstract type", () => {
  it("may find its object type by a promise, with the info of its field", async () => {
    const schema = itemSchema([]);
    const paths: unknown[] = [];
    (schema.getType("Node") as GraphQLInterfaceType).resolveType = async ({ id }: { id: string }, _context, info) => {
      paths.push(info.path.key);
      await Promise.resolve();
      if (id === "l") throw new Error("no type is known");
      return "Item";
    };
    const [result] = await run(schema, "{ node { id info __typename } later { id } }");
    expect(result?.data).toEqual({ node: { id: "n", info: "read", __typename: "Item" }, later: null });
    expect(result?.errors?.map(({ message, path }) => [message, path])).toEqual([["no type is known", ["later"]]]);
    expect(paths).toEqual(["node", "later"]);
  });

  it("without resolveType is executed by graphql-js, which asks isTypeOf", async () => {
    const schema = itemSchema([]);
    (schema.getType("Node") as GraphQLInterfaceType).resolveType = undefined;
    (schema.getType("Item") as GraphQLObjectType).isTypeOf = ({ id }: { id: string }) => id === "n";
    const [result] = await run(schema, "{ node { id } }");
    expect(result).toMatchObject({ data: { node: { id: "n" } } });
  });
});
