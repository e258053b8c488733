// Harmful or excessive operations, each with the code that every transport must give.
import type { ErrorCode } from "../../src/errors.ts";
import { longNames } from "./longNames.ts";

export interface Attack {
  /** The row of docs/security.md. */
  row: string;
  name: string;
  request: { query: unknown; variables?: unknown; operationName?: unknown };
  code: ErrorCode;
}

/** The value that attacks send: no response may contain it. */
export const CANARY = "canary13800010001";

const times = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join(" ");
const around = (count: number, before: string, core: string, after: string) =>
  before.repeat(count) + core + after.repeat(count);
const doubling = (count: number, start: string, leaf: string, type: string) =>
  `${start} ${times(count, (at) => `fragment F${at} on ${type} { ...F${at + 1} ...F${at + 1} }`)} fragment F${count} on ${type} { ${leaf} }`;
const task = (below: string) => `{ task(taskId: "1") ${below} }`;
const deepTask = around(4, "{ task { callLogs { nodes ", "{ id }", "} } }");
const createTask = (lineIds: number) => `mutation { createTask(input: { idempotencyKey: "k", name: "n", assistantId: 1
  numbers: [{ number: "${CANARY}" }], option: { numberFileMeta: { number: 0, name: 0, gender: 0, salesPersonName: 0 }
  lineIds: [${"1 ".repeat(lineIds)}], periods: [["9"]], startDate: "x", retryCount: 0, retryIntervalSeconds: 0 } }) { replayed } }`;

type Row = [row: string, name: string, query: unknown, code: ErrorCode, variables?: unknown];

