// Compares a database with the tables, columns and unique keys that its schema version makes. A part of a backup, a table that was dropped
// by hand, and a version under development leave some out, and what needs them would fail later, one request at a time.
import { DatabaseSync } from "node:sqlite";
import { FinalError } from "../../util/start/finalError.ts";
import type { DatabaseKind } from "../database.ts";
import { dialects } from "./dialects.ts";
import { schemaVersions } from "./schemaVersions.ts";

/** Reads tables by a statement without parameters. */
export type ReadTables = (sql: string) => Promise<readonly Record<string, unknown>[]>;

/** A column, or a unique key as `(viewer, idempotency_key)`. */
export interface TablePart {
  table: string;
  part: string;
  /** Null on SQLite, as the others below. */
  schema: string | null;
  /** Whether the session finds it: its schema is the one of search_path. */
  is_used: boolean | number;
  may_read: boolean | number;
  role: string | null;
}

const SQLITE_PARTS = `with tables as (select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite%'),
  parts as (
    select tables.name as "table", each.name as part from tables, pragma_table_info(tables.name) as each
    union all
    select tables.name, '(' || group_concat(each.name, ', ' order by pk) || ')'
    from tables, pragma_table_info(tables.name) as each where pk > 0 group by tables.name
    union all
    select tables.name, '(' || (select group_concat(name, ', ' order by seqno) from pragma_index_info(list.name)) || ')'
    from tables, pragma_index_list(tables.name) as list where "unique" = 1
  )
  select "table", part, null as schema, 1 as is_used, 1 as may_read, null as role from parts`;

/** In all schemas, to say where the tables are that the session does not find. */
const postgresParts = (names: readonly string[]) => `with tables as (
    select pg_class.oid, relname, nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'f') and relname in (${names.map((name) => `'${name}'`).join(", ")})
      and nspname not like 'pg\\_%'
  ), parts as (
    select attrelid as oid, attname::text as part, has_column_privilege(attrelid, attnum, 'select') as may_read
    from pg_attribute where attnum > 0 and not attisdropped and attrelid in (select oid from tables)
    union all
    select indrelid, '(' || (
      select string_agg(attname, ', ' order by place) from unnest(indkey::smallint[]) with ordinality as keys (number, place)
      join pg_attribute on attrelid = indrelid and attnum = number where place <= indnkeyatts
    ) || ')', true
    from pg_index where indisunique and indisvalid and indrelid in (select oid from tables)
  )
  select relname::text as "table", part, nspname::text as schema, pg_table_is_visible(oid) as is_used, may_read,
    current_user::text as role
  from tables join parts using (oid)`;

/** One row where the session finds a table that a start did not just make. */
const ANY_TABLE = {
  sqlite: "select 1 from sqlite_schema where name not like 'sqlite%' and name <> 'schema_version' limit 1",
  postgres: `select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'f') and nspname not like 'pg\\_%' and nspname <> 'information_schema'
      and relname <> 'schema_version' limit 1`,
} satisfies Record<DatabaseKind, string>;

type Parts = ReadonlyMap<string, ReadonlySet<string>>;

const byTable = (rows: readonly Pick<TablePart, "table" | "part">[]): Parts =>
  new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, own]) => [table, new Set(own.map(({ part }) => part))]),
  );

/** The migrations make them in an empty database in memory, in some milliseconds. A list of its own would fall behind them. */
function neededParts(version: number): Parts {
  using database = new DatabaseSync(":memory:");
  for (const statementsOf of schemaVersions.slice(0, version)) database.exec(statementsOf(dialects.sqlite).join(";"));
  return byTable(database.prepare(SQLITE_PARTS).all() as unknown as TablePart[]);
}

/**
 * `version`: of the database; 0: it has none. Throws a FinalError of one line if the database lacks something of that version. Throws an
 * Error of one line for what may be mended while a start waits: a right that the role lacks, or a restore that has not ended.
 */
export async function refuseMissingTables(
  version: number,
  kind: DatabaseKind,
  ask: (sql: string) => Promise<readonly TablePart[]>,
): Promise<void> {
  // Most databases without a version are empty: nothing has to be compared.
  if (version === 0 && (await ask(ANY_TABLE[kind])).length === 0) return;
  const needed = neededParts(version || schemaVersions.length);
  const rows = await ask(kind === "sqlite" ? SQLITE_PARTS : postgresParts([...needed.keys()]));
  const used = rows.filter(({ is_used }) => is_used);
  if (version === 0) return refuseStrangers(needed, used);
  const hidden = new Set(used.filter(({ may_read }) => !may_read).map(({ table }) => table));
  if (hidden.size > 0)
    throw new Error(`the role ${used[0]?.role} lacks the right SELECT in the tables ${listed([...hidden].toSorted())}`);
  const missing = missingOf(needed, byTable(used));
  if (isEmpty(missing)) return;
  const text = `the database lacks ${describe(missing)} of schema version ${version}`;
  // A restore of PostgreSQL makes them last, after the rows.
  if (kind === "postgres" && missing.tables.length + missing.columns.length === 0)
    throw new Error(`${text}. Wait until a restore has ended, or restore a whole backup`);
  throw new FinalError(`${text}. ${adviceOf(needed, rows)}`);
}

/** A start would not get far: it makes these tables itself. */
function refuseStrangers(needed: Parts, used: readonly TablePart[]): void {
  const there = new Set(used.map(({ table }) => table).filter((table) => needed.has(table)));
  if (there.size === 0) return;
  throw new Error(
    `the database has no schema version, but tables with the names of the gateway's (${listed([...there])}). Wait until a restore has ended, restore a whole backup, or give the gateway a database of its own`,
  );
}

interface Missing {
  tables: string[];
  /** Columns whose tables are there. */
  columns: string[];
  keys: string[];
}

function missingOf(needed: Parts, found: Parts): Missing {
  const missing: Missing = { tables: [], columns: [], keys: [] };
  for (const [table, parts] of needed) {
    const there = found.get(table);
    if (!there) missing.tables.push(table);
    for (const part of there ? [...parts].filter((each) => !there.has(each)) : [])
      if (part.startsWith("(")) missing.keys.push(`${table} ${part}`);
      else missing.columns.push(`${table}.${part}`);
  }
  return missing;
}

const isEmpty = (missing: Missing): boolean => Object.values(missing).every((names: string[]) => names.length === 0);

function describe({ tables, columns, keys }: Missing): string {
  const kinds = { "the tables": tables, "the columns": columns, "the unique keys": keys };
  const named = Object.entries(kinds).filter(([, names]) => names.length > 0);
  return named.map(([kind, names]) => `${kind} ${listed(names)}`).join("; ");
}

function adviceOf(needed: Parts, rows: readonly TablePart[]): string {
  const elsewhere = [...Map.groupBy(rows, ({ schema }) => schema)].find(
    ([, own]) => own.every(({ is_used }) => !is_used) && isEmpty(missingOf(needed, byTable(own))),
  );
  if (elsewhere) return `The schema ${elsewhere[0]} has them all: name it alone in search_path`;
  return "Restore a whole backup, or begin with a new database: one that a version under development made cannot be upgraded";
}

const MAX_LISTED = 8;

function listed(names: readonly string[]): string {
  const left = names.length - MAX_LISTED;
  return left > 0 ? `${names.slice(0, MAX_LISTED).join(", ")} and ${left} more` : names.join(", ");
}
