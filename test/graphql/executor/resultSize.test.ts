import * as fc from "fast-check";
import { GraphQLError, parse, validate, validateExecutionArgs } from "graphql";
import { describe, expect, it, vi } from "vitest";
import { jsonSize, RESULT_LIMITS } from "../../../src/graphql/executor/resultSize.ts";
import { compileOperation } from "../../../src/graphql/executor/compileOperation.ts";
import { MAX_BYTES_PER_UNIT, runCompiled } from "../../../src/graphql/executor/runCompiled.ts";
import { schema } from "../../../src/schema/schema.ts";
import { callLog, task, world } from "../../resolvers/world.ts";
import { generateOperation } from "./generatedOperations.ts";
import { codes, pipeline } from "../pipeline.ts";

const written = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** With halves of surrogate pairs, control characters and everything else that JSON escapes. */
const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "binary-ascii" }), fc.base64String());
const leaf = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constantFrom(null, undefined));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value")), fc.dictionary(text, tie("value"))),
}));

describe("jsonSize", () => {
  it("equals the bytes of the JSON of any value", () => {
    fc.assert(
      fc.property(value, (any) => {
        expect(jsonSize({ any })).toBe(written({ any }));
      }),
      { numRuns: 500 },
    );
    for (const any of [
      [],
      {},
      [[]],
      { a: undefined },
      [undefined, undefined],
      "\ud800\udc00\udc00\ud800",
      "\u2028\x7f",
    ])
      expect(jsonSize(any)).toBe(written(any));
  });

  it("counts errors as they are sent to clients", () => {
    const error = new GraphQLError('He said "no"', { path: ["a", 1], extensions: { code: "INTERNAL" } });
    expect(jsonSize([error, error])).toBe(written([error, error]));
  });

  it("stops at its limit without reading the rest", () => {
    fc.assert(
      fc.property(value, fc.nat(100), (any, most) => {
        expect(jsonSize({ any }, most) > most).toBe(written({ any }) > most);
      }),
    );
    const list = [
      "x".repeat(100),
      {
        toJSON() {
          throw new Error("It was looked at.");
        },
      },
    ];
    expect(jsonSize(list, 99)).toBeGreaterThan(99);
  });
});

const rows = [
  callLog({
    startAt: "2026-11-20T09:30:00.000Z",
    assistants: [{ assistantId: "1", versionId: "2" }],
    billsec: 1e-7 / 3,
  }),
  callLog({ sessionId: "\u0000".repeat(50), caller: "\ud800\u3042", unread: [{ field: "endAt", text: '"soon"' }] }),
];
const tasks = { "7": task({ progress: -Math.PI * 1e-300, name: "\u0001".repeat(99) }) };
const literals = {
  first: ["1", "3"],
  taskId: ['"7"', '"none"'],
  taskIds: ['["7", "8"]'],
  sessionId: ['"s-1"'],
  ids: ['["unknown"]'],
  id: ['"unknown"'],
};

describe("the size that a compiled execution counts", () => {
  it("is a lower bound, and bounds the real size by a known factor", async () => {
    let largest = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const { query, variables } = generateOperation(seed, literals);
        const document = parse(query);
        fc.pre(validate(schema, document).length === 0);
        const operation = validateExecutionArgs({ schema, document, variableValues: variables });
        const compiled = "operation" in operation ? compileOperation({ ...operation, inParts: false }) : null;
        if (!compiled || !("operation" in operation)) throw new Error("it was not compiled");
        const { variableValues } = operation;
        const { context } = world({ rows, tasks });
        const { result, minUnits } = await runCompiled(compiled, {
          rootValue: undefined,
          context: () => context,
          variableValues,
          signal: () => new AbortController().signal,
          later: null,
        });
        const real = written(result.data);
        largest = Math.max(largest, real);
        expect(real).toBeLessThanOrEqual(2 + minUnits * MAX_BYTES_PER_UNIT);
        // With an error, data that was discarded stays counted.
        if (!result.errors) expect(minUnits).toBeLessThanOrEqual(real + 2);
      }),
      { numRuns: 150 },
    );
    expect(largest).toBeGreaterThan(300);
  });
});

