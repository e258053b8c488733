import type { GraphQLError } from "graphql";
import { describe, expect, it } from "vitest";
import type { Scope } from "../../src/auth/scopes.ts";
import { codes, pipeline } from "./pipeline.ts";
import { callLog, task } from "../resolvers/world.ts";

const CANARY = "canary";
const { refusal } = pipeline();

describe("a malformed request", () => {
  it.each([
    [{}, "query"],
    [{ query: null }, "query"],
    [{ query: ["{ __typename }"] }, "query"],
    [{ query: "{ __typename }", variables: [] }, "variables"],
    [{ query: "{ __typename }", variables: "x" }, "variables"],
    [{ query: "{ __typename }", operationName: 1 }, "operationName"],
  ])("is refused, and the message names the parameter: %j, %s", (request, name) => {
    const [error] = refusal(request);
    expect(error?.extensions).toMatchObject({
      code: "BAD_USER_INPUT",
      requestId: expect.stringMatching(/^[a-p]{24}$/),
    });
    expect(error?.message).toContain(name);
  });

  it("is not one without variables", async () => {
    const { run } = pipeline();
    for (const variables of [undefined, null, {}])
      expect(await run("{ __typename }", variables)).toHaveProperty("data");
  });
});

const refused: [string, string, unknown, string][] = [
  ["no document", "", {}, "GRAPHQL_PARSE_FAILED"],
  ["an end too early", "{ viewer {", {}, "GRAPHQL_PARSE_FAILED"],
  ["a text for a name", `{ "${CANARY}" }`, {}, "GRAPHQL_PARSE_FAILED"],
  ["a text for an argument", `{ callLogs("${CANARY}") { totalCount } }`, {}, "GRAPHQL_PARSE_FAILED"],
  ["a block of text", `{ callLogs(first """${CANARY}""") { totalCount } }`, {}, "GRAPHQL_PARSE_FAILED"],
  ["a text that does not end", `{ callLogs(after: "${CANARY}`, {}, "GRAPHQL_PARSE_FAILED"],
  ["a number for a name", "{ callLogs(13800010001) }", {}, "GRAPHQL_PARSE_FAILED"],
  ["an unknown field", "{ callLog { totalCount } }", {}, "GRAPHQL_VALIDATION_FAILED"],
  ["an unknown argument", "{ callLogs(frist: 1) { totalCount } }", {}, "GRAPHQL_VALIDATION_FAILED"],
  ["an unknown type", "{ ... on Quary { __typename } }", {}, "GRAPHQL_VALIDATION_FAILED"],
  ["an unknown filter", "{ callLogs(filter: { phon: 1 }) { totalCount } }", {}, "GRAPHQL_VALIDATION_FAILED"],
  [
    "an unknown direction",
    "{ callLogs(filter: { direction: INBOND }) { totalCount } }",
    {},
    "GRAPHQL_VALIDATION_FAILED",
  ],
  ["no selection", "{ callLogs }", {}, "GRAPHQL_VALIDATION_FAILED"],
  ["a text for an Int", `{ callLogs(first: "${CANARY}") { totalCount } }`, {}, "GRAPHQL_VALIDATION_FAILED"],
  [
    "a text for an enum",
    `{ callLogs(filter: { direction: "${CANARY}" }) { totalCount } }`,
    {},
    "GRAPHQL_VALIDATION_FAILED",
  ],
  [
    "a time that is none",
    `{ callLogs(filter: { since: "${CANARY}" }) { totalCount } }`,
    {},
    "GRAPHQL_VALIDATION_FAILED",
  ],
  [
    "a number for a phone",
    "{ callLogs(filter: { phone: 13800010001 }) { totalCount } }",
    {},
    "GRAPHQL_VALIDATION_FAILED",
  ],
  ["a missing variable", "query($f: Int!) { callLogs(first: $f) { totalCount } }", {}, "BAD_USER_INPUT"],
  [
    "a variable of another type",
    "query($f: Int!) { callLogs(first: $f) { totalCount } }",
    { f: CANARY },
    "BAD_USER_INPUT",
  ],
  [
    "a list for a filter",
    "query($f: CallLogFilter) { callLogs(filter: $f) { totalCount } }",
    { f: [CANARY] },
    "BAD_USER_INPUT",
  ],
  [
    "many odd values",
    "query($f: CallLogFilter) { callLogs(filter: $f) { totalCount } }",
    { f: { since: CANARY, until: { a: CANARY }, phone: [CANARY], taskIds: [{ b: CANARY }], kind: CANARY } },
    "BAD_USER_INPUT",
  ],
  ["null where none may be", "query($f: Int) { callLogs(first: $f) { totalCount } }", { f: null }, "BAD_USER_INPUT"],
  [
    "null for a directive",
    "query($f: Boolean = true) { viewer @skip(if: $f) { name } }",
    { f: null },
    "BAD_USER_INPUT",
  ],
];

