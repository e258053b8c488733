import { describe, expect, it } from "vitest";
import { neededText, SEEING_SUBMISSIONS, type Scope } from "../../../src/auth/scopes.ts";
import { codes, pipeline } from "../pipeline.ts";

const { refusal, prepared, asked, askedTasks, contexts } = pipeline();

/** The message of the refusal, or null. */
function denied(granted: readonly Scope[], query: string, variables?: unknown): string | null {
  try {
    prepared(query, variables, granted);
    return null;
  } catch {
    const errors = refusal({ query, variables }, granted);
    expect(codes(errors)).toEqual(["FORBIDDEN"]);
    expect(errors[0]?.extensions["http"]).toMatchObject({ status: 403 });
    return errors[0]?.message ?? "";
  }
}

const READ: Scope[] = ["calls:read"];

describe("a viewer without scopes", () => {
  it.each([
    "{ viewer { name scopes __typename } serviceTimeZone __typename }",
    "{ me: viewer { ...V } } fragment V on Viewer { name }",
    "mutation { __typename }",
  ])("may select the viewer and the clock: %s", (query) => {
    expect(denied([], query)).toBeNull();
  });

  it.each([
    ["{ callLogs { totalCount } }", "Query.callLogs"],
    ['{ task(taskId: "1") { name } }', "Query.task"],
    ['{ node(id: "x") { id } }', "Query.node"],
    ['{ callEnded(sessionId: "x") { id } }', "Query.callEnded"],
    ["{ callEndedEvents { headCursor } }", "Query.callEndedEvents"],
    ["subscription { callEnded { id } }", "Subscription.callEnded"],
    ["{ viewer { name } alias: callLogs { totalCount } }", "Query.callLogs"],
  ])("may not run %s, which needs the scope of %s", (query, field) => {
    expect(denied([], query)).toBe(`${field} needs the scope calls:read.`);
  });
});

const CALL = "callLogs { nodes";
const paths: [string, string][] = [
  ["directly", `{ ${CALL} { recordFile } } }`],
  ["under an alias", `{ a: callLogs { b: nodes { c: recordFile } } }`],
  ["through edges", "{ callLogs { edges { node { recordFile } } } }"],
  ["through a task", '{ task(taskId: "1") { callLogs { nodes { recordFile } } } }'],
  ["through an interface", '{ node(id: "x") { ... on Task { callLogs { nodes { recordFile } } } } }'],
  ["through an inline fragment", `{ ${CALL} { ... { recordFile } } } }`],
  ["through an inline fragment with a type", `{ ${CALL} { ... on CallLog { recordFile } } } }`],
  ["through a fragment", `{ ${CALL} { ...A } } } fragment A on CallLog { recordFile }`],
  [
    "through nested fragments",
    "{ ...A } fragment A on Query { ...B } fragment B on Query { callLogs { ...C } } fragment C on CallLogConnection { nodes { recordFile } }",
  ],
  ["in the second of two", `{ a: ${CALL} { id } } b: ${CALL} { id recordFile } } }`],
  [
    "behind a fragment that is left out",
    `{ ${CALL} { ...A @skip(if: true) ...A } } } fragment A on CallLog { recordFile }`,
  ],
];

describe("A22: a field without its scope is found", () => {
  it.each(paths)("on every path: %s", (_, query) => {
    expect(denied(READ, query)).toBe("CallLog.recordFile needs the scope recordings:read.");
    expect(denied([...READ, "recordings:read"], query)).toBeNull();
  });

  it.each<[string, string, ...Scope[]]>([
    ["Assistant.prompt", '{ task(taskId: "1") { assistant { prompt } } }', "assistants:prompts"],
    ["Assistant.knowledge", '{ task(taskId: "1") { assistant { knowledge } } }', "assistants:prompts"],
    ["Assistant.creatorEmail", '{ task(taskId: "1") { assistant { creatorEmail } } }', "people:read"],
    ["CallEnded.extra", "subscription { callEnded { extra } }", "people:read"],
    ["CallEnded.recordUrl", "{ callEndedEvents { nodes { recordUrl } } }", "recordings:read"],
    ["CallEnded.recordUrl", 'query { nodes(ids: ["x"]) { ... on CallEnded { recordUrl } } }', "recordings:read"],
    ["TaskSubmission.name", '{ node(id: "x") { ... on TaskSubmission { name } } }', ...SEEING_SUBMISSIONS],
  ])("by its type and name: %s", (field, query, ...needed) => {
    expect(denied(READ, query)).toBe(`${field} needs the scope ${neededText(needed)}.`);
    for (const scope of needed) expect(denied([...READ, scope], query)).toBeNull();
  });

  it("ignores a field that only has the same alias", () => {
    expect(denied(READ, "{ callLogs { nodes { recordFile: sessionId prompt: id } } }")).toBeNull();
  });

  it("createTask needs its own scope and no other", () => {
    const input = `{ idempotencyKey: "k", name: "n", assistantId: 1, numbers: [{ number: "1", extra: {} }], option: {
      numberFileMeta: { number: 0, name: 0, gender: 0, salesPersonName: 0 }, lineIds: [1], periods: [["9"]],
      startDate: "x", retryCount: 0, retryIntervalSeconds: 0 } }`;
    const query = `mutation { createTask(input: ${input}) { submission { name } errors { code path } replayed } }`;
    expect(denied([...READ, "tasks:approve"], query)).toBe(
      "Mutation.createTask needs the scope tasks:create or tasks:propose.",
    );
    for (const scope of ["tasks:create", "tasks:propose"] as const) expect(denied([scope], query)).toBeNull();
  });

  it("approveTask and declineTask need tasks:approve and no other scope", () => {
    for (const name of ["approveTask", "declineTask"]) {
      const query = `mutation { ${name}(id: "x") { submission { status } errors { code } replayed } }`;
      const others = [...READ, "tasks:create", "tasks:propose", "admin"] as const;
      expect(denied(others, query)).toBe(`Mutation.${name} needs the scope tasks:approve.`);
      expect(denied(["tasks:approve"], query)).toBeNull();
    }
  });
});

