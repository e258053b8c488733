// The rights that the gateway's role needs in PostgreSQL.
import type { ClientBase } from "pg";

/** The tables that a webhook writes, and those without which no task is sent. */
const WRITTEN = ["events", "event_assistants", "raw_deliveries", "quarantine", "submissions", "audit", "settings"];

/** An SQL expression: true if the server accepts writes, and the role may write all these tables. */
export const MAY_WRITE = `current_setting('transaction_read_only') = 'off' and ${WRITTEN.map(
  (table) => `has_table_privilege('${table}', 'insert')`,
).join(" and ")}`;

/** The role, and the tables of the current version that it may not write. */
const REFUSED_TABLES = `select current_user as role, string_agg(name, ', ') as tables
  from unnest(array[${WRITTEN.map((table) => `'${table}'`).join(", ")}]) as name where not has_table_privilege(name, 'insert')`;

/** A start creates a table if it is not there, for which PostgreSQL asks for this right even where the table is there. */
const MAY_CREATE = `select current_user as role, current_schema() as schema, current_setting('search_path') as path,
  has_schema_privilege(current_schema(), 'create') as may`;

/** The owner of a table is the only one who may change its columns, as an upgrade does. */
const MAY_ALTER = `select current_user as role,
  (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('events')) as may`;

export interface SchemaVersion {
  /** 0: the database has no tables yet. */
  version: number;
  latest: number;
}

/** Throws an Error of one line if the role lacks a right: an administrator may grant it while a start waits. */
export async function checkRights(client: ClientBase, { version, latest }: SchemaVersion): Promise<void> {
  const ask = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows[0] as Row;
  const create = await ask<{ role: string; schema: string | null; path: string; may: boolean | null }>(MAY_CREATE);
  if (create.schema === null) throw new Error(`search_path is ${create.path}, and no such schema exists`);
  if (create.may !== true)
    throw new Error(`the role ${create.role} lacks the right CREATE in the schema ${create.schema}`);
  if (version === 0 || version > latest) return;
  if (version < latest) {
    const { role, may } = await ask<{ role: string; may: boolean | null }>(MAY_ALTER);
    if (may !== true) throw new Error(`the role ${role} does not own the tables, so it cannot upgrade them`);
    return;
  }
  const { role, tables } = await ask<{ role: string; tables: string | null }>(REFUSED_TABLES);
  if (tables !== null) throw new Error(`the role ${role} lacks the right INSERT in the tables ${tables}`);
}
