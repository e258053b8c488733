import * as fc from "fast-check";
import {
  getNullableType,
  isLeafType,
  isListType,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  Kind,
  type DirectiveNode,
  type FieldNode,
  type GraphQLObjectType,
  type InlineFragmentNode,
} from "graphql";
import { describe, expect, it } from "vitest";
import { CodedError } from "../../../src/errors.ts";
import { MAX_INCREMENTAL_DIRECTIVES } from "../../../src/graphql/executor/incrementalDirectives.ts";
import { PARTS_LIMITS } from "../../../src/graphql/executor/partsLimits.ts";
import { RESULT_LIMITS } from "../../../src/graphql/executor/resultSize.ts";
import { schema } from "../../../src/schema/schema.ts";
import { callLog, task } from "../../resolvers/world.ts";
import { codes, pipeline, type PipelineOptions } from "../pipeline.ts";
import { errorsOf } from "./comparableErrors.ts";
import { generateOperation } from "./generatedOperations.ts";
import { mergeParts, type Part } from "./mergeParts.ts";

const broken = new CodedError("UPSTREAM_CONTRACT", "It cannot be read.");
const rows = [
  callLog({ startAt: "2026-11-20T09:30:00.000Z", assistants: [{ assistantId: "1", versionId: "2" }] }),
  callLog({ sessionId: "s-2", taskId: "8", callee: null, direction: null, billsec: 3.5 }),
  callLog({ sessionId: "s-3", taskId: "9" }),
];
const tasks = { "7": task({ progress: 33.3 }), "8": broken, "9": task({ taskId: "9" }) };
const literals = {
  first: ["1", "3"],
  taskId: ['"7"', "8", '"9"'],
  taskIds: ['["7", "8"]', "[9]"],
  sessionId: ['"s-1"'],
};

async function partsOf(query: string, variables: unknown = {}, own: PipelineOptions = {}): Promise<Part[]> {
  const { prepared } = pipeline({ rows, tasks, ...own });
  const signal = new AbortController().signal;
  const result = await prepared(query, variables).run(() => signal, undefined, undefined, true);
  if (!(Symbol.asyncIterator in result)) return [result];
  const parts: Part[] = [];
  for await (const part of result) parts.push(part);
  return parts;
}

