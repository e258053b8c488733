import * as fc from "fast-check";
import {
  buildSchema,
  parse,
  validateExecutionArgs,
  type ExecutionResult,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
} from "graphql";
import { expect, it } from "vitest";
import { createExecutor } from "../../../src/graphql/executor/executor.ts";
import { errorsOf } from "./comparableErrors.ts";

const schema = buildSchema(`
  scalar DateTime
  enum Color { RED GREEN }
  interface Node { id: ID, color: Color }
  type Item implements Node {
    id: ID, color: Color, text: String, int: Int, float: Float, flag: Boolean, at: DateTime
    sureText: String!, sureInt: Int!, grid: [[Int!]], words: [String!]!
    item: Item, sureItem: Item!, items: [Item], sureItems: [Item!]!, node: Node, sureNode: Node!
    resolved(plus: Int = 1): Int, sureResolved: Item!
  }
  type Query { item: Item, sureItem: Item!, items: [Item!] }
`);
(schema.getType("Node") as GraphQLInterfaceType).resolveType = ({ id }: { id: unknown }) => {
  if (id instanceof Promise) return id.then(() => "Item");
  if (id === "lost") throw new Error("No type is known.");
  return "Item";
};
const fields = (schema.getType("Item") as GraphQLObjectType).getFields();
Object.assign(fields["resolved"] ?? {}, {
  resolve: ({ int }: { int: unknown }, { plus }: { plus: number }) => (typeof int === "number" ? int + plus : int),
});
Object.assign(fields["sureResolved"] ?? {}, {
  resolve: (source: { item: unknown }, _args: unknown, _context: unknown, { path }: { path: { key: string } }) =>
    path.key === "sureResolved" ? source.item : null,
});

/** Reads a member: at once or later, or with an error that is thrown, rejected or returned. */
type Way = "now" | "later" | "throws" | "rejects" | "returns an error";
const way = fc.oneof(
  { weight: 30, arbitrary: fc.constant<Way>("now") },
  { weight: 3, arbitrary: fc.constant<Way>("later") },
  { weight: 1, arbitrary: fc.constantFrom<Way>("throws", "rejects", "returns an error") },
);

function read(way: Way, value: unknown): unknown {
  const error = new Error(`It ${way}.`);
  if (way === "throws") throw error;
  if (way === "rejects") return Promise.reject(error);
  if (way === "returns an error") return error;
  return way === "later" ? Promise.resolve(value) : value;
}

const odd = fc.constantFrom<unknown>(
  null,
  undefined,
  "lost",
  "later",
  NaN,
  1.5,
  2 ** 31,
  -0,
  true,
  {},
  [],
  [null],
  [[]],
);
const text = fc.constantFrom("a", "7", "RED", "\u0000\ud800");
const number = fc.constantFrom(0, 7, -9);
const { item } = fc.letrec<{ item: object; below: object | null }>((tie) => {
  const below = tie("below");
  const itemList = fc.array(below, { maxLength: 3 });
  const nodes = { item: below, sureItem: below, items: itemList, sureItems: itemList, node: below, sureNode: below };
  const lists = { grid: fc.array(fc.array(number, { maxLength: 2 }), { maxLength: 2 }), words: fc.array(text) };
  const leaves = {
    id: text,
    color: fc.constantFrom("RED", "GREEN"),
    text,
    at: text,
    sureText: text,
    flag: fc.boolean(),
  };
  const valid = { ...nodes, ...lists, ...leaves, int: number, float: number, sureInt: number };
  const members = Object.entries<fc.Arbitrary<unknown>>(valid).map(([name, value]) =>
    fc.tuple(fc.constant(name), way, fc.oneof({ weight: 15, arbitrary: value }, { weight: 1, arbitrary: odd })),
  );
  return {
    below: fc.oneof({ maxDepth: 3 }, fc.constant(null), tie("item")),
    item: fc.tuple(...members).map((given) => {
      const made = {};
      // Not enumerable: the message of an error about the object would read all members.
      for (const [name, how, value] of given) Object.defineProperty(made, name, { get: () => read(how, value) });
      return made;
    }),
  };
});

const LEAVES = "id color text int float flag at grid words __typename __proto__: text resolved more: resolved(plus: 2)";
const queries = [
  `{ item { ${LEAVES} item { ${LEAVES} } items { ${LEAVES} node { id ... on Item { sureText } } } } }`,
  "{ item { items { sureText sureInt sureItem { text item { sureInt } } } sureItems { text sureText } sureNode { color } } items { sureItems { int } } }",
  "{ item { items { sureText } node { color id } sureResolved { sureInt int } } items { text sureInt } }",
];

async function resultOf(query: string, rootValue: unknown, compiles: boolean): Promise<ExecutionResult> {
  const operation = validateExecutionArgs({ schema, document: parse(query) });
  if (!("operation" in operation)) throw new Error(String(operation));
  const signal = new AbortController().signal;
  return createExecutor({ compiles })({
    operation,
    rootValue,
    context: () => ({}) as never,
    clientSignal: () => signal,
  });
}

it.each(queries)("a compiled operation completes any values as graphql-js does: %s", async (query) => {
  let failures = 0;
  let values = 0;
  await fc.assert(
    fc.asyncProperty(item, async (rootValue) => {
      const walked = await resultOf(query, rootValue, false);
      const compiled = await resultOf(query, rootValue, true);
      expect(JSON.stringify(compiled.data)).toBe(JSON.stringify(walked.data));
      expect(errorsOf(compiled)).toEqual(errorsOf(walked));
      failures += walked.errors?.length ?? 0;
      values += JSON.stringify(walked.data).match(/:["\dtf]/g)?.length ?? 0;
    }),
    { numRuns: 300 },
  );
  expect(failures).toBeGreaterThan(50);
  expect(values).toBeGreaterThan(20);
});
