import { sql } from "kysely";
import type { Database } from "../database.ts";

/**
 * Whether no other gateway is connected, so that what one had taken was left by a process that ended. To be asked while a
 * database is being opened. A file is one process's. A PostgreSQL that does not show even our own connection by its name,
 * as behind some poolers, says nothing: then it is not known, and leases run out by themselves.
 */
export async function isAlone({ db, kind }: Database): Promise<boolean> {
  if (kind === "sqlite") return true;
  const { rows } = await sql<{ own: boolean }>`
    select pid = pg_backend_pid() as own from pg_stat_activity
    where datname = current_database() and application_name like 'switchboard%'`.execute(db);
  return rows.length === 1 && rows[0]?.own === true;
}
