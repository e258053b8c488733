import { GraphQLError } from "graphql";
import { describe, expect, it } from "vitest";
import { inputRefused, parseFailed, validationFailed, withoutValues } from "../../src/http/protocolErrors.ts";
import { createRequestId } from "../../src/http/requestId.ts";

describe("what the protocol says is told up to the value it says it about", () => {
  it.each([
    ['Syntax Error: Expected Name, found String "canary".', "Syntax Error: Expected Name."],
    ['Syntax Error: Expected ":", found Int "138".', 'Syntax Error: Expected ":".'],
    ['Syntax Error: Unexpected Name "canary".', "Syntax Error: Unexpected Name."],
    ["Syntax Error: Unterminated string.", "Syntax Error: Unterminated string."],
    ['Int cannot represent non-integer value: "canary"', "Int cannot represent non-integer value."],
    ['String cannot represent a non string value: { a: "x: y" }', "String cannot represent a non string value."],
    ['Value "canary" does not exist in "E" enum.', 'The value does not exist in "E" enum.'],
    ['Expected value of type "F" to be an object, found: ["canary"].', 'Expected value of type "F" to be an object.'],
    ['Cannot query field "a" on type "Q". Did you mean "b"?', 'Cannot query field "a" on type "Q".'],
    ['Cannot query field "found" on type "Query".', 'Cannot query field "found" on type "Query".'],
    ['Int cannot represent non-integer value: "canary\nof two lines"', "Int cannot represent non-integer value."],
  ])("%j", (message, expected) => {
    expect(withoutValues(message)).toBe(expected);
  });

  it("with the code of the step that refused it", () => {
    const error = new GraphQLError("No.");
    expect([parseFailed, validationFailed, inputRefused].map((open) => open(error).extensions)).toEqual([
      { code: "GRAPHQL_PARSE_FAILED", http: { status: 400, spec: true } },
      { code: "GRAPHQL_VALIDATION_FAILED", http: { status: 400, spec: true } },
      { code: "BAD_USER_INPUT", http: { status: 400, spec: true } },
    ]);
  });
});

describe("a request's ID", () => {
  it("is another one each time, and can be taken for no phone number", () => {
    const ids = Array.from({ length: 1000 }, createRequestId);
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^[a-p]{24}$/);
  });
});
