import { describe, expect, it } from "vitest";
import { createLogContext } from "../../src/util/logContext.ts";
import { readRequestId, requestIdLines, requestIdOrNew } from "../../src/util/requestId.ts";

describe("A new request ID", () => {
  it("is unique and has no digits", () => {
    const ids = Array.from({ length: 1000 }, requestIdOrNew);
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^[a-p]{24}$/);
  });
});

describe("A request ID of a proxy", () => {
  it.each([
    "b3f1c2d4-1234-4567-89ab-0123456789ab",
    "9f86d081884c7d659a2feaa0c55ad015",
    "01JD2QX9ZK3M5N7P8R9S0T1V2W",
    "edge-17.req_42~a",
  ])("is used: %s", (id) => {
    expect(readRequestId(id)).toBe(id);
  });

  it.each([
    ["is missing", undefined],
    ["occurs twice", ["abcdefgh", "abcdefgh"]],
    ["is short", "abcdefg"],
    ["is long", "a".repeat(129)],
    ["is a phone number", "13800010001"],
    ["holds a phone number", "call-13800010001"],
    ["has a line break", "abcdefgh\r\nset-cookie: a"],
    ["has spaces", "abcd efgh"],
    ["has letters beyond ASCII", "abcdefghä"],
  ])("is ignored if it %s", (_, header) => {
    expect(readRequestId(header)).toBeNull();
  });

  it("is the ID of the current request until the request ends", () => {
    const context = createLogContext({ requestId: "edge-request-1" });
    expect(context.run(() => [requestIdOrNew(), requestIdLines()])).toEqual([
      "edge-request-1",
      ["x-request-id: edge-request-1"],
    ]);
    context.end();
    expect(context.run(requestIdLines)).toEqual([]);
    expect(requestIdLines()).toEqual([]);
  });
});
