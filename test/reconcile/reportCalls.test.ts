import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { createUnnamedRows, hasEnded, reconciledCall, sessionIdOf } from "../../src/reconcile/reportCalls.ts";
import { MINUTE, NOW, row } from "./service.ts";

describe("a row of the call log", () => {
  it("has ended if its end was sent but cannot be read", () => {
    const unread = [
      { field: "endAt", text: "20/11/2026" },
      { field: "recordFile", text: "<list>" },
    ];
    const odd = row({ sessionId: "odd", startAt: instantOf(NOW - MINUTE), unread });
    expect(hasEnded(odd)).toBe(true);
    expect(reconciledCall("odd", odd)).toMatchObject({ endAt: null, unread: [{ field: "endAt" }] });
    expect(hasEnded(row({ sessionId: "open" }))).toBe(false);
  });

  it("has the same valid session IDs as a webhook", () => {
    expect(["a", " ", "", "a\0b", "\ud800", null].map((sessionId) => sessionIdOf(row({ sessionId })))).toEqual([
      "a",
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("createUnnamedRows()", () => {
  it("counts a row once, also after its call has ended", () => {
    const rows = createUnnamedRows();
    const startAt = instantOf(NOW);
    expect(rows.countNew([row({ startAt }), row({ startAt: instantOf(NOW + 1000) })])).toBe(2);
    expect(rows.countNew([row({ startAt, endAt: instantOf(NOW + MINUTE) })])).toBe(0);
  });
});
