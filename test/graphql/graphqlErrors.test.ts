import { GraphQLError, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { createGraphqlErrors } from "../../src/graphql/graphqlErrors.ts";
import { withoutInput } from "../../src/graphql/publicMessages.ts";

describe("messages of graphql-js are published without the input", () => {
  it.each([
    ['Syntax Error: Expected Name, found String "canary".', "Syntax Error: Expected Name."],
    ['Syntax Error: Expected "(", found Int "138".', "Syntax Error: Expected <redacted>."],
    ['Syntax Error: Unexpected Name "canary".', "Syntax Error: Unexpected Name."],
    ["Syntax Error: Unterminated string.", "Syntax Error: Unterminated string."],
    ['Int cannot represent non-integer value: "canary"', "Int cannot represent non-integer value."],
    ['String cannot represent a non string value: { a: "x: y" }', "String cannot represent a non string value."],
    ['Value "canary" does not exist in "Kind" enum.', 'Value <redacted> does not exist in "Kind" enum.'],
    ['Expected value of type "Int!" to be, found: ["canary"].', 'Expected value of type "Int!" to be.'],
    [
      'Cannot query field "a" on type "Query". Did you mean "b"?',
      'Cannot query field <redacted> on type "Query". Did you mean <redacted>?',
    ],
    [
      'Cannot query field "a" on type "Query". Did you mean "Kind"?',
      'Cannot query field <redacted> on type "Query". Did you mean "Kind"?',
    ],
    [
      'Value "canary" does not exist in "Kind" enum. Did you mean the enum value "Int"?',
      'Value <redacted> does not exist in "Kind" enum. Did you mean the enum value "Int"?',
    ],
    [
      'Expected value of type "Kind" not to include unknown field "canary". Did you mean "Int" or "Query"? Found: { canary: 1 }.',
      'Expected value of type "Kind" not to include unknown field <redacted>. Did you mean "Int" or "Query"?',
    ],
    [
      'Expected value of type "Kind" not to include unknown field "a". Did you mean "canary"? Found: { a: 1 }.',
      'Expected value of type "Kind" not to include unknown field <redacted>.',
    ],
    [
      'Variable "$a" has invalid value at .b[0]: Int cannot represent non-integer value: "canary"',
      'Variable "$a" has invalid value at .b[0]: Int cannot represent non-integer value.',
    ],
    [
      'Argument "Query.Kind(Int:)" of type "Int!" is required.',
      'Argument "Query.Kind(Int:)" of type "Int!" is required.',
    ],
    ['Argument "Query.canary(Int:)" of type "Int!" is required.', 'Argument <redacted> of type "Int!" is required.'],
    ['Cannot query field "found" on type "Query".', 'Cannot query field <redacted> on type "Query".'],
    ['Argument "a\\"b" is canary "unended', "Argument <redacted> is canary <redacted>"],
    [
      'Field "a" of type "Query" must have a selection of subfields.',
      'Field <redacted> of type "Query" must have a selection of subfields.',
    ],
    ['Value "a" canary "b" does not exist in "Kind" enum.', 'Value <redacted> does not exist in "Kind" enum.'],
    [
      'Value "canary" does not exist in "canary" does not exist in "Kind" enum.',
      'Value <redacted> does not exist in "Kind" enum.',
    ],
    [
      'Expected value of type "Kind" not to include unknown field "a" canary "b", found: { a" canary "b: 1 }.',
      'Expected value of type "Kind" not to include unknown field <redacted>.',
    ],
    ['Value "canary\\', "Value <redacted>"],
    ['Int cannot represent non-integer value: "canary\nof two lines"', "Int cannot represent non-integer value."],
  ])("keeps nothing of the quoted value in %j", (message, expected) => {
    expect(withoutInput(message, new Set(["Query", "Int", "Kind"]))).toBe(expected);
  });

  it.each(["cannot represent ", '"\\', '\\"', "found", ' unknown field "', 'Value "', '" does not exist in ', ": "])(
    "takes a time linear in the length for a megabyte of %j",
    (text) => {
      const value = text.repeat(1_000_000 / text.length);
      // An algorithm with quadratic time would exceed the time limit of a test.
      expect(withoutInput(`Value "${value}" does not exist in "Kind" enum.`, new Set(["Kind"]))).not.toMatch(
        /canary|represent/,
      );
      expect(withoutInput(`Cannot query field "${value}`, new Set()).length).toBeLessThan(25_000);
    },
  );

  it.each([
    ['Cannot query field "a" on type "Query". Did you mean "b"?', "Cannot query field <redacted> on type <redacted>."],
    ['Field "a" of type "Query" must have a selection of subfields.', "A field of an object needs a selection."],
    ['Variable "$a" has invalid value: no.', "Variable <redacted> has invalid value: no."],
  ])("tells nothing of the graph without introspection in %j", (message, expected) => {
    expect(withoutInput(message, new Set())).toBe(expected);
  });

  it("have the code of the step that refused the operation", () => {
    const { parseFailed, validationFailed, inputRefused, tooComplex } = createGraphqlErrors(new Set());
    const error = new GraphQLError("No.", { nodes: [parse("{ a }")] });
    const opened = [parseFailed(error), validationFailed(error), inputRefused(error), tooComplex("No.")];
    const http = { status: 400, spec: true };
    expect(opened.map(({ extensions }) => extensions)).toEqual([
      { code: "GRAPHQL_PARSE_FAILED", http },
      { code: "GRAPHQL_VALIDATION_FAILED", http },
      { code: "BAD_USER_INPUT", http },
      { code: "QUERY_TOO_COMPLEX", http },
    ]);
  });
});
