import * as fc from "fast-check";
import { getIntrospectionQuery, parse, validateExecutionArgs } from "graphql";
import { describe, expect, it } from "vitest";
import { CodedError } from "../../../src/errors.ts";
import type { CallEndedEvent } from "../../../src/events/callEndedEvent.ts";
import { compileOperation } from "../../../src/graphql/executor/compileOperation.ts";
import { nodeId } from "../../../src/resolvers/nodeId.ts";
import { schema } from "../../../src/schema/schema.ts";
import { callEnded } from "../../events/callEnded.ts";
import { callLog, task } from "../../resolvers/world.ts";
import { errorsOf } from "./comparableErrors.ts";
import { generateOperation } from "./generatedOperations.ts";
import { pipeline } from "../pipeline.ts";

const broken = new CodedError("UPSTREAM_CONTRACT", "It cannot be read.");
const rows = [
  callLog({ startAt: "2026-11-20T09:30:00.000Z", assistants: [{ assistantId: "1", versionId: "2" }] }),
  callLog({ sessionId: null, taskId: null, direction: "inbound", unread: [{ field: "endAt", text: "soon" }] }),
  callLog({ sessionId: "s-2", taskId: "8", callee: null, direction: null, billsec: 3.5 }),
  callLog({ sessionId: "s-3", taskId: "9" }),
];
function raise(error: Error): never {
  throw error;
}

const tasks = {
  "7": task({ option: () => raise(broken), progress: 33.3, total: 3e12 }),
  "8": new CodedError("UPSTREAM_TIMEOUT", "It took too long."),
};
const events: CallEndedEvent[] = [
  {
    ...callEnded({ sessionId: "s-1" }),
    cursor: "c1",
    revision: 1,
    source: "WEBHOOK",
    receivedAt: "2026-11-20T09:31:00.000Z",
  },
  {
    ...callEnded({ sessionId: "s-2" }),
    cursor: "c2",
    revision: 2,
    source: "RECONCILED",
    receivedAt: "2026-11-20T09:32:00.000Z",
  },
];
const own = {
  events: {
    page: async () => ({ events, hasMore: true, headCursor: "c9" }),
    bySession: async (id: string) => events.find(({ sessionId }) => sessionId === id) ?? null,
  },
} as never;

const literals = {
  first: ["1", "3", "100", "0"],
  taskId: ['"7"', "8", '"9"', '"none"'],
  taskIds: ['["7", "8", "404"]', "[9]", "[]"],
  id: [`"${nodeId("Task", "7")}"`, '"unknown"'],
  ids: [`["${nodeId("Task", "7")}", "${nodeId("Task", "404")}", "unknown"]`],
  sessionId: ['"s-1"', '"s-9"'],
  order: ["NEWEST_FIRST", "OLDEST_FIRST"],
  filter: ["{ direction: OUTBOUND }", '{ since: "2026-11-20T09:00:00+08:00" }', "null"],
  AlertFilter: ["{ open: true }", "null"],
  AuditEventFilter: ["{ actions: [DELIVERIES_REREAD] }", "null"],
  RecipientFilter: ["{ outcome: BUSY }", "{ maxAttempts: 2 }"],
  revisions: ["true", "false"],
};

describe("a compiled operation gives the same response as graphql-js", () => {
  it("for generated operations", async () => {
    let failures = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const { query, variables } = generateOperation(seed, literals);
        // The limits of documents have a test of their own.
        fc.pre(isWithinLimits(query, variables));
        const walked = await answersOf(query, variables, false);
        const compiled = await answersOf(query, variables, true);
        failures += walked[1]?.errors.length ?? 0;
        expect(compiled[1]).toEqual(walked[1]);
        // The order of the fields must be the same too.
        expect(JSON.stringify(compiled[1]?.data)).toBe(JSON.stringify(walked[1]?.data));
      }),
      { numRuns: 200 },
    );
    // Otherwise the generated operations would fail too rarely.
    expect(failures).toBeGreaterThan(100);
  });
});

const MEMBERS = ["toString", "valueOf", "hasOwnProperty", "__defineGetter__", "__lookupSetter__", "toJSON", "then"];
const WORDS = [
  "run",
  "parent",
  "key",
  "source",
  "data",
  "node",
  "size",
  "value",
  "context",
  "fields",
  "complete0",
  "resolve0",
];
WORDS.push("errorOf", "arguments", "eval", "this", "null", "undefined", "return", "await", "yield", "let", "async");

