// The database as the rest of the gateway sees it: three small stores and a key. SQLite for one process.
import { randomBytes } from "node:crypto";
import { Kysely, sql } from "kysely";
import { createEventStore, type EventStore } from "./eventStore.ts";
import { migrations } from "./migrations.ts";
import { createQuarantine, type Quarantine } from "./quarantine.ts";
import { openSqlite } from "./sqlite.ts";
import { createSubmissionStore, type SubmissionStore } from "./submissionStore.ts";
import type { Tables } from "./tables.ts";

export interface Store extends AsyncDisposable {
  events: EventStore;
  quarantine: Quarantine;
  submissions: SubmissionStore;
  /** Made at the first start and kept: what cursors and ids are sealed with, on every gateway of this database. */
  sealKey: Buffer;
  /** Whether the database answers now. */
  isOpen(): Promise<boolean>;
}

/**
 * Opens the file, or makes it, and brings its schema up to date in one transaction. Throws an Error of one line where
 * the file is another process's, of a newer version, or not to be had.
 */
export async function openStore(file: string): Promise<Store> {
  const { dialect, database } = openNamed(file);
  const db = new Kysely<Tables>({ dialect });
  try {
    await migrate(db);
    const sealKey = await readSealKey(db);
    return {
      events: createEventStore(db),
      quarantine: createQuarantine(db),
      submissions: createSubmissionStore(db),
      sealKey,
      isOpen: () =>
        sql`select 1`.execute(db).then(
          () => true,
          () => false,
        ),
      async [Symbol.asyncDispose]() {
        await db.destroy();
        if (database.isOpen) database.close();
      },
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

function openNamed(file: string): ReturnType<typeof openSqlite> {
  try {
    return openSqlite(file);
  } catch (error) {
    const { errstr, message } = error as Error & { errstr?: string };
    const reason = message.includes("locked") ? "another process has it open" : (errstr ?? message);
    throw new Error(`The database ${file} cannot be opened: ${reason}`, { cause: error });
  }
}

async function migrate(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(trx);
    const version = rows[0]?.user_version ?? 0;
    if (version > migrations.length) {
      throw new Error(`The database is of schema version ${version}; this gateway knows up to ${migrations.length}.`);
    }
    for (const statement of migrations.slice(version).flat()) await sql.raw(statement).execute(trx);
    await sql.raw(`pragma user_version = ${migrations.length}`).execute(trx);
  });
}

async function readSealKey(db: Kysely<Tables>): Promise<Buffer> {
  const fresh = randomBytes(32).toString("base64");
  await db
    .insertInto("settings")
    .values({ name: "seal_key", value: fresh })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom("settings").select("value").where("name", "=", "seal_key").executeTakeFirstOrThrow();
  return Buffer.from(row.value, "base64");
}
