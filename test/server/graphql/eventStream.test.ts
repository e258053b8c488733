import { GraphQLError } from "graphql";
import { describe, expect, it } from "vitest";
import { encodeResult, encodeRetry } from "../../../src/server/graphql/eventStream.ts";

const failed = (code: string, extensions = {}) => ({
  errors: [new GraphQLError("It failed.", { extensions: { code, ...extensions } })],
});
const idOf = (result: Parameters<typeof encodeResult>[0]) => /^id: (.*)$/m.exec(String(encodeResult(result)))?.[1];

describe("The ID of a server-sent event", () => {
  it("is the cursor behind a gap, so that a browser that reconnects continues there", () => {
    expect(idOf(failed("CURSOR_EXPIRED", { cursor: "behind" }))).toBe("behind");
  });

  it("is not changed by other results without a place in the log", () => {
    for (const result of [failed("STORE_UNAVAILABLE", { cursor: "x" }), failed("CURSOR_EXPIRED"), { data: { a: 1 } }])
      expect(idOf(result)).toBeUndefined();
  });
});

describe("A server-sent event", () => {
  it("shows no hint for the HTTP status", () => {
    expect(String(encodeResult(failed("FORBIDDEN", { http: { status: 403 } })))).toBe(
      'event: next\ndata: {"errors":[{"message":"It failed.","extensions":{"code":"FORBIDDEN"}}]}\n\n',
    );
  });
});

describe("The time after which a browser reconnects", () => {
  it("is from one to three seconds, by chance", () => {
    expect([0, 0.5, 1].map(encodeRetry)).toEqual(["retry: 1000\n\n", "retry: 2000\n\n", "retry: 3000\n\n"]);
  });
});