describe("a field that directives exclude needs no scope", () => {
  const fields: [string, string, unknown][] = [
    ["@skip with a literal", "{ callLogs { nodes { id recordFile @skip(if: true) } } }", undefined],
    ["@include with a literal", "{ callLogs { nodes { id recordFile @include(if: false) } } }", undefined],
    ["a variable", "query($v: Boolean!) { callLogs { nodes { id recordFile @include(if: $v) } } }", { v: false }],
    ["a variable's default", "query($v: Boolean = true) { callLogs { nodes { id recordFile @skip(if: $v) } } }", {}],
    [
      "a fragment",
      "{ callLogs { nodes { id ...A @skip(if: true) } } } fragment A on CallLog { recordFile }",
      undefined,
    ],
    ["an inline fragment", "{ callLogs { nodes { id ... @include(if: false) { recordFile } } } }", undefined],
    ["its parent", "{ callLogs { totalCount nodes @skip(if: true) { recordFile } } }", undefined],
    ["both", "{ callLogs { nodes { id recordFile @skip(if: false) @include(if: false) } } }", undefined],
  ];

  it.each(fields)("excluded by %s", (_, query, variables) => {
    expect(denied(READ, query, variables)).toBeNull();
  });

  it("a field that a variable includes needs its scope", () => {
    const query = "query($v: Boolean!) { callLogs { nodes { id recordFile @include(if: $v) } } }";
    expect(denied(READ, query, { v: true })).toMatch(/^CallLog\.recordFile /);
    expect(denied(READ, query.replace("include", "skip"), { v: false })).toMatch(/^CallLog\.recordFile /);
  });
});

describe("a filter without its scope", () => {
  const list = "callLogs(filter: $f) { totalCount }";
  const filters: [string, string, unknown, string][] = [
    ["in a literal", '{ callLogs(filter: { phone: "1" }) { totalCount } }', {}, "CallLogFilter"],
    ["as an empty text", '{ callLogs(filter: { phone: "" }) { totalCount } }', {}, "CallLogFilter"],
    ["in a variable", `query($f: CallLogFilter) { ${list} }`, { f: { phone: "1" } }, "CallLogFilter"],
    ["in a variable's default", `query($f: CallLogFilter = { phone: "1" }) { ${list} }`, {}, "CallLogFilter"],
    [
      "as a variable",
      "query($p: String) { callLogs(filter: { phone: $p }) { totalCount } }",
      { p: "1" },
      "CallLogFilter",
    ],
    [
      "in a fragment",
      '{ ...A } fragment A on Query { callLogs(filter: { phone: "1" }) { totalCount } }',
      {},
      "CallLogFilter",
    ],
    ["of a task", '{ task(taskId: 1) { callLogs(filter: { phone: "1" }) { totalCount } } }', {}, "TaskCallLogFilter"],
    ["of events", '{ callEndedEvents(filter: { phone: "1" }) { headCursor } }', {}, "CallEndedFilter"],
    ["of the stream", 'subscription { callEnded(filter: { phone: "1" }) { id } }', {}, "CallEndedFilter"],
  ];

  it.each(filters)("is found %s", (_, query, variables, type) => {
    expect(denied(READ, query, variables)).toBe(`${type}.phone needs the scope people:read.`);
    expect(denied([...READ, "people:read"], query, variables)).toBeNull();
  });

  const harmless: [string, string, unknown][] = [
    ["no filter", "{ callLogs(filter: null) { totalCount } }", {}],
    ["other filters", '{ callLogs(filter: { taskIds: ["1"], direction: INBOUND }) { totalCount } }', {}],
    ["a null phone", "{ callLogs(filter: { phone: null }) { totalCount } }", {}],
    ["a null phone in a variable", `query($f: CallLogFilter) { ${list} }`, { f: { phone: null } }],
    ["a variable that is not given", "query($p: String) { callLogs(filter: { phone: $p }) { totalCount } }", {}],
    ["a null variable", `query($f: CallLogFilter = { phone: "1" }) { ${list} }`, { f: null }],
    [
      "a phone in what is left out",
      '{ viewer { name } callLogs(filter: { phone: "1" }) @skip(if: true) { totalCount } }',
      {},
    ],
  ];

  it.each(harmless)("needs no scope for %s", (_, query, variables) => {
    expect(denied(READ, query, variables)).toBeNull();
  });
});

describe("the checks of all tests above", () => {
  it("ran nothing of any operation", () => {
    expect([asked, askedTasks, contexts]).toEqual([[], [], []]);
  });
});
