// The schema's history, for both databases. An entry that was released is never changed: a new one is added behind it.
import { sql, type Kysely } from "kysely";
import type { DatabaseKind } from "../database.ts";
import { checksums } from "./rowChecksums.ts";
import { correlation } from "./submissionTasks.ts";
import { eventLog } from "./initialTables.ts";
import { forgotten } from "./erasureTables.ts";
import { readers } from "./readerTable.ts";
import { knownTasks } from "./registryTables.ts";
import { recordings } from "./recordingTables.ts";
import { recordingIndexes } from "./recordingIndexes.ts";
import { submissionMatches } from "./submissionMatches.ts";
import { spentPoints } from "./rateLimitTable.ts";
import { words, type Migration } from "./sqlDialect.ts";
import type { Tables } from "../tables.ts";

/** One entry per schema version, from 1, in a file named after what it added. */
const migrations: readonly Migration[] = [
  eventLog,
  readers,
  knownTasks,
  checksums,
  correlation,
  recordings,
  forgotten,
  spentPoints,
  recordingIndexes,
  submissionMatches,
];

/**
 * Brings the schema up to date in one transaction, which other gateways wait for. Throws an Error of one line where the
 * database is of a newer version than this gateway knows.
 */
export async function migrate(db: Kysely<Tables>, kind: DatabaseKind): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (kind === "postgres") await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
    await sql.raw("create table if not exists schema_version (version integer not null)").execute(trx);
    const row = await trx.selectFrom("schema_version").select("version").executeTakeFirst();
    const version = row?.version ?? 0;
    if (version > migrations.length) {
      throw new Error(`The database is of schema version ${version}; this gateway knows up to ${migrations.length}.`);
    }
    if (version === migrations.length) return;
    const statements = migrations.slice(version).flatMap((entry) => entry(words[kind]));
    for (const statement of statements) await sql.raw(statement).execute(trx);
    await trx.deleteFrom("schema_version").execute();
    await trx.insertInto("schema_version").values({ version: migrations.length }).execute();
  });
}

const MIGRATION_LOCK = 7_240_001;
