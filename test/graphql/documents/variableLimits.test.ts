import { getNamedType, isInputObjectType, GraphQLID } from "graphql";
import { describe, expect, it } from "vitest";
import { schema } from "../../../src/schema/schema.ts";
import { createTaskInput } from "../../tasks/input.ts";
import { codes, pipeline } from "../pipeline.ts";

const CREATE = "mutation($input: CreateTaskInput!) { createTask(input: $input) { errors { path message } } }";
/** The list is a variable of its own. */
const APART = `mutation($idempotencyKey: String!, $name: String!, $assistantId: ID!, $option: CreateTaskOptionInput!,
  $numbers: [TaskNumberInput!]!) {
  createTask(input: { idempotencyKey: $idempotencyKey, name: $name, assistantId: $assistantId, option: $option,
    numbers: $numbers }) { errors { path message } } }`;
const inputOf = (numbers: unknown[]) => ({
  input: createTaskInput({ assistantOverride: null, numbers: numbers as never }),
});
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ extra: { at }, number: String(10_000_000 + at) }));

describe("a long list of a new task's numbers", () => {
  it("is given to the resolver whole, as a short one is", async () => {
    const given: unknown[] = [];
    const { run } = pipeline({
      own: {
        submitTask: async (_, input) => {
          given.push(input.numbers);
          return { submission: null, replayed: false, errors: [] };
        },
      },
    });
    for (const count of [2, 1001, 3000]) await run(CREATE, inputOf(many(count)));
    const { numbers, ...rest } = inputOf(many(2000)).input;
    const { idempotencyKey, name, assistantId, option } = rest;
    await run(APART, { idempotencyKey, name, assistantId, option, numbers });
    expect(given.map((list) => JSON.stringify(list) === JSON.stringify(many((list as unknown[]).length)))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(given.map((list) => (list as unknown[]).length)).toEqual([2, 1001, 3000, 2000]);
  });

  it("is refused in the words and with the code of a short one where an item does not fit", async () => {
    const { run, refusal } = pipeline();
    for (const wrong of [{ number: 5 }, {}, { number: "1", other: 1 }, null, { number: "1", extra: [] }]) {
      const short = refusal({ query: CREATE, variables: inputOf([...many(3), wrong]) });
      const { errors } = await run(CREATE, inputOf([...many(2000), wrong]));
      const place = (message: string | undefined) => message?.replace(/\[\d+\]/, "[]");
      expect(codes(errors)).toEqual(codes(short));
      expect(errors?.map(({ message }) => place(message))).toEqual(short.map(({ message }) => place(message)));
    }
  });

  it("holds nothing that a scope or the limit of ids is judged by", () => {
    const marked = Object.values(schema.getTypeMap()).filter((type) => "longest" in type.extensions);
    expect(marked.map(({ name }) => name)).toEqual(["TaskNumberInput"]);
    for (const type of marked) {
      const fields = isInputObjectType(type) ? Object.values(type.getFields()) : [];
      expect(fields.map(({ name }) => name)).toEqual(["extra", "number"]);
      expect(fields.filter((field) => field.extensions["scope"] || getNamedType(field.type) === GraphQLID)).toEqual([]);
    }
  });
});

describe("a text in the variables", () => {
  const long = "x".repeat(1024 * 1024 + 1);
  it.each([
    ["as a variable", "query($n: ID!) { node(id: $n) { id } }", { n: long }],
    ["in an input", CREATE, { input: { ...inputOf(many(1)).input, assistantId: long } }],
    ["as the name of a field", CREATE, { input: { ...inputOf(many(1)).input, [long]: 1 } }],
  ])("of more than 1,048,576 characters is refused %s", (_, query, variables) => {
    const errors = pipeline().refusal({ query, variables });
    expect(codes(errors)).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(errors[0]?.message).toContain("1,048,576 characters");
  });
});

describe("other lists in the variables", () => {
  it("have 1,000 entries together at most", () => {
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