describe("A84: an answer in parts", () => {
  it("merges to the answer without @defer and @stream, for generated operations", async () => {
    let divided = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.infiniteStream(fc.nat(9)), async (seed, choices) => {
        const { query, variables } = generateOperation(seed, literals);
        const { prepare, grantOf } = pipeline({ rows, tasks });
        const placed = placeDirectives(query, () => Number(choices.next().value));
        // The limits of documents have a test of their own.
        fc.pre(!("errors" in prepare({ query, variables }, grantOf())));
        fc.pre(!("errors" in prepare({ query: placed, variables }, grantOf())));
        const whole = await pipeline({ rows, tasks }).run(query, variables);
        const parts = await partsOf(placed, variables);
        // A deferred fragment with an error at a non-null field is missing, and the object around it stays.
        fc.pre(!parts.some(({ completed = [] }) => completed.some(({ errors }) => errors)));
        if (parts.length > 1) divided += 1;
        const merged = parts.length > 1 ? mergeParts(parts) : (parts[0] as ReturnType<typeof mergeParts>);
        expect(merged.data).toEqual(whole.data);
        expect(placesOf(merged)).toEqual(placesOf(whole));
        // A client that takes one answer gets it.
        const inOnePiece = await pipeline({ rows, tasks }).run(placed, variables);
        expect([inOnePiece.data, placesOf(inOnePiece)]).toEqual([whole.data, placesOf(whole)]);
      }),
      { numRuns: 150 },
    );
    expect(divided).toBeGreaterThan(20);
  });

  it("sends the first part before what is deferred is asked for, and asks for nothing twice", async () => {
    const { prepared, askedTasks } = pipeline({ rows, tasks });
    const query = `{ callLogs(first: 3) { nodes { sessionId ... @defer(label: "task") { task { name } } } } }`;
    const result = await prepared(query).run(null, undefined, undefined, true);
    if (!(Symbol.asyncIterator in result)) throw new Error("It is in one piece.");
    const first = (await result.next()).value as Part;
    const before = askedTasks.length;
    const rest: Part[] = [];
    for await (const part of result) rest.push(part);
    expect(first.pending?.map(({ label }) => label)).toEqual(["task", "task", "task"]);
    expect([before, askedTasks.length]).toEqual([0, 3]);
    expect(mergeParts([first, ...rest]).left).toBe(0);
  });

  it("masks a deferred phone number for a viewer without people:read, and refuses a field without its scope", async () => {
    const query = "{ callLogs(first: 1) { nodes { sessionId ... @defer { callee } } } }";
    const { prepared, refusal } = pipeline({ rows, tasks });
    const result = await prepared(query, {}, ["calls:read"]).run(null, undefined, undefined, true);
    const parts: Part[] = [];
    for await (const part of result as AsyncIterable<Part>) parts.push(part);
    expect(parts.length).toBeGreaterThan(1);
    expect(JSON.stringify(parts)).not.toContain("13800010001");
    const recordings = "{ callLogs(first: 1) { nodes { sessionId ... @defer { recordFile } } } }";
    expect(codes(refusal({ query: recordings }, ["calls:read"]))).toEqual(["FORBIDDEN"]);
  });

  it("costs as much as without the directives", () => {
    const query = (directive: string) =>
      `{ callLogs(first: 100) { nodes { sessionId ... ${directive} { task { name callLogs(first: 100) { nodes { sessionId } } } } } } }`;
    const { refusal } = pipeline({ rows, tasks, queryBudget: 50, introspection: true });
    expect(refusal({ query: query("@defer") })[0]?.message).toBe(refusal({ query: query("") })[0]?.message);
  });

  it("fails with a code in the part of the field that failed", async () => {
    const parts = await partsOf(`{ viewer { name } ... @defer { task(taskId: "8") { name } } }`);
    const { data, errors } = mergeParts(parts);
    expect([data?.["task"], codes(errors)]).toEqual([null, ["UPSTREAM_CONTRACT"]]);
  });

  it("ends with QUERY_TOO_COMPLEX for all that is pending when the parts are too large together", async () => {
    const name = "x".repeat(6 * 1024 * 1024);
    const large = { "7": task({ name }), "9": task({ taskId: "9", name }), "10": task({ taskId: "10", name }) };
    const query = `{ a: task(taskId: "7") { name } ... @defer { b: task(taskId: "9") { name } } ... @defer { c: task(taskId: "10") { name d: name } } }`;
    const parts = await partsOf(query, {}, { tasks: large });
    const { errors, left } = mergeParts(parts);
    expect([codes(errors).at(-1), left]).toEqual(["QUERY_TOO_COMPLEX", 0]);
    expect(JSON.stringify(parts).length).toBeLessThan(16 * 1024 * 1024);
  });

  it("tells as many failed fields as one answer may have, and refuses one more", async () => {
    const ids = Array.from({ length: RESULT_LIMITS.fieldErrors / 10 }, () => "8");
    const own = Array.from({ length: 10 }, (_, at) => `a${at}: tasksByIds(taskIds: $ids) { name }`).join(" ");
    const failing = (more: string) =>
      partsOf(`query ($ids: [ID!]!) { viewer { name } ... @defer { ${own} ${more} } }`, { ids }, { queryBudget: 2000 });
    const told = codes(mergeParts(await failing("")).errors);
    expect(told).toEqual(Array.from({ length: RESULT_LIMITS.fieldErrors }, () => "UPSTREAM_CONTRACT"));
    const { errors } = mergeParts(await failing('b: task(taskId: "8") { name }'));
    expect(codes(errors)).toContain("QUERY_TOO_COMPLEX");
  });

  it("stops an execution with more fields than an answer in parts may have", async () => {
    const many = Array.from({ length: 100 }, (_, at) => callLog({ sessionId: `s-${at}` }));
    const lists = Array.from({ length: 60 }, (_, at) => `l${at}: callLogs(first: 100) { ...G }`).join(" ");
    const fields = Object.values((schema.getType("CallLog") as GraphQLObjectType).getFields());
    const leaves = fields.filter(({ type, args }) => isLeafType(getNullableType(type)) && args.length === 0);
    const fragments = `fragment G on CallLogConnection { nodes { ...F } edges { node { ...F } } } fragment F on CallLog { ${leaves.map(({ name }) => name).join(" ")} }`;
    expect(60 * 2 * 100 * leaves.length).toBeGreaterThan(PARTS_LIMITS.fields);
    const own = { rows: many, queryBudget: 100_000 };
    const [refused, ...none] = await partsOf(`{ ${lists} ... @defer { viewer { name } } } ${fragments}`, {}, own);
    expect([refused?.data ?? null, codes(refused?.errors), none]).toEqual([null, ["QUERY_TOO_COMPLEX"], []]);
    const later = await partsOf(`{ viewer { name } ... @defer { ${lists} } } ${fragments}`, {}, own);
    const { data, errors } = mergeParts(later);
    expect([data, codes(errors)]).toEqual([{ viewer: { name: "web" } }, ["QUERY_TOO_COMPLEX"]]);
  });

  it("is refused if its first part leaves more parts pending than an answer may have", async () => {
    const many = Array.from({ length: 100 }, (_, at) => callLog({ sessionId: `s-${at}` }));
    const own = { rows: many, tasks, queryBudget: 100_000 };
    const pendingOf = (count: number) => {
      const inner = `callLogs(first: ${count / 100}) { nodes { sessionId ... @defer { taskId } } }`;
      return partsOf(`{ callLogs(first: 100) { nodes { task { ${inner} } } } }`, {}, own);
    };
    const [refused] = await pendingOf(PARTS_LIMITS.pending + 100);
    expect([refused?.data ?? null, codes(refused?.errors)]).toEqual([null, ["QUERY_TOO_COMPLEX"]]);
    const { errors, left } = mergeParts(await pendingOf(PARTS_LIMITS.pending));
    expect([codes(errors), left]).toEqual([[], 0]);
  });

  it("comes in one piece for a client that takes one answer, also where graphql-js runs everything", async () => {
    const query = "{ callLogs(first: 3) { nodes @stream { sessionId ... @defer { taskId } } } }";
    const [walked, compiled] = await Promise.all(
      [false, true].map((compiles) => pipeline({ rows, tasks, compiles }).run(query)),
    );
    expect(walked?.errors).toBeUndefined();
    expect(walked?.data).toEqual(compiled?.data);
  });

  it("comes in one piece for a document with too many directives", async () => {
    const parts = (count: number) =>
      `{ ${Array.from({ length: count }, (_, at) => `... @defer { v${at}: viewer { name } }`).join(" ")} }`;
    expect((await partsOf(parts(MAX_INCREMENTAL_DIRECTIVES))).length).toBeGreaterThan(1);
    const [whole, ...rest] = await partsOf(parts(MAX_INCREMENTAL_DIRECTIVES + 1));
    expect([Object.keys(whole?.data ?? {}).length, rest]).toEqual([MAX_INCREMENTAL_DIRECTIVES + 1, []]);
  });

  it("ends at once when its client leaves, and aborts what is still waited for", async () => {
    const { prepared, contexts } = pipeline({ rows, tasks: { "7": task() } });
    const query = `{ viewer { name } ... @defer { callLogs(first: 1) { nodes { sessionId } } } }`;
    const result = await prepared(query).run(null, undefined, undefined, true);
    if (!(Symbol.asyncIterator in result)) throw new Error("It is in one piece.");
    await result.next();
    const waiting = result.next();
    await result.return?.();
    expect([await waiting, await result.next()]).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(contexts.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

/** Places of errors and their codes. Locations differ: the directives move the fields. */
function placesOf(result: Parameters<typeof errorsOf>[0]): string[] {
  return errorsOf({
    ...result,
    ...(result.errors && {
      errors: result.errors.map((error) =>
        Object.assign(Object.create(error), { toJSON: () => ({ path: error.path, code: error.extensions["code"] }) }),
      ),
    }),
  }).map((text) => text.replace(/"extensions":\{.*\}\}?$/, ""));
}

const DEFER: DirectiveNode = { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: "defer" } };
const STREAM: DirectiveNode = { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: "stream" } };

/** `choose`: from 0 to 9. */
function placeDirectives(query: string, choose: () => number): string {
  let left = MAX_INCREMENTAL_DIRECTIVES;
  const place = () => left > 0 && choose() < 3 && (left -= 1) >= 0;
  const types = new TypeInfo(schema);
  const withStreams = visit(
    parse(query),
    visitWithTypeInfo(types, {
      Field(node) {
        const type = types.getType();
        // A fragment that is spread twice would stream one list twice.
        if (!type || !isListType(getNullableType(type)) || !place()) return undefined;
        return { ...node, directives: [...(node.directives ?? []), STREAM] };
      },
    }),
  );
  const placed = visit(withStreams, {
    SelectionSet: {
      leave: (node) => ({
        ...node,
        selections: node.selections.map((selection) =>
          selection.kind === Kind.FIELD && place() ? deferred(selection) : selection,
        ),
      }),
    },
  });
  return print(placed);
}

const deferred = (field: FieldNode): InlineFragmentNode => ({
  kind: Kind.INLINE_FRAGMENT,
  directives: [DEFER],
  selectionSet: { kind: Kind.SELECTION_SET, selections: [field] },
});