const rows: Row[] = [
  ["A1", "fields nested too deep", `{ callLogs { nodes ${deepTask} } }`, "QUERY_TOO_COMPLEX"],
  [
    "A1",
    "fields nested too deep through fragments",
    `{ callLogs { nodes { ...F } } } fragment F on CallLog { ... on CallLog { ...G } } fragment G on CallLog ${deepTask}`,
    "QUERY_TOO_COMPLEX",
  ],
  ["A2", "101 aliases", `{ ${times(101, (at) => `a${at}: serviceTimeZone`)} }`, "QUERY_TOO_COMPLEX"],
  [
    "A2",
    "101 aliases of __typename",
    `{ viewer { ${times(101, (at) => `a${at}: __typename`)} } }`,
    "QUERY_TOO_COMPLEX",
  ],
  ["A2", "101 root fields", `{ ${"__typename ".repeat(101)} }`, "QUERY_TOO_COMPLEX"],
  [
    "A2",
    "aliases of what is expensive",
    `{ ${times(101, (at) => `a${at}: callLogs(first: 100) { totalCount }`)} }`,
    "GRAPHQL_PARSE_FAILED",
  ],
  [
    "A3",
    "root fragments that double 2^30 times",
    doubling(30, "{ ...F0 }", "__typename", "Query"),
    "QUERY_TOO_COMPLEX",
  ],
  [
    "A3",
    "inner fragments that double 2^30 times",
    doubling(30, "{ viewer { ...F0 } }", "name", "Viewer"),
    "QUERY_TOO_COMPLEX",
  ],
  [
    "A3",
    "fragments in a circle",
    "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
    "GRAPHQL_VALIDATION_FAILED",
  ],
  ["A3", "a fragment in itself", "{ viewer { ...A } } fragment A on Viewer { ...A }", "GRAPHQL_VALIDATION_FAILED"],
  [
    "A4",
    "100 inline fragments, 20 times",
    `{ ${"viewer { ".repeat(20)} ${"... { name } ".repeat(100)} ${"} ".repeat(20)} }`,
    "QUERY_TOO_COMPLEX",
  ],
  ["A4", "5,000 inline fragments", `{ viewer { ${"... { name } ".repeat(5000)} } }`, "GRAPHQL_PARSE_FAILED"],
  ["A4", "10,000 names", "hello ".repeat(10_000), "GRAPHQL_PARSE_FAILED"],
  ["A5", "more than 1,000 tokens", `{ viewer { ${"name ".repeat(1000)} } }`, "GRAPHQL_PARSE_FAILED"],
  ["A5", "selections nested 20,000 deep", "{a".repeat(20_000), "GRAPHQL_PARSE_FAILED"],
  ["A5", "lists nested 20,000 deep", `{ nodes(ids: ${"[".repeat(20_000)}`, "GRAPHQL_PARSE_FAILED"],
  ["A5", "objects nested 5,000 deep", `{ callLogs(filter: ${"{a:".repeat(5000)}`, "GRAPHQL_PARSE_FAILED"],
  ["A5", "list types nested 5,000 deep", `query($a: ${"[".repeat(5000)}Int`, "GRAPHQL_PARSE_FAILED"],
  ["A6", "20,000 directives", `{ a ${"@a".repeat(20_000)} }`, "GRAPHQL_PARSE_FAILED"],
  ["A6", "51 directives", `{ viewer ${"@skip(if: false) ".repeat(51)} { name } }`, "QUERY_TOO_COMPLEX"],
  [
    "A6",
    "1,000 variables of one name",
    `query(${"$a: Int ".repeat(1000)}) { viewer { name } }`,
    "GRAPHQL_PARSE_FAILED",
  ],
  [
    "A6",
    "200 variables of one name",
    `query(${"$a: Int ".repeat(200)}) { viewer { name } }`,
    "GRAPHQL_VALIDATION_FAILED",
  ],
  [
    "A6",
    "fields that conflict pair by pair",
    `{ ${times(100, (at) => `callLogs(first: ${at + 1}) { totalCount }`)} }`,
    "GRAPHQL_VALIDATION_FAILED",
  ],
  ...longNames.map(([what, query]): Row => ["A72", what, query, "QUERY_TOO_COMPLEX"]),
  ["A8", "101 ids of nodes", `{ nodes(ids: [${'"x" '.repeat(101)}]) { id } }`, "QUERY_TOO_COMPLEX"],
  [
    "A8",
    "101 ids in a variable",
    "query($i: [ID!]!) { tasksByIds(taskIds: $i) { name } }",
    "QUERY_TOO_COMPLEX",
    { i: Array(101).fill(1) },
  ],
  [
    "A8",
    "101 ids in a filter",
    "query($f: CallEndedFilter) { callStats(filter: $f) { calls } }",
    "QUERY_TOO_COMPLEX",
    { f: { taskIds: Array(101).fill("1") } },
  ],
  ["A8", "101 lines of a task", createTask(101), "QUERY_TOO_COMPLEX"],
  ["A8", "a page of 1e9", "{ callLogs(first: 1000000000) { totalCount } }", "BAD_USER_INPUT"],
  ["A8", "a page beyond Int", "{ callLogs(first: 10000000000) { totalCount } }", "GRAPHQL_VALIDATION_FAILED"],
  ["A8", "a page of -1", "{ callLogs(first: -1) { totalCount } }", "BAD_USER_INPUT"],
  ["A8", "a page of 0 events", "{ callEndedEvents(first: 0) { headCursor } }", "BAD_USER_INPUT"],
  [
    "A9",
    "20 lists of 100 with their tasks",
    `{ ${times(20, (at) => `a${at}: callLogs(first: 100) { nodes { task { callLogs { totalCount } } } }`)} }`,
    "QUERY_TOO_COMPLEX",
  ],
  [
    "A9",
    "100 tasks, six lists each",
    `query($i: [ID!]!) { tasksByIds(taskIds: $i) { ${times(6, (at) => `a${at}: callLogs { totalCount }`)} } }`,
    "QUERY_TOO_COMPLEX",
    { i: Array.from({ length: 100 }, (_, at) => at + 1) },
  ],
  [
    "A9",
    "a stream that asks too much for each event",
    `subscription { callEnded { task { ${times(8, (at) => `a${at}: callLogs(first: 100) { nodes { task { name } } }`)} } } }`,
    "QUERY_TOO_COMPLEX",
  ],
  ["A11", "introspection", "{ __schema { types { name } } }", "GRAPHQL_VALIDATION_FAILED"],
  ["A11", "introspection of one type", '{ __type(name: "Query") { name } }', "GRAPHQL_VALIDATION_FAILED"],
  [
    "A11",
    "introspection in a fragment",
    "{ ...A } fragment A on Query { __schema { queryType { name } } }",
    "GRAPHQL_VALIDATION_FAILED",
  ],
  [
    "A11",
    "introspection in a circle",
    `{ __schema { types { ${around(8, "fields { type { ", "name", " } }")} } } }`,
    "GRAPHQL_VALIDATION_FAILED",
  ],
  ["A12", "a field that nearly is", "{ callLog { totalCount } }", "GRAPHQL_VALIDATION_FAILED"],
  ["A12", "an argument that nearly is", "{ callLogs(frist: 1) { totalCount } }", "GRAPHQL_VALIDATION_FAILED"],
  ["A12", "a type that nearly is", "{ ... on Quary { __typename } }", "GRAPHQL_VALIDATION_FAILED"],
  [
    "A12",
    "a value that nearly is",
    "{ callLogs(filter: { direction: INBOND }) { totalCount } }",
    "GRAPHQL_VALIDATION_FAILED",
  ],
  [
    "A12",
    "an input field that nearly is",
    '{ callLogs(filter: { phon: "1" }) { totalCount } }',
    "GRAPHQL_VALIDATION_FAILED",
  ],
  ["A12", "a directive that nearly is", "{ viewer @skp(if: true) { name } }", "GRAPHQL_VALIDATION_FAILED"],
  ["A12", "an object without a selection", "{ callLogs }", "GRAPHQL_VALIDATION_FAILED"],
  [
    "A12",
    "a value in a variable that nearly is",
    "query($d: CallDirection) { callLogs(filter: { direction: $d }) { totalCount } }",
    "BAD_USER_INPUT",
    { d: "INBOND" },
  ],
  [
    "A12",
    "an input field in a variable that nearly is",
    "query($f: CallLogFilter) { callLogs(filter: $f) { totalCount } }",
    "BAD_USER_INPUT",
    { f: { phon: CANARY } },
  ],
  [
    "A15",
    "half a surrogate pair in a variable",
    "query($s: ID!) { callEnded(sessionId: $s) { id } }",
    "BAD_USER_INPUT",
    { s: "\ud800" },
  ],
  ["A15", "half a surrogate pair in the document", '{ callEnded(sessionId: "\ud800") { id } }', "GRAPHQL_PARSE_FAILED"],
  ["A15", "half a surrogate pair as an escape", '{ callEnded(sessionId: "\\ud800") { id } }', "GRAPHQL_PARSE_FAILED"],
  ["A15", "a control character", "{ viewer { name\u0007 } }", "GRAPHQL_PARSE_FAILED"],
  [
    "A19",
    "__proto__ as a filter",
    "query($f: CallLogFilter) { callLogs(filter: $f) { totalCount } }",
    "BAD_USER_INPUT",
    JSON.parse('{"f":{"__proto__":{"x":1}}}'),
  ],
  ["A19", "constructor as a task", '{ task(taskId: "constructor") { name } }', "BAD_USER_INPUT"],
  ["A19", "__proto__ as a node", '{ node(id: "__proto__") { id } }', "BAD_USER_INPUT"],
  ["A21", "a path as a task", task("{ name }").replace('"1"', '"1/../2"'), "BAD_USER_INPUT"],
  ["A21", "an escaped path as a task", task("{ name }").replace('"1"', '"%2e%2e%2f2"'), "BAD_USER_INPUT"],
  ["A21", "a query as a task", task("{ name }").replace('"1"', '"1?x=1#y"'), "BAD_USER_INPUT"],
  ["A21", "digits of another script as a task", task("{ name }").replace('"1"', '"１２"'), "BAD_USER_INPUT"],
  [
    "A21",
    "a line break in a phone",
    '{ callLogs(filter: { phone: "138\\r\\nHost: x" }) { totalCount } }',
    "BAD_USER_INPUT",
  ],
  [
    "A63",
    "a text for a number",
    "query($n: Int!) { callLogs(first: $n) { totalCount } }",
    "BAD_USER_INPUT",
    { n: CANARY },
  ],
  [
    "A63",
    "a text for a number in the document",
    `{ callLogs(first: "${CANARY}") { totalCount } }`,
    "GRAPHQL_VALIDATION_FAILED",
  ],
  ["A63", "an unknown name", `{ ${CANARY} }`, "GRAPHQL_VALIDATION_FAILED"],
  ["A63", "a text where a name stands", `{ "${CANARY}" }`, "GRAPHQL_PARSE_FAILED"],
  ["A63", "an unknown operation", "query A { viewer { name } } query B { viewer { name } }", "BAD_USER_INPUT"],
  ["A63", "an unknown variable type", `query($a: ${CANARY}) { viewer { name } }`, "GRAPHQL_VALIDATION_FAILED"],
];

export const attacks: readonly Attack[] = rows.map(([row, name, query, code, variables]) => ({
  row,
  name,
  code,
  request: { query, ...(variables === undefined ? {} : { variables }) },
}));
