import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { hasEnded, reconciledCall, sessionIdOf } from "../../src/reconcile/reconciledCall.ts";
import { createUnnamedRows } from "../../src/reconcile/unnamedRows.ts";
import { MINUTE, NOW, row } from "./service.ts";

describe("a row is told as far as it can be read", () => {
  it("an end that was written and cannot be read is an end", () => {
    const unread = [
      { field: "endAt", text: "20/11/2026" },
      { field: "recordFile", text: "<list>" },
    ];
    const odd = row({ sessionId: "odd", startAt: instantOf(NOW - MINUTE), unread });
    expect(hasEnded(odd)).toBe(true);
    expect(reconciledCall("odd", odd)).toMatchObject({ endAt: null, unread: [{ field: "endAt" }] });
    expect(hasEnded(row({ sessionId: "going on" }))).toBe(false);
  });

  it("what is no session id to a webhook is none here", () => {
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

describe("a row without a session id is counted once", () => {
  it("also after its call has ended, and whatever else comes between", () => {
    const rows = createUnnamedRows();
    const startAt = instantOf(NOW);
    expect(rows.add([row({ startAt }), row({ startAt: instantOf(NOW + 1000) })])).toBe(2);
    expect(rows.add([row({ startAt, endAt: instantOf(NOW + MINUTE) })])).toBe(0);
    expect(rows.count()).toBe(2);
  });
});
