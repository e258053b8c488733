import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { callOfRow, sessionIdOf } from "../../src/events/callOfRow.ts";
import { createCallReporter, createIgnoredRows, hasEnded } from "../../src/reconcile/reportCalls.ts";
import type { CallLogRecord } from "../../src/upstream/upstream.ts";
import { silentLog } from "../support/silentLog.ts";
import { databases } from "../store/databases.ts";
import { open, tempStore } from "../store/tempStore.ts";
import { MINUTE, NOW, row } from "./service.ts";

describe("a row of the call log", () => {
  it("has ended if its end was sent but cannot be read", () => {
    const unread = [
      { field: "endAt", text: "20/11/2026" },
      { field: "recordFile", text: "<list>" },
    ];
    const odd = row({ sessionId: "odd", startAt: instantOf(NOW - MINUTE), unread });
    expect(hasEnded(odd)).toBe(true);
    expect(callOfRow("odd", odd)).toMatchObject({ endAt: null, unread: [{ field: "endAt" }] });
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

/** Makes the database refuse a call in progress. */
const refusals = {
  SQLite: [
    `create trigger refuse before insert on open_calls when new.session_id = 'poison' begin select raise(abort, 'refused'); end`,
  ],
  PostgreSQL: ["alter table open_calls add check (session_id <> 'poison')"],
};

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

  it.each(databases)(
    "while it is in progress does not keep the others of its page from %s, and is told once",
    async (_, database) => {
      const { url, ask } = await database.create();
      await (await open(url))[Symbol.asyncDispose]();
      for (const sql of refusals[database.name]) await ask(sql);
      const { openCalls } = await tempStore(url);
      const told: Record<string, unknown>[] = [];
      const log = { ...silentLog, error: (fields: Record<string, unknown>) => void told.push(fields) };
      const ignoredRows = createIgnoredRows();
      const deps = { events: {}, openCalls, ignoredRows, retentionMs: 24 * 60 * MINUTE, clock: () => NOW, log };
      const ids = ["a", "b", "poison", "c", "d"];
      for (const _search of [1, 2]) {
        const reporter = createCallReporter(deps as never, instantOf(NOW - MINUTE));
        await reporter.addRows(ids.map((sessionId) => row({ sessionId })));
        await reporter.appendMissed();
        const stored = (await openCalls.openCalls()).map(({ sessionId }) => sessionId);
        expect(stored.toSorted()).toEqual(["a", "b", "c", "d"]);
      }
      expect(told).toEqual([{ calls: 1 }]);
    },
  );
});
