import { getNamedType, isInputObjectType, GraphQLID, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { hasTooManyMembers } from "../../../src/graphql/documents/variableLimits.ts";
import { extensionsOf } from "../../../src/schema/extensions.ts";
import { schema } from "../../../src/schema/schema.ts";
import { createTaskInput } from "../../tasks/input.ts";
import { codes, pipeline } from "../pipeline.ts";

const CREATE = "mutation($input: CreateTaskInput!) { createTask(input: $input) { errors { path message } } }";
/** The same with the list in its own variable. */
const APART = `mutation($idempotencyKey: String!, $name: String!, $assistantId: ID!, $option: CreateTaskOptionInput!,
  $numbers: [TaskNumberInput!]!) {
  createTask(input: { idempotencyKey: $idempotencyKey, name: $name, assistantId: $assistantId, option: $option,
    numbers: $numbers }) { errors { path message } } }`;
const inputOf = (numbers: unknown[]) => ({
  input: createTaskInput({ assistantOverride: null, numbers: numbers as never }),
});
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ extra: { at }, number: String(10_000_000 + at) }));

describe("a long list of numbers for a new task", () => {
  it("reaches the resolver whole, as a short one does", async () => {
    const received: unknown[] = [];
    const { run } = pipeline({
      own: {
        submitTask: async (_, input) => {
          received.push(input.numbers);
          return { submission: null, replayed: false, errors: [] };
        },
      },
    });
    for (const count of [2, 1001, 3000]) await run(CREATE, inputOf(many(count)));
    const { numbers, ...rest } = inputOf(many(2000)).input;
    const { idempotencyKey, name, assistantId, option } = rest;
    await run(APART, { idempotencyKey, name, assistantId, option, numbers });
    expect(received.map((list) => JSON.stringify(list) === JSON.stringify(many((list as unknown[]).length)))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(received.map((list) => (list as unknown[]).length)).toEqual([2, 1001, 3000, 2000]);
  });

  it("is refused for an invalid item with the message and code of a short one", async () => {
    const { run, refusal } = pipeline();
    for (const wrong of [{ number: 5 }, {}, { number: "1", other: 1 }, null, { number: "1", extra: [] }]) {
      const short = refusal({ query: CREATE, variables: inputOf([...many(3), wrong]) });
      const { errors } = await run(CREATE, inputOf([...many(2000), wrong]));
      const place = (message: string | undefined) => message?.replace(/\[\d+\]/, "[]");
      expect(codes(errors)).toEqual(codes(short));
      expect(errors?.map(({ message }) => place(message))).toEqual(short.map(({ message }) => place(message)));
    }
  });

  it("has no ids and needs no scope", () => {
    const marked = Object.values(schema.getTypeMap()).filter((type) => extensionsOf(type).longest !== undefined);
    expect(marked.map(({ name }) => name)).toEqual(["TaskNumberInput"]);
    for (const type of marked) {
      const fields = isInputObjectType(type) ? Object.values(type.getFields()) : [];
      expect(fields.map(({ name }) => name)).toEqual(["extra", "number"]);
      expect(fields.filter((field) => extensionsOf(field).scope || getNamedType(field.type) === GraphQLID)).toEqual([]);
    }
  });
});

describe("a text in the variables", () => {
  const long = "x".repeat(1024 * 1024 + 1);
  it.each([
    ["as a variable", "query($n: ID!) { node(id: $n) { id } }", { n: long }],
    ["in an input", CREATE, { input: { ...inputOf(many(1)).input, assistantId: long } }],
  ])("of more than 1,048,576 characters is refused %s", (_, query, variables) => {
    const errors = pipeline().refusal({ query, variables });
    expect(codes(errors)).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(errors[0]?.message).toContain("1,048,576 characters");
  });
});

describe("an object in the variables", () => {
  const name = (length: number) => "n".repeat(length);
  const refusalFor = (input: object) => pipeline().refusal({ query: CREATE, variables: { input } });

  it("is refused for a name of more than 128 characters, which no field has", () => {
    const errors = refusalFor({ ...inputOf(many(1)).input, [name(129)]: 1 });
    expect(codes(errors)).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(errors[0]?.message).toContain("a name that has more than 128 characters");
    expect(codes(refusalFor({ ...inputOf(many(1)).input, [name(128)]: 1 }))).toEqual(["BAD_USER_INPUT"]);
  });
});

describe("other lists in the variables", () => {
  it("have at most 1,000 entries together", () => {
    const { refusal, prepared } = pipeline();
    const withPeriods = (count: number) => {
      const { input } = inputOf(many(1));
      return {
        input: { ...input, option: { ...input.option, periods: Array.from({ length: count }, () => ["09:00"]) } },
      };
    };
    prepared(CREATE, inputOf(many(1000)));
    prepared(CREATE, withPeriods(400));
    const errors = refusal({ query: CREATE, variables: withPeriods(600) });
    expect(codes(errors)).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(errors[0]?.message).toContain("more than 1000 entries");
    expect(
      codes(
        refusal({
          query: "query($ids: [ID!]!) { tasksByIds(taskIds: $ids) { id } }",
          variables: { ids: many(2000).map(String) },
        }),
      ),
    ).toEqual(["QUERY_TOO_COMPLEX"]);
  });
});

const list =
  "query($f: CallLogFilter, $p: String) { callLogs(filter: $f) { totalCount } a: callLogs(filter: { phone: $p }) { totalCount } }";
const create = "mutation($i: CreateTaskInput!) { createTask(input: $i) { replayed } }";
const members = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));
const isRefused = (query: string, variables: Record<string, unknown>) =>
  hasTooManyMembers(schema, parse(query), variables);

describe("an object in the variables with more than 1,000 members", () => {
  it.each([
    ["where an input object stands", { f: members(1001) }],
    ["where a text stands", { p: members(1001) }],
    ["in objects of objects", { f: { since: members(40, members(40)) } }],
    ["in a member that nobody knows", { f: { unknown: [[members(1001)]] } }],
  ])("is refused before graphql-js prints it: %s", (_, variables) => {
    expect(isRefused(list, variables)).toBe(true);
    const errors = pipeline().refusal({ query: list, variables });
    expect(codes(errors)).toEqual(["BAD_USER_INPUT"]);
    expect(errors[0]?.message).toBe("An object among the variables has more than 1000 members.");
  });

  it("passes as extra of a number, which has its own rules", () => {
    const extra = members(5000, members(3));
    const numbers = Array.from({ length: 3000 }, (_, at) => ({ number: String(at), extra }));
    expect(isRefused(create, { i: createTaskInput({ numbers }) })).toBe(false);
    expect(isRefused(create, { i: { ...createTaskInput(), numbers: [{ number: extra }] } })).toBe(true);
  });
});
