// PostgreSQL databases that have the tables of the gateway. They are copies of one that was migrated, which takes a quarter of the
// time of all migrations. One that a test gives back is emptied for the next test, which takes a tenth of the time of a copy. One
// whose schema a test changed is dropped.
import { Client } from "pg";
import { inject } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrations/migrations.ts";
import { silentLog } from "../silentLog.ts";
import { createPostgresDatabase, type PostgresDatabase } from "./postgres.ts";

const NAME = "migrated";
/** The key of the advisory lock: one worker of the test run makes the database, the others wait. */
const LOCK = 1;

/** What migrations leave. */
interface Migrated {
  schema: string;
  /** SQL that inserts the rows. */
  rows: string;
}

/** What the next tests of this process may take. */
const emptied: PostgresDatabase[] = [];
let migrated: Promise<Migrated> | null = null;

/** Has no rows but those of migrations. Give it back by disposing of it. */
export async function takeMigratedDatabase(server = inject("postgresUrl")): Promise<PostgresDatabase> {
  const made = await (migrated ??= makeMigrated(server));
  const database = emptied.pop() ?? (await createPostgresDatabase(server, `template ${NAME} strategy = file_copy`));
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      const isEmptied = await empty(database.url, made).catch(() => false);
      if (isEmptied) emptied.push(database);
      else await database[Symbol.asyncDispose]();
    },
  };
}

async function makeMigrated(server: string): Promise<Migrated> {
  await using client = await connect(server);
  await client.query("select pg_advisory_lock($1)", [LOCK]);
  const { rowCount } = await client.query("select from pg_database where datname = $1", [NAME]);
  if (rowCount === 0) {
    const unfinished = `${NAME}_unfinished`;
    await client.query(`drop database if exists ${unfinished}`);
    await client.query(`create database ${unfinished}`);
    const database = await openDatabase(at(server, unfinished), silentLog);
    await migrate(database);
    await database[Symbol.asyncDispose]();
    await client.query(`alter database ${unfinished} rename to ${NAME}`);
  }
  // Within the lock, because a database with a connection cannot be copied.
  return readMigrated(at(server, NAME));
}

async function readMigrated(url: string): Promise<Migrated> {
  await using client = await connect(url);
  const rows: string[] = [];
  for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
    const { rows: found } = await client.query<{ json: string | null }>(`select json_agg(t)::text json from ${name} t`);
    const json = found[0]?.json;
    if (json) rows.push(`insert into ${name} select * from json_populate_recordset(null::${name}, ${literal(json)});`);
  }
  return { schema: await schemaOf(client), rows: rows.join("\n") };
}

/** Ends all its connections first. False if its schema is not that of migrations. */
async function empty(url: string, { schema, rows }: Migrated): Promise<boolean> {
  await using client = await connect(url);
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  if ((await schemaOf(client)) !== schema) return false;
  await client.query(`${EMPTY} ${rows}`);
  return true;
}

const TABLES = `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;

const EMPTY = `
  do $$
    declare
      one record;
      has_rows boolean;
    begin
      for one in ${TABLES} loop
        execute format('select exists (select from %s)', one.name) into has_rows;
        if has_rows then execute format('truncate %s cascade', one.name); end if;
      end loop;
    end
  $$;
  select setval(seqrelid::regclass, seqstart, false) from pg_sequence;`;

/** Columns, indexes, constraints, triggers, functions, and settings of the database. */
const SCHEMA = `
  select format('%s %s %s %s', attrelid::regclass, attname, atttypid, attnotnull) as part from pg_attribute
    where attnum > 0 and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select prosrc from pg_proc where pronamespace = 'public'::regnamespace
  union all select array_to_string(setconfig, ' ') from pg_db_role_setting
    where setdatabase = (select oid from pg_database where datname = current_database())`;

async function schemaOf(client: Client): Promise<string> {
  const sql = `select md5(string_agg(part, ' ' order by part)) as schema from (${SCHEMA}) as parts`;
  const [row] = (await client.query<{ schema: string }>(sql)).rows;
  return row?.schema ?? "";
}

async function connect(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
const at = (server: string, name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href;
