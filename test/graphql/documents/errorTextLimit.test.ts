import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { isTooMuchToPrint } from "../../../src/graphql/documents/errorTextLimit.ts";
import { schema } from "../../../src/schema/schema.ts";
import { createTaskInput } from "../../tasks/input.ts";
import { codes, pipeline } from "../pipeline.ts";

const list =
  "query($f: CallLogFilter, $p: String) { callLogs(filter: $f) { totalCount } a: callLogs(filter: { phone: $p }) { totalCount } }";
const create = "mutation($i: CreateTaskInput!) { createTask(input: $i) { replayed } }";
const members = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));
const isRefused = (query: string, variables: Record<string, unknown>) =>
  isTooMuchToPrint(schema, parse(query), variables);

describe("an object among the variables that has more members than any input", () => {
  it.each([
    ["where an input object stands", { f: members(1001) }],
    ["where a text stands", { p: members(1001) }],
    ["in objects of objects", { f: { since: members(40, members(40)) } }],
    ["in a member that nobody knows", { f: { unknown: [[members(1001)]] } }],
  ])("is refused %s, before a message is made of it", (_, variables) => {
    expect(isRefused(list, variables)).toBe(true);
    const errors = pipeline().refusal({ query: list, variables });
    expect(codes(errors)).toEqual(["BAD_USER_INPUT"]);
    expect(errors[0]?.message).toBe("An object among the variables has more than 1000 members.");
  });

  it("passes in the variables of a number, which have rules of their own", () => {
    const extra = members(5000, members(3));
    const numbers = Array.from({ length: 3000 }, (_, at) => ({ number: String(at), extra }));
    expect(isRefused(create, { i: createTaskInput({ numbers }) })).toBe(false);
    expect(isRefused(create, { i: { ...createTaskInput(), numbers: [{ number: extra }] } })).toBe(true);
  });
});
