import { Kysely, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createEventStore } from "../../src/store/events/eventStore.ts";
import { migrate } from "../../src/store/migrations/migrations.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { storeError } from "../../src/store/storeError.ts";
import { CodedError } from "../../src/errors.ts";
import { appendRows, eventRow, tempFile, WHOLE } from "./tempStore.ts";

const unavailable = expect.objectContaining({ code: "STORE_UNAVAILABLE", retryable: true, retryAfter: 1 }) as Error;

describe("storeError", () => {
  it("hides the database's message and keeps it as the cause", () => {
    const cause = new Error("UNIQUE constraint failed: canary");
    const error = storeError(cause);
    expect(error.message).not.toContain("canary");
    expect(error.cause).toBe(cause);
  });

  it("keeps an error that has a code already", () => {
    const error = new CodedError("CURSOR_INVALID", "x");
    expect(storeError(error)).toBe(error);
  });
});

describe("The event store on a full disk", () => {
  it("loses only the groups that did not fit, and recovers once there is space", async () => {
    const database = await openDatabase(`file:${tempFile()}`, silentLog);
    onTestFinished(() => database[Symbol.asyncDispose]());
    await migrate(database);
    const pragma = async (text: string) =>
      (await sql.raw<Record<string, number>>(`pragma ${text}`).execute(database.db)).rows[0];
    const events = createEventStore(database);
    const rows = (from: number) =>
      Array.from({ length: 50 }, (_, at) => eventRow({ sessionId: `s${from + at}`, data: "x".repeat(1000) }));
    await appendRows(events, rows(0));

    const pages = (await pragma("page_count"))?.["page_count"] ?? 0;
    await pragma(`max_page_count = ${pages + 1}`);
    for (const _ of [1, 2, 3]) await expect(appendRows(events, rows(100))).rejects.toEqual(unavailable);
    expect(await events.head()).toBe(50);
    expect(await events.revisionsOf("s100")).toEqual([]);

    await pragma("max_page_count = 100000");
    expect(await appendRows(events, rows(100))).toEqual(Array.from({ length: 50 }, () => true));
    expect(await events.read({ ...WHOLE, after: 50 })).toHaveLength(50);
  });
});

describe("The SQLite thread", () => {
  it("answers each of 300 simultaneous statements with its own result", async () => {
    const db = new Kysely<object>({ dialect: await openSqlite(tempFile()) });
    onTestFinished(() => db.destroy());
    const asked = Array.from({ length: 300 }, (_, at) => at);
    const answers = asked.map(async (at) => {
      if (at % 3 === 0) return sql`select nonsense`.execute(db).catch((error: Error) => error.message);
      return (await sql<{ at: number }>`select ${at} as at`.execute(db)).rows[0]?.at;
    });
    expect(await Promise.all(answers)).toEqual(asked.map((at) => (at % 3 === 0 ? "SQL logic error" : at)));
  });

  it("rejects statements after it was closed", async () => {
    const db = new Kysely<object>({ dialect: await openSqlite(tempFile()) });
    const before = sql`select 1 as one`.execute(db);
    const ended = db.destroy();
    const after = sql`select 1 as one`.execute(db);
    await expect(after).rejects.toThrow();
    await before.catch(() => undefined);
    await ended;
    await expect(sql`select 1`.execute(db)).rejects.toThrow();
  });
});
