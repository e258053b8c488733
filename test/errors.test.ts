import { GraphQLError, parse, type FieldNode, type OperationDefinitionNode } from "graphql";
import { describe, expect, it } from "vitest";
import { CodedError, errorCodes, publicError, requestError, withoutHttpHint, type ErrorCode } from "../src/errors.ts";
import { createLogger } from "../src/logger.ts";

function open(error: unknown) {
  const lines: string[] = [];
  const log = createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) });
  return { error: publicError(error, { requestId: "abc", log }), lines };
}

const { definitions } = parse("{\n  task { name }\n}");
const node = (definitions[0] as OperationDefinitionNode).selectionSet.selections[0] as FieldNode;
const located = (originalError: Error) => new GraphQLError("outer", { nodes: node, path: ["task", 0], originalError });
const REFUSED = { status: 400, spec: true };
const location = { path: ["task", 0], locations: [{ line: 2, column: 3 }] };

describe("A coded error", () => {
  it("reaches the client with its code, the request's ID, its path and its location", () => {
    const { error, lines } = open(located(new CodedError("BAD_USER_INPUT", "first must be between 1 and 100, got 0.")));
    expect(error.toJSON()).toEqual({
      message: "first must be between 1 and 100, got 0.",
      ...location,
      extensions: { code: "BAD_USER_INPUT", requestId: "abc" },
    });
    expect(lines).toEqual([]);
  });

  it("reaches the client from within two GraphQL errors", () => {
    const { error } = open(located(located(new CodedError("CURSOR_INVALID", "No cursor."))));
    expect(error.toJSON()).toMatchObject({
      message: "No cursor.",
      ...location,
      extensions: { code: "CURSOR_INVALID" },
    });
  });

  it("reaches the client also without a GraphQL error around it", () => {
    const { error } = open(new CodedError("STORE_UNAVAILABLE", "Not now.", { retryAfter: 1 }));
    const extensions = { code: "STORE_UNAVAILABLE", requestId: "abc", retryable: true };
    expect(error.toJSON()).toEqual({ message: "Not now.", extensions });
  });

  it("never shows its cause", () => {
    const cause = new Error("SQLITE_FULL canary");
    const { error } = open(located(new CodedError("STORE_UNAVAILABLE", "Not now.", { cause })));
    expect(JSON.stringify(error)).not.toContain("canary");
    expect(error.originalError).toBeUndefined();
  });
});

describe("retryable and retryAfter of an error", () => {
  const expectedRetryable: Partial<Record<ErrorCode, boolean>> = {
    UPSTREAM_UNAVAILABLE: true,
    UPSTREAM_TIMEOUT: true,
    UPSTREAM_RATE_LIMITED: true,
    UPSTREAM_REJECTED: false,
    UPSTREAM_CONTRACT: false,
    UPSTREAM_FILTER_IGNORED: false,
    SUBSCRIPTION_INTERRUPTED: true,
    STORE_UNAVAILABLE: true,
  };

  it.each(Object.keys(errorCodes) as ErrorCode[])("are set as its code requires: %s", (code) => {
    const { extensions } = open(new CodedError(code, "It failed.")).error;
    expect(extensions["retryable"]).toBe(expectedRetryable[code]);
    expect("retryable" in extensions).toBe(/^(UPSTREAM|STORE|SUBSCRIPTION)_/.test(code));
    expect("retryAfter" in extensions).toBe(false);
  });

  it("prefer the error's own retryable value", () => {
    const { extensions } = open(new CodedError("UPSTREAM_REJECTED", "No.", { retryable: true })).error;
    expect(extensions).toMatchObject({ retryable: true });
  });

  it("give the seconds of a rate limit", () => {
    const limited = new CodedError("UPSTREAM_RATE_LIMITED", "Later.", { retryAfter: 0 });
    expect(open(located(limited)).error.extensions).toMatchObject({ retryable: true, retryAfter: 0 });
  });
});

describe("A23: an unknown error", () => {
  it.each([
    ["an error of a resolver", located(new TypeError("canary 13800010001"))],
    ["an error of the executor", new GraphQLError("canary", { nodes: node, path: ["task", 0] })],
    ["a code that is not on the list", located(new GraphQLError("canary", { extensions: { code: "toString" } }))],
  ])("is INTERNAL without its text, which is in the log: %s", (_, thrown) => {
    const { error, lines } = open(thrown);
    expect(error.toJSON()).toEqual({
      message: "The gateway failed. Its log has the cause under the request's ID.",
      ...location,
      extensions: { code: "INTERNAL", requestId: "abc" },
    });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "error",
      requestId: "abc",
      path: "task.0",
      err: { message: expect.stringContaining("canary") },
    });
    expect(lines[0]).not.toContain("1380001");
  });

  it.each([["text"], [undefined], [null], [{ code: "FORBIDDEN" }]])(
    "is INTERNAL if it is the thrown value %j",
    (thrown) => {
      const { error, lines } = open(thrown);
      expect(error.extensions).toEqual({ code: "INTERNAL", requestId: "abc" });
      expect(lines).toHaveLength(1);
    },
  );
});

describe("An error of the request", () => {
  it("keeps its HTTP status", () => {
    const { error } = open(requestError("FORBIDDEN", "No.", { status: 403, spec: true }));
    expect(error.extensions).toEqual({ code: "FORBIDDEN", http: { status: 403, spec: true }, requestId: "abc" });
    const wrapped = new GraphQLError("x", {
      originalError: new CodedError("BAD_USER_INPUT", "No."),
      extensions: { http: { status: 405 } },
    });
    expect(open(wrapped).error.extensions).toEqual({ code: "BAD_USER_INPUT", requestId: "abc", http: { status: 405 } });
  });

  it("keeps the location of the error it was made from", () => {
    const from = new GraphQLError("found", { nodes: node });
    const { error } = open(requestError("GRAPHQL_VALIDATION_FAILED", "refused", REFUSED, from));
    expect(error.toJSON()).toMatchObject({ message: "refused", locations: location.locations });
  });

  it("keeps the location of a syntax error", () => {
    let syntax: unknown;
    try {
      parse("{\n  task(");
    } catch (error) {
      syntax = error;
    }
    const { error } = open(requestError("GRAPHQL_PARSE_FAILED", "refused", REFUSED, syntax as GraphQLError));
    expect(error.locations).toEqual([{ line: 2, column: 8 }]);
  });

  it("loses only its HTTP status by withoutHttpHint", () => {
    const from = new GraphQLError("found", { nodes: node, path: ["task", 0] });
    const error = withoutHttpHint(open(requestError("FORBIDDEN", "No.", REFUSED, from)).error);
    expect(error.toJSON()).toEqual({
      message: "No.",
      ...location,
      extensions: { code: "FORBIDDEN", requestId: "abc" },
    });
  });

  it("shows no phone number of its message", () => {
    expect(open(requestError("BAD_USER_INPUT", "not 13800010001", REFUSED)).error.message).toBe("not ***01");
  });
});
