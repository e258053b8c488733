import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import {
  createCallReporter,
  createIgnoredRows,
  hasEnded,
  reconciledCall,
  sessionIdOf,
} from "../../src/reconcile/reportCalls.ts";
import type { CallLogRecord } from "../../src/upstream/upstream.ts";
import { silentLog } from "../support/silentLog.ts";
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

describe("createIgnoredRows()", () => {
  it("counts a row without a session once, also after its call has ended", () => {
    const { unnamed } = createIgnoredRows();
    const startAt = instantOf(NOW);
    const first = row({ startAt });
    expect(unnamed.addNew([first, first, row({ startAt: instantOf(NOW + 1000) })])).toBe(2);
    expect(unnamed.addNew([row({ startAt, endAt: instantOf(NOW + MINUTE) })])).toBe(0);
  });
});

describe("A call that the database refuses", () => {
  it("is tried and told once, and again when its row has changed", async () => {
    const tried: string[] = [];
    const told: Record<string, unknown>[] = [];
    const append = async ({ sessionId }: { sessionId: string }) => {
      tried.push(sessionId);
      if (sessionId === "poison") throw Object.assign(new Error("invalid byte sequence"), { code: "22021" });
      return "appended" as const;
    };
    const openCalls = {
      findWithoutEvent: async (ids: string[]) => new Set(ids),
      add: async () => 0,
      delete: async () => 0,
    };
    const ignoredRows = createIgnoredRows();
    const search = async (...rows: CallLogRecord[]) => {
      const deps = { events: { append }, openCalls, ignoredRows, retentionMs: 24 * 60 * MINUTE, clock: () => NOW };
      const log = { ...silentLog, error: (fields: Record<string, unknown>) => void told.push(fields) };
      const reporter = createCallReporter({ ...deps, log } as never, instantOf(NOW - MINUTE));
      await reporter.addRows(rows);
      await reporter.appendMissed();
    };
    const endAt = instantOf(NOW);
    const poison = row({ sessionId: "poison", endAt });
    await search(poison, row({ sessionId: "good", endAt }));
    await search(poison);
    expect([tried.toSorted(), told]).toEqual([["good", "poison"], [{ calls: 1 }]]);
    await search({ ...poison, billsec: 7 });
    expect([tried.length, told]).toEqual([3, [{ calls: 1 }, { calls: 1 }]]);
  });
});