describe("an invalid document or variable", () => {
  it.each(refused)("is refused with a code: %s", (_, query, variables, code) => {
    const errors = refusal({ query, variables });
    expect(new Set(codes(errors))).toEqual(new Set([code]));
    for (const { extensions } of errors) expect(extensions["http"]).toEqual({ status: 400, spec: true });
  });

  it.each(refused)("is refused without quoting values or suggesting names: %s", (_, query, variables) => {
    for (const { message } of refusal({ query, variables })) {
      expect(message).not.toContain(CANARY);
      expect(message).not.toMatch(/\d{5}|did you mean|INBOUND|"phone"|"callLogs"\?/i);
      expect(message).not.toMatch(/\n/);
    }
  });

  it("is refused with the location of the error", () => {
    expect(refusal({ query: "{\n  callLog }" })[0]?.locations).toEqual([{ line: 2, column: 3 }]);
    expect(refusal({ query: "{\n  (" })[0]?.locations).toEqual([{ line: 2, column: 3 }]);
  });

  it("is refused again with the same messages and a new request ID", () => {
    const [first, second] = [refusal({ query: "{ callLog }" }), refusal({ query: "{ callLog }" })];
    expect(second.map(({ message }) => message)).toEqual(first.map(({ message }) => message));
    expect(second[0]?.extensions["requestId"]).not.toBe(first[0]?.extensions["requestId"]);
  });

  it("a document with two operations needs an operation name", async () => {
    const query = "query A { viewer { name } } query B { serviceTimeZone }";
    expect(codes(refusal({ query }))).toEqual(["BAD_USER_INPUT"]);
    // Clients without a name send "": https://github.com/apollographql/apollo-client/issues/1760
    for (const operationName of ["C", ""]) expect(codes(refusal({ query, operationName }))).toEqual(["BAD_USER_INPUT"]);
  });
});

