// A PostgreSQL database with the tables of the gateway, from which each test copies its own: that takes a quarter of the time of
// all migrations.
import type { Client } from "pg";
import { inject } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrations/migrations.ts";
import { silentLog } from "../silentLog.ts";
import { openClient } from "./connections.ts";
import { createPostgresDatabase, type PostgresDatabase } from "./postgres.ts";

const NAME = "migrated";
/** The key of the advisory lock: one worker of the test run makes the database, the others wait. */
const LOCK = 1;

/** A copy for one test. Dropped when disposed of. */
export async function takeMigratedDatabase(server = inject("postgresUrl")): Promise<PostgresDatabase> {
  return createPostgresDatabase(server, `template ${await migratedDatabase(server)} strategy = file_copy`);
}

/** Its name. Makes it if the server has none yet. */
async function migratedDatabase(server: string): Promise<string> {
  const client = await openClient({ connectionString: server });
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    const { rowCount } = await client.query("select from pg_database where datname = $1", [NAME]);
    if (rowCount === 0) await makeDatabase(client, server);
  } finally {
    // Also unlocks.
    await client.end();
  }
  return NAME;
}

async function makeDatabase(client: Client, server: string): Promise<void> {
  const unfinished = `${NAME}_unfinished`;
  await client.query(`drop database if exists ${unfinished}`);
  await client.query(`create database ${unfinished}`);
  const { href } = Object.assign(new URL(server), { pathname: `/${unfinished}` });
  const database = await openDatabase(href, silentLog, { fsync: "elsewhere" });
  await migrate(database);
  await database[Symbol.asyncDispose]();
  await client.query(`alter database ${unfinished} rename to ${NAME}`);
}
