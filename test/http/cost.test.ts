import * as fc from "fast-check";
import { parse, validate, validateExecutionArgs } from "graphql";
import { describe, expect, it } from "vitest";
import { costOf } from "../../src/http/cost.ts";
import { findExcess } from "../../src/http/limits.ts";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { schema } from "../../src/schema/schema.ts";
import { callLog, task } from "../resolvers/world.ts";
import { codes, pipeline } from "./pipeline.ts";

function cost(query: string, variableValues: Record<string, unknown> = {}): number {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  const operation = validateExecutionArgs({ schema, document, variableValues });
  if (!("operation" in operation)) throw new Error(String(operation));
  return costOf(operation).requests;
}

describe("an operation's requests to the service are counted before it runs", () => {
  const task7 = nodeId("Task", "7");
  it.each([
    ["nothing that asks", "{ viewer { name } callEndedEvents(first: 100) { nodes { sessionId } } }", 0],
    ["a list", "{ callLogs(first: 100) { nodes { sessionId } } }", 1],
    ["a list behind a cursor, whose row is read again", '{ callLogs(after: "x") { totalCount } }', 2],
    ["its default size", "{ callLogs { nodes { task { name } } } }", 1 + 10],
    ["lists in lists", "{ callLogs(first: 100) { nodes { task { callLogs { totalCount } } } } }", 1 + 100 + 100],
    ["both ways into a list", "{ callLogs(first: 5) { nodes { task { id } } edges { node { task { id } } } } }", 11],
    ["ids", '{ tasksByIds(taskIds: ["1", "2", "3"]) { callLogs { totalCount } } }', 3 + 3],
    ["node ids", `{ nodes(ids: ["${task7}", "x", "${nodeId("CallEnded", "s", "1")}"]) { id } }`, 1],
    ["aliases", '{ a: task(taskId: "1") { id } b: task(taskId: "1") { id } }', 2],
    ["events", "{ callEndedEvents(first: 50) { nodes { task { name } } } }", 50],
    ["statistics", "{ callStats { byTask(first: 30) { task { name } } } }", 30],
    ["each event of a subscription", "subscription { callEnded { task { callLogs { totalCount } } } }", 2],
    ["a page beyond the rule", "{ callLogs(first: 1000000000) { nodes { task { name } } } }", 1 + 100],
    ["a page below none", "{ callLogs(first: -5) { nodes { task { name } } } }", 1],
    ["introspection", "{ __schema { types { fields { args { name } } } } __typename }", 0],
  ])("%s", (_, query, requests) => {
    expect(cost(query)).toBe(requests);
  });

  it("with what variables say, and their defaults", () => {
    const query = "query($n: Int = 7) { callLogs(first: $n) { nodes { task { id } } } }";
    expect([cost(query), cost(query, { n: 3 })]).toEqual([8, 4]);
    const ids = "query($ids: [ID!]!) { tasksByIds(taskIds: $ids) { callLogs { totalCount } } }";
    expect(cost(ids, { ids: ["1", "2"] })).toBe(4);
  });

  it("without what @skip and @include leave out", () => {
    const query = "query($with: Boolean!) { callLogs(first: 9) { nodes { task @include(if: $with) { id } } } }";
    expect([cost(query, { with: false }), cost(query, { with: true })]).toEqual([1, 10]);
    expect(cost("{ ...A @skip(if: true) } fragment A on Query { callLogs { totalCount } }")).toBe(0);
  });

  it("of an interface's types the dearest, for an object is only one of them", () => {
    const query = `{ node(id: "x") { ... on Task { callLogs { totalCount } } ... on CallEnded { task { callLogs { totalCount } } } } }`;
    expect(cost(query)).toBe(2);
  });

  it("fragments as often as they are spread, though each is looked at once", () => {
    expect(cost("{ ...A ...A } fragment A on Query { callLogs { totalCount } }")).toBe(2);
    const doubling = Array.from({ length: 60 }, (_, at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`);
    const query = `{ ...F0 } ${doubling.join(" ")} fragment F60 on Query { callLogs { totalCount } }`;
    expect(cost(query)).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe("an operation over the budget is refused before it asks", () => {
  const query = "{ callLogs(first: 100) { nodes { task { callLogs { totalCount } } } } }";

  it("and one that just fits is not", () => {
    expect(codes(pipeline({ queryBudget: 200 }).refusal({ query }))).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(pipeline({ queryBudget: 201 }).prepared(query).kind).toBe("query");
  });

  it("and told its figures only where the graph is told too", () => {
    const message = (introspection: boolean) =>
      pipeline({ queryBudget: 200, introspection }).refusal({ query })[0]?.message;
    expect(message(true)).toContain("201 requests");
    expect(message(false)).not.toMatch(/\d/);
  });
});

describe("no operation asks more than was counted", () => {
  const { calls, list } = fc.letrec<{ calls: string; list: string; task: string }>((tie) => ({
    calls: fc.oneof({ maxDepth: 2 }, fc.constant("{ totalCount }"), tie("list")),
    list: fc
      .tuple(fc.constantFrom("nodes", "edges { node"), tie("task"))
      .map(([way, below]) => `{ ${way} { id task ${below} } ${way.includes("{") ? "}" : ""} }`),
    task: fc.oneof(
      { maxDepth: 2 },
      fc.constant("{ name }"),
      fc.tuple(fc.integer({ min: 1, max: 5 }), tie("calls")).map(([n, below]) => `{ callLogs(first: ${n}) ${below} }`),
    ),
  }));

  it("whatever it selects", async () => {
    const rows = Array.from({ length: 12 }, (_, at) => callLog({ sessionId: `s${at}`, taskId: String(1 + (at % 4)) }));
    const tasks = Object.fromEntries([1, 2, 3, 4].map((id) => [id, task({ taskId: String(id) })]));
    await fc.assert(
      fc.asyncProperty(fc.oneof(calls, list), fc.integer({ min: 1, max: 12 }), async (below, first) => {
        const query = `{ a: callLogs(first: ${first}) ${below} b: task(taskId: "1") { callLogs ${below} } }`;
        fc.pre(findExcess(parse(query)) === null);
        const { run, asked, askedTasks } = pipeline({ rows, tasks, queryBudget: Number.MAX_SAFE_INTEGER });
        expect((await run(query)).errors).toBeUndefined();
        expect(asked.length + askedTasks.length).toBeLessThanOrEqual(cost(query));
      }),
      { numRuns: 50 },
    );
  });
});