describe("a response of exactly the limit is sent, and one byte more is refused", () => {
  const query = '{ task(taskId: "7") { name } }';
  /** Bytes reserved for what surrounds the data. */
  const BESIDE = 1024;
  const frame = written({ task: { name: "" } });
  const compiled = [
    ["letters", "x", 1],
    ["quotes", '"', 2],
    ["control characters", "\u0001", 6],
    ["letters of another script", "\u3042", 3],
    ["characters of two halves", "\u{1f600}", 4],
    ["halves of characters", "\ud83d", 6],
  ] as const;

  it.each([
    ...compiled.map((kind) => [...kind, "compiled", true] as const),
    ["letters", "x", 1, "walked by graphql-js", false] as const,
  ])("for a text of %s (%d bytes each), %s", async (_name, character, bytes, _way, compiles) => {
    const room = RESULT_LIMITS.bytes - BESIDE - frame;
    const name = character.repeat(Math.floor(room / bytes)) + "y".repeat(room % bytes);
    const asked = (text: string) => pipeline({ tasks: { "7": task({ name: text }) }, compiles }).run(query);
    const fits = await asked(name);
    expect(fits.errors).toBeUndefined();
    expect(written(fits)).toBeLessThanOrEqual(RESULT_LIMITS.bytes);
    const { data, errors } = await asked(`${name}y`);
    expect(data).toBeNull();
    expect(codes(errors)).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(errors?.[0]?.message).toContain("larger than 16 MiB");
  });
});

describe("a response that grows too large", () => {
  const long = "x".repeat(1024 * 1024);
  const aliased = (count: number, field: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => field(at)).join(" ");

  it("is not executed to its end", async () => {
    let read = 0;
    const counted = new Proxy(callLog(), {
      get(row, key) {
        if (key === "callee") read += 1;
        return key === "caller" ? long : (row as never)[key];
      },
    });
    const { run } = pipeline({ rows: Array.from({ length: 100 }, () => counted) });
    const { errors, data } = await run(`{ callLogs(first: 100) { nodes { caller callee } } }`);
    expect([data, codes(errors)]).toEqual([null, ["QUERY_TOO_COMPLEX"]]);
    expect(read).toBeLessThan(20);
  });

  it("is refused for its keys alone", async () => {
    const keys = aliased(90, (at) => `${"k".repeat(120)}${at}: direction`);
    const { run } = pipeline({ rows: Array.from({ length: 100 }, () => callLog()), tasks: { "7": task() } });
    const query = (first: number) =>
      `{ callLogs(first: 100) { nodes { task { callLogs(first: ${first}) { nodes { ${keys} } } } } } }`;
    expect((await run(query(10))).errors).toBeUndefined();
    expect(codes((await run(query(100))).errors)).toEqual(["QUERY_TOO_COMPLEX"]);
  });

  it("is refused for its errors, and keeps the first of them", async () => {
    const failing = (count: number) =>
      `{ callLogs(first: 100) { nodes { task { ${aliased(count, (at) => `a${at}: callLogs(first: 0) { totalCount }`)} } } } }`;
    const { run } = pipeline({
      rows: Array.from({ length: 100 }, (_, at) => callLog({ sessionId: `s${at}` })),
      tasks: { "7": task() },
      queryBudget: Number.MAX_SAFE_INTEGER,
    });
    const result = await run(failing(10));
    expect(result.errors).toHaveLength(RESULT_LIMITS.fieldErrors);
    const refused = await run(failing(11));
    expect([refused.data, codes(refused.errors)]).toEqual([null, ["QUERY_TOO_COMPLEX", "BAD_USER_INPUT"]]);
  });
});

describe("the location of an error", () => {
  it("is searched once for each field, however often the field fails", async () => {
    const query = `${"\n".repeat(9000)}{ callLogs(first: 100) { nodes { task { a: callLogs(first: 0) { totalCount } } } } }`;
    const { run } = pipeline({
      rows: Array.from({ length: 100 }, (_, at) => callLog({ sessionId: `s${at}` })),
      tasks: { "7": task() },
    });
    const looks = vi.spyOn(String.prototype, "matchAll");
    const { errors } = await run(query);
    const count = looks.mock.contexts.filter((text) => String(text) === query).length;
    looks.mockRestore();
    expect(errors).toHaveLength(100);
    expect(new Set(errors?.map(({ locations }) => JSON.stringify(locations)))).toEqual(
      new Set(['[{"line":9001,"column":41}]']),
    );
    expect(count).toBeLessThan(5);
  });
});
