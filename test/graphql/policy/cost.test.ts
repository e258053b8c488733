import * as fc from "fast-check";
import { parse, validate, validateExecutionArgs, type GraphQLError } from "graphql";
import { describe, expect, it } from "vitest";
import { CodedError } from "../../../src/errors.ts";
import { costOf } from "../../../src/graphql/policy/cost.ts";
import { findExcess } from "../../../src/graphql/documents/documentLimits.ts";
import { nodeId } from "../../../src/resolvers/nodeId.ts";
import { schema } from "../../../src/schema/schema.ts";
import { callLog, task } from "../../resolvers/world.ts";
import { codes, pipeline } from "../pipeline.ts";

const cost = (query: string, variables?: Record<string, unknown>): number => costsOf(query, variables).requests;
const rows = (query: string, variables?: Record<string, unknown>): number => costsOf(query, variables).rows;

function costsOf(query: string, variableValues: Record<string, unknown> = {}) {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  const operation = validateExecutionArgs({ schema, document, variableValues });
  if (!("operation" in operation)) throw new Error(String(operation));
  return costOf(operation);
}

it("costOf finds the longest list of ids, also inside of an input object and of a list", () => {
  const longest = (query: string) => costsOf(query).longestIds;
  expect(longest('{ tasksByIds(taskIds: ["1", "2"]) { id } node(id: "x") { id } }')).toBe(2);
  expect(longest('{ callLogs(filter: { taskIds: ["1"], assistantIds: ["1", "2", "3"] }) { totalCount } }')).toBe(3);
  expect(longest('{ callLogs(first: 5, filter: { phone: "13800010001" }) { totalCount } }')).toBe(0);
});

it("costOf counts nothing more after a list of ids that is too long, because the operation is refused", () => {
  const ids = JSON.stringify(Array.from({ length: 101 }, (_, at) => String(at + 1)));
  const cost = costsOf(`{ tasksByIds(taskIds: ${ids}) { callLogs { totalCount } } callLogs { totalCount } }`);
  expect(cost).toEqual({ requests: 0, rows: 0, longestIds: 101, lists: null });
});