describe("a compiled operation gives the same response as graphql-js for written documents", () => {
  it.each([
    ["introspection", getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true, directiveIsRepeatable: true })],
    [
      "a type by its name",
      'query($t: String = "Task") { __type(name: $t) { ...T } none: __type(name: "x") { name } } fragment T on __Type { name possibleTypes { name } fields(includeDeprecated: true) { name } }',
    ],
    [
      "a key that is an object's prototype elsewhere",
      '{ __proto__: task(taskId: "9") { __proto__: name constructor: taskId } ...F } fragment F on Query { viewer { name __proto__: __typename } }',
    ],
    [
      "members of every object as keys",
      `{ ${MEMBERS.map((name) => `${name}: task(taskId: "9") { ${MEMBERS.map((key) => `${key}: name`).join(" ")} }`).join(" ")} }`,
    ],
    [
      "words of JavaScript, and names of the compiled code, as keys",
      `{ ${WORDS.map((name) => `${name}: task(taskId: "9") { ${name} : progress }`).join(" ")} all: task(taskId: "9") { ${WORDS.map((key) => `${key}: name`).join(" ")} } }`,
    ],
    [
      "the longest names",
      `{ ${"_".repeat(128)}: task(taskId: "9") { ${"a".repeat(128)}: name ${"A9".repeat(64)}: __typename } }`,
    ],
  ])("with %s", async (_, query) => {
    const [walked, compiled] = await Promise.all(
      [false, true].map((compiles) => pipeline({ introspection: true, tasks: { "9": task() }, compiles }).run(query)),
    );
    expect(compiled?.errors).toBeUndefined();
    expect(JSON.stringify(compiled?.data)).toBe(JSON.stringify(walked?.data));
    expect(JSON.stringify(compiled).length).toBeGreaterThan(50);
  });

  it("with more combinations of directives than are cached", async () => {
    const names = Array.from({ length: 6 }, (_, at) => `v${at}`);
    const query = `query(${names.map((name) => `$${name}: Boolean = false`).join(" ")}) { viewer { __typename ${names.map((name) => `${name}: name @include(if: $${name})`).join(" ")} } }`;
    const { run } = pipeline();
    for (const round of [1, 2])
      for (let bits = 0; bits < 64; bits += 7) {
        const given = names.filter((_, at) => (bits >> at) & 1);
        const { data } = await run(query, Object.fromEntries(given.map((name) => [name, true])));
        const viewer = (data as { viewer: object }).viewer;
        expect([round, ...Object.keys(viewer)]).toEqual([round, "__typename", ...given]);
      }
  });
});

describe("an error of a compiled operation", () => {
  it.each([
    "{ task(taskId: 7) { ...F } task(taskId: 7) { ...F } } fragment F on Task { option { __typename } }",
    "{ task(taskId: 7) { ...F ... { ...F option { __typename } } } } fragment F on Task { option { __typename } }",
  ])("has the same locations as with graphql-js: %s", async (query) => {
    const walked = await answersOf(query, {}, false);
    expect(walked[1]?.errors).toHaveLength(1);
    expect(await answersOf(query, {}, true)).toEqual(walked);
  });
});

describe("compileOperation", () => {
  const compiledOf = (query: string) => {
    const operation = validateExecutionArgs({ schema, document: parse(query) });
    if (!("operation" in operation)) throw new Error(String(operation));
    return compileOperation({ ...operation, inParts: false });
  };

  it("compiles queries and the events of subscriptions", () => {
    expect(compiledOf("{ viewer { name } ... { a: __typename } }")).not.toBeNull();
    expect(compiledOf("subscription { callEnded { id } }")).not.toBeNull();
  });

  it("leaves mutations to graphql-js", () => {
    expect(compiledOf('mutation { reprocessQuarantined(id: "x") { reason } }')).toBeNull();
  });
});

/** The responses of two runs: the second uses what the first has compiled. */
async function answersOf(query: string, variables: unknown, compiles: boolean) {
  const { run } = pipeline({ rows, tasks, own, compiles, queryBudget: Number.MAX_SAFE_INTEGER });
  const answers = [];
  for (const _ of [1, 2]) {
    const result = await run(query, variables);
    answers.push({ data: result.data, errors: errorsOf(result) });
  }
  return answers;
}

function isWithinLimits(query: string, variables: unknown): boolean {
  try {
    return pipeline({ queryBudget: Number.MAX_SAFE_INTEGER }).prepared(query, variables).kind === "query";
  } catch (error) {
    if (/QUERY_TOO_COMPLEX|more than 1000 tokens/.test(String(error))) return false;
    throw error;
  }
}
