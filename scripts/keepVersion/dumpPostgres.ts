// Writes a PostgreSQL database as SQL text: the statements that defined it, as its gateway sent them, and its rows.
import type { PostgresDatabase } from "../../test/support/postgres/postgres.ts";

const RECORDED = "recorded_definitions";

/** Call it on an empty database. From then on it records each statement that defines something. */
export async function recordDefinitions({ ask }: PostgresDatabase): Promise<void> {
  await ask(`create table ${RECORDED} (id bigint generated always as identity, statement text not null);
    create function record_definition() returns event_trigger language plpgsql as $$
      begin insert into ${RECORDED} (statement) values (current_query()); end $$;
    create event trigger record_definition on ddl_command_end execute function record_definition()`);
}

export async function dumpPostgres(database: PostgresDatabase): Promise<string> {
  const definitions = await database.ask(`select statement from ${RECORDED} order by id`);
  const tables = await database.ask(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname <> '${RECORDED}' order by oid`,
  );
  const rows = await Promise.all(tables.map(({ name }) => rowsOf(database, String(name))));
  const counters = await database.ask(
    `select table_name as table, column_name as column from information_schema.columns
      where is_identity = 'YES' and table_schema = 'public' and table_name <> '${RECORDED}'`,
  );
  const positions = await Promise.all(
    counters.map(({ table, column }) => counterOf(database, String(table), String(column))),
  );
  return [...definitions.map(({ statement }) => `${String(statement)};`), ...rows, ...positions, ""].join("\n");
}

async function rowsOf({ ask }: PostgresDatabase, table: string): Promise<string> {
  const [row] = (await ask(`select json_agg(each)::text as rows from ${table} each`)) as { rows: string | null }[];
  if (row?.rows == null) return `-- ${table} is empty.`;
  return `insert into ${table} overriding system value
  select * from json_populate_recordset(null::${table}, $rows$${row.rows}$rows$);`;
}

async function counterOf({ ask }: PostgresDatabase, table: string, column: string): Promise<string> {
  const sequence = `pg_get_serial_sequence('${table}', '${column}')`;
  const [row] = (await ask(`select pg_sequence_last_value(${sequence}::regclass)::text as last`)) as {
    last: string | null;
  }[];
  return row?.last == null ? `-- ${table}.${column} was never used.` : `select setval(${sequence}, ${row.last});`;
}