describe("costOf: the requests to the service", () => {
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
    ["tasks of recordings", "{ callEndedEvents(first: 9) { nodes { recording { callEnded { task { id } } } } } }", 9],
    ["the head beside a list", "{ callLogs(first: 100) { headCursor } }", 1],
    ["introspection", "{ __schema { types { fields { args { name } } } } __typename }", 0],
  ])("counts requests of %s", (_, query, requests) => {
    expect(cost(query)).toBe(requests);
  });

  it("uses the values of variables and their defaults", () => {
    const query = "query($n: Int = 7) { callLogs(first: $n) { nodes { task { id } } } }";
    expect([cost(query), cost(query, { n: 3 })]).toEqual([8, 4]);
    const ids = "query($ids: [ID!]!) { tasksByIds(taskIds: $ids) { callLogs { totalCount } } }";
    expect(cost(ids, { ids: ["1", "2"] })).toBe(4);
  });

  it("leaves out what @skip and @include exclude", () => {
    const query = "query($with: Boolean!) { callLogs(first: 9) { nodes { task @include(if: $with) { id } } } }";
    expect([cost(query, { with: false }), cost(query, { with: true })]).toEqual([1, 10]);
    expect(cost("{ ...A @skip(if: true) } fragment A on Query { callLogs { totalCount } }")).toBe(0);
  });

  it("counts an interface as its most expensive object type", () => {
    const query = `{ node(id: "x") { ... on Task { callLogs { totalCount } } ... on CallEnded { task { callLogs { totalCount } } } } }`;
    expect(cost(query)).toBe(2);
  });

  it("counts a fragment as often as it is spread, and ends for fragments that double", () => {
    expect(cost("{ ...A ...A } fragment A on Query { callLogs { totalCount } }")).toBe(2);
    const doubling = Array.from({ length: 60 }, (_, at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`);
    const query = `{ ...F0 } ${doubling.join(" ")} fragment F60 on Query { callLogs { totalCount } }`;
    expect(cost(query)).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe("costOf: the rows of the database", () => {
  const node = (type: Parameters<typeof nodeId>[0]) => nodeId(type, "7", "1");
  it.each([
    ["what the service tells", '{ callLogs(first: 100) { nodes { callee endAt } } task(taskId: "1") { name } }', 0],
    ["a page of events", "{ callEndedEvents(first: 50) { nodes { id } } }", 50],
    [
      "a filtered one, which is a scan too",
      "{ callEndedEvents(first: 50, filter: { answered: true }) { headCursor } }",
      60,
    ],
    ["an empty filter", "{ callEndedEvents(first: 50, filter: {}) { headCursor } }", 50],
    ["what each event leads to", "{ callEndedEvents(first: 9) { nodes { recording { url } task { name } } } }", 18],
    ["recordings and their events", "{ callEndedEvents(first: 9) { nodes { recording { callEnded { id } } } } }", 27],
    [
      "a form's lists",
      "{ assistants { nodes { name latestVersion { welcome } } } lines(first: 5) { nodes { name } } }",
      315,
    ],
    ["each count, a scan", "{ callStats { calls answered numbersCalled byTask(first: 100) { calls } } }", 40],
    ["timelines by their length", "{ callStats { a: timeline(bucket: DAY) { calls } b: timeline { calls } } }", 70],
    ["each task's statistics", "{ tasks(first: 20) { nodes { callStats { calls } } } }", 20 + 20 * 10],
    ["the people of a task", '{ task(taskId: "7") { recipients(first: 20) { nodes { outcome } } } }', 20],
    [
      "those who match a filter, which is a scan too",
      '{ task(taskId: "7") { recipients(first: 20, filter: { outcome: BUSY }) { nodes { outcome } } } }',
      20 + 10,
    ],
    [
      "the last call and the calls of each",
      '{ task(taskId: "7") { recipients(first: 20) { nodes { phone calls(first: 5) { sessionId } } } } }',
      20 + 20 + 20 * 5,
    ],
    ["counts of people, a scan", '{ task(taskId: "7") { recipientCounts { recipients byOutcome { outcome } } } }', 10],
    ["what came from a task", '{ task(taskId: "7") { callAgain(first: 5) { id } } }', 5],
    [
      "the person of each event",
      "{ callEndedEvents(first: 9) { nodes { attempt recipient { outcome } } } }",
      9 + 9 + 9,
    ],
    ["lists", "{ taskSubmissions(first: 7) { nodes { id } } tasks(first: 5) { edges { cursor } } }", 12],
    ["the audit log", "{ auditEvents(first: 7) { nodes { id } } }", 7],
    ["a search of it", '{ auditEvents(first: 7, filter: { actors: ["web"] }) { nodes { id } } }', 17],
    ["the never-call list", '{ doNotCall { count contains(number: "13800010001") } }', 10 + 1],
    ["additions to it", 'mutation { addToDoNotCall(numbers: ["13800010001"]) { changed } }', 10],
    ["removals from it", 'mutation { removeFromDoNotCall(numbers: ["13800010001"]) { changed } }', 10],
    ["an erasure", 'mutation { forgetPhone(number: "13800010001") { events } }', 100],
    ["long bodies", "{ quarantinedDeliveries(first: 3) { nodes { body } } }", 30],
    [
      "nodes by their type",
      `{ nodes(ids: ["${node("CallEnded")}", "${node("QuarantinedDelivery")}", "x"]) { id } }`,
      11,
    ],
    ["the state of the gateway", "{ gateway { version events { events } recordings { lost } quarantined } }", 30],
    ["nothing for a live event", "subscription { callEnded { sessionId callee } }", 0],
    ["what an event leads to", "subscription { callEnded { recording { url } task { callStats { calls } } } }", 11],
  ])("counts rows of %s", (_, query, count) => {
    expect(rows(query)).toBe(count);
  });

  it("refuses an operation over LOG_BUDGET, with figures only if introspection is on", () => {
    const query = "{ callEndedEvents(first: 100) { nodes { recording { url } } } }";
    expect(pipeline({ logBudget: 200 }).prepared(query).kind).toBe("query");
    const [error] = pipeline({ logBudget: 199, introspection: true }).refusal({ query });
    expect(codes([error as GraphQLError])).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(error?.message).toContain("200 rows");
    expect(pipeline({ logBudget: 199 }).refusal({ query })[0]?.message).not.toMatch(/\d/);
  });

  it("charges the viewer for the rows once, before anything is read", async () => {
    const charges: [string, number][] = [];
    const { run } = pipeline({
      payRows: async ({ name }, count) => {
        charges.push([name, count]);
        throw new CodedError("RATE_LIMITED", "Too much.", { retryAfter: 7 });
      },
    });
    const refused = await run("{ callStats { calls answered } viewer { name } }");
    expect(refused).toMatchObject({ errors: [{ extensions: { code: "RATE_LIMITED", retryAfter: 7 } }] });
    expect(refused.data).toBeUndefined();
    expect((await run("{ viewer { name } }")).data).toEqual({ viewer: { name: "web" } });
    expect(charges).toEqual([["web", 20]]);
  });
});

describe("QUERY_BUDGET", () => {
  const query = "{ callLogs(first: 100) { nodes { task { callLogs { totalCount } } } } }";

  it("refuses an operation over the budget and accepts one that just fits", () => {
    expect(codes(pipeline({ queryBudget: 200 }).refusal({ query }))).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(pipeline({ queryBudget: 201 }).prepared(query).kind).toBe("query");
  });

  it("asks for less alone where no QUERY_BUDGET would do", () => {
    const deep =
      "{ callLogs(first: 100) { nodes { task { callLogs(first: 100) { nodes { task { callLogs(first: 100) { nodes { task { name } } } } } } } } } }";
    const { message = "" } = pipeline({ queryBudget: 200, introspection: true }).refusal({ query: deep })[0] ?? {};
    expect(message).toMatch(
      /may need more than a million requests to the service; QUERY_BUDGET is 200\. Ask for less\.$/,
    );
  });

  it("puts figures into the message only if introspection is on", () => {
    const message = (introspection: boolean) =>
      pipeline({ queryBudget: 200, introspection }).refusal({ query })[0]?.message;
    expect(message(true)).toContain("201 requests");
    expect(message(true)).toContain("QUERY_BUDGET is 200");
    expect(message(false)).not.toMatch(/\d/);
    expect(message(false)).toContain("QUERY_BUDGET");
  });
});

describe("the counted requests", () => {
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

  it("are never fewer than an operation sends", async () => {
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