describe("a document beyond the limits", () => {
  it("is refused for more than 1,000 tokens", () => {
    const lists = Array.from({ length: 9 }, (_, at) => `a${at}: nodes(ids: [${'"x" '.repeat(98)}]) { id }`).join(" ");
    const query = `${lists} viewer { name } ${"serviceTimeZone ".repeat(4)}`;
    expect(pipeline().prepared(`{ ${query} }`).kind).toBe("query");
    expect(codes(refusal({ query: `{ ${query} serviceTimeZone }` }))).toEqual(["GRAPHQL_PARSE_FAILED"]);
  });

  it.each([
    ["selections", "{ a".repeat(20_000)],
    ["lists", `{ callLogs(filter: ${"[".repeat(20_000)}`],
    ["directives", `{ a ${"@a".repeat(100_000)} }`],
    ["inline fragments", "{ ...".repeat(50_000)],
  ])("is refused for deeply nested %s", (_, query) => {
    expect(codes(refusal({ query }))).toEqual(["GRAPHQL_PARSE_FAILED"]);
  });

  it("is refused for deeply nested variables", () => {
    const deep = JSON.parse("[".repeat(20_000) + "]".repeat(20_000)) as unknown;
    const query = "query($f: CallLogFilter) { callLogs(filter: $f) { totalCount } }";
    for (const f of [deep, { taskIds: deep }, { phone: deep }, { since: deep }]) {
      expect(new Set(codes(refusal({ query, variables: { f } })))).toEqual(new Set(["BAD_USER_INPUT"]));
    }
  });

  it("is refused with few errors for many mistakes", () => {
    const unknown = Array.from({ length: 300 }, (_, at) => `f${at}`).join(" ");
    expect(JSON.stringify(refusal({ query: `{ ${unknown} }` })).length).toBeLessThan(4096);
    const variables = Array.from({ length: 100 }, (_, at) => `$v${at}: Int!`).join(" ");
    const uses = Array.from({ length: 100 }, (_, at) => `a${at}: callLogs(first: $v${at}) { totalCount }`).join(" ");
    expect(refusal({ query: `query(${variables}) { ${uses} }` }).length).toBeLessThanOrEqual(5);
  });

  it("is refused quickly for cycles of fragments and fragments that double", async () => {
    const cycle = "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }";
    expect(codes(refusal({ query: cycle }))).toEqual(["GRAPHQL_VALIDATION_FAILED"]);
    const doubling = Array.from({ length: 30 }, (_, at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`);
    const query = `{ ...F0 } ${doubling.join(" ")} fragment F30 on Query { __typename }`;
    expect(codes(refusal({ query }))).toEqual(["QUERY_TOO_COMPLEX"]);
  });
});

describe("a document whose validation graphql-js aborts", () => {
  it("is refused as too complex, which depends on how graphql-js reports it", () => {
    const [error, ...others] = refusal({
      query: `{ ${"serviceTimeZone ".repeat(99)} viewer { ${"name ".repeat(890)} } }`,
    });
    expect(codes(others)).toEqual([]);
    expect(codes([error as GraphQLError])).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(error?.message).toBe("The document repeats its fields too often.");
  });
});

describe("introspection", () => {
  const queries = [
    "{ __schema { types { name } } }",
    '{ __type(name: "Query") { name } }',
    "{ ...A } fragment A on Query { __schema { queryType { name } } }",
    "{ ... { __schema { queryType { fields { type { ofType { ofType { fields { name } } } } } } } } }",
  ];

  it.each(queries)("is refused unless it is on: %s", async (query) => {
    expect(new Set(codes(refusal({ query })))).toEqual(new Set(["GRAPHQL_VALIDATION_FAILED"]));
    expect(await pipeline({ introspection: true }).run(query, undefined, [])).toHaveProperty("data");
  });

  it("does not include __typename", async () => {
    expect(await pipeline().run("{ viewer { __typename } }")).toEqual({ data: { viewer: { __typename: "Viewer" } } });
  });
});

describe("an operation that runs", () => {
  it("reports each failed field with a code, a path and the request's ID", async () => {
    const { run, lines } = pipeline({ tasks: { 7: task(), 8: new Error(`down ${CANARY}`) } });
    const result = await run(
      '{ a: task(taskId: "7") { name } b: task(taskId: "8") { name } c: task(taskId: "x") { name } }',
    );
    expect(result.data).toEqual({ a: { name: "Reminder" }, b: null, c: null });
    expect(codes(result.errors)).toEqual(expect.arrayContaining(["INTERNAL", "BAD_USER_INPUT"]));
    expect(new Set(result.errors?.map(({ path }) => path?.[0]))).toEqual(new Set(["b", "c"]));
    expect(new Set(result.errors?.map(({ extensions }) => extensions["requestId"])).size).toBe(1);
    expect(JSON.stringify(result)).not.toContain(CANARY);
    expect(lines.join("")).toContain(CANARY);
  });

  it("masks phone numbers for a viewer without people:read", async () => {
    const { run } = pipeline({ rows: [callLog({ caller: "A068", callee: "+8613800010001" })] });
    const query = "{ callLogs { nodes { caller callee } } }";
    const shown = async (scopes: Scope[]) => (await run(query, undefined, scopes)).data?.["callLogs"];
    expect(await shown(["calls:read"])).toEqual({ nodes: [{ caller: "A068", callee: "+8613****0001" }] });
    expect(await shown(["calls:read", "people:read"])).toEqual({
      nodes: [{ caller: "A068", callee: "+8613800010001" }],
    });
  });

  it("hides the reason of the abort when the client has disconnected", async () => {
    const { prepared } = pipeline();
    const left = AbortSignal.abort(new Error(CANARY));
    const result = await prepared("{ callLogs { totalCount } }").run(() => left);
    expect(JSON.stringify(result)).not.toContain(CANARY);
  });
});
