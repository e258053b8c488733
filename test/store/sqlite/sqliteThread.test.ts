import { Kysely, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqlite } from "../../../src/store/sqlite/sqlite.ts";
import { tempFile } from "../tempStore.ts";

const WAITING_THREAD = new URL("./waitingThread.ts", import.meta.url);

async function open(thread?: URL) {
  const dialect = await openSqlite(tempFile(), thread);
  const db = new Kysely<object>({ dialect });
  onTestFinished(() => db.destroy());
  return { dialect, db };
}

describe("The connection to the SQLite thread", () => {
  it("sends a statement without waiting for the answers to earlier statements", async () => {
    const { db } = await open(WAITING_THREAD);
    const answers = await Promise.all(Array.from({ length: 10 }, () => sql`select 1`.execute(db)));
    expect(answers).toHaveLength(10);
  });

  it("keeps other statements out of an open transaction", async () => {
    const { db } = await open();
    await sql`create table words (word text)`.execute(db);
    let other: Promise<unknown> = Promise.resolve();
    const failed = db.transaction().execute(async (trx) => {
      await sql`insert into words values ('mine')`.execute(trx);
      other = sql`insert into words values ('other')`.execute(db);
      await sql`insert into words values ('mine again')`.execute(trx);
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    await other;
    expect((await sql`select word from words`.execute(db)).rows).toEqual([{ word: "other" }]);
  });

  it("keeps other statements waiting while a dialect has the thread alone", async () => {
    const { dialect, db } = await open();
    await sql`create table words (word text)`.execute(db);
    const alone = new Kysely<object>({ dialect: dialect.alone });
    let other: Promise<unknown> = Promise.resolve();
    await alone.connection().execute(async (own) => {
      other = sql`insert into words values ('other')`.execute(db);
      await sql`select word from words`.execute(own);
      expect((await sql`select word from words`.execute(own)).rows).toEqual([]);
    });
    await other;
    expect((await sql`select word from words`.execute(db)).rows).toEqual([{ word: "other" }]);
  });

  it("continues after a transaction that could not begin", async () => {
    const { dialect, db } = await open();
    await dialect.exchange([{ sql: "begin immediate", runs: [[]] }]);
    await expect(db.transaction().execute(async () => undefined)).rejects.toThrow("SQL logic error");
    await dialect.exchange([{ sql: "rollback", runs: [[]] }]);
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });
});
