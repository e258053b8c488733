// Brings a database's schema up to date. The statements of each version are in schemaVersions.ts.
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { dialects } from "./dialects.ts";
import { refuseMissingTables, type TablePart } from "./missingTables.ts";
import { schemaVersions } from "./schemaVersions.ts";
import { FinalError } from "../../util/start/finalError.ts";

/** The key of PostgreSQL's advisory lock: one gateway migrates, the others wait. */
const MIGRATION_LOCK = 7_240_001;

export interface MigrateOptions {
  /** True: a database without tables of a gateway is left as it is, and the error is one to wait for. */
  mustExist: boolean;
}

/**
 * Runs all missing versions in one transaction, and keeps a copy of an older database before. Returns the version that the
 * database had; 0: it had no tables. Throws a FinalError of one line if the database has a newer version than this gateway knows, or lacks
 * tables of its own version.
 */
export async function migrate(
  { db, kind, keepCopy, makeTables }: Pick<Database, "db" | "kind" | "keepCopy" | "makeTables">,
  { mustExist }: MigrateOptions = { mustExist: false },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    if (kind === "postgres") await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
    await sql.raw("create table if not exists schema_version (version integer not null)").execute(trx);
    const row = await trx.selectFrom("schema_version").select("version").executeTakeFirst();
    const version = row?.version ?? 0;
    const latest = schemaVersions.length;
    if (version > latest) {
      throw new FinalError(`The database has schema version ${version}; this gateway knows up to ${latest}.`);
    }
    await refuseMissingTables(version, kind, async (text) => (await sql.raw<TablePart>(text).execute(trx)).rows);
    if (version === 0 && mustExist) throw missingDatabase();
    if (version === latest) return version;
    if (version > 0) keepCopy(version);
    const statements = schemaVersions.slice(version).flatMap((statementsOf) => statementsOf(dialects[kind]));
    // Each statement of an upgrade has a time limit of its own, because tables may be large.
    if (version === 0) await makeTables(trx, statements);
    else for (const statement of statements) await sql.raw(statement).execute(trx);
    await trx.deleteFrom("schema_version").execute();
    await trx.insertInto("schema_version").values({ version: latest }).execute();
    return version;
  });
}

/** For DATABASE_MUST_EXIST=true. A start waits for it, because a volume may be mounted later. */
export const missingDatabase = (): Error =>
  new Error(
    "DATABASE_URL names no database of a gateway, and DATABASE_MUST_EXIST is true: check the address, and whether its volume is mounted",
  );
