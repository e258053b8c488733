// The schema's history, for both databases. An entry that was released is never changed: a new one is added behind it.
import { sql, type Kysely } from "kysely";
import type { DatabaseKind } from "./database.ts";
import type { Tables } from "./tables.ts";

/** The few words in which the two databases differ. */
const words = {
  sqlite: {
    serial: "integer primary key autoincrement",
    text: "text",
    bigint: "integer",
    double: "real",
    bytes: "blob",
  },
  postgres: {
    serial: "bigint generated always as identity primary key",
    text: 'text collate "C"',
    bigint: "bigint",
    double: "double precision",
    bytes: "bytea",
  },
} as const;

type Words = (typeof words)[DatabaseKind];

/** One entry per schema version, from 1: its statements. Text columns sort by code unit in both databases. */
const migrations: readonly ((words: Words) => readonly string[])[] = [
  ({ serial, text, bigint, double, bytes }) => [
    `create table events (
      seq ${serial},
      session_id ${text} not null,
      revision integer not null,
      newest integer not null,
      source ${text} not null,
      delivery_sha256 ${text} not null,
      received_at ${text} not null,
      ended_at ${text} not null,
      direction ${text},
      hangup_side ${text},
      hangup_reason ${text},
      answered integer not null,
      duration ${double},
      billsec ${double},
      task_id ${text},
      caller ${text},
      callee ${text},
      data ${text} not null,
      unique (session_id, revision)
    )`,
    `create index events_by_task on events (task_id, seq)`,
    `create index events_by_end on events (ended_at)`,
    // All that statistics count: they read this and not the rows.
    `create index events_counted on events
      (task_id, callee, answered, ended_at, hangup_reason, hangup_side, duration, billsec) where newest = 1`,
    `create table event_assistants (
      assistant_id ${text} not null,
      seq ${bigint} not null references events (seq) on delete cascade,
      primary key (assistant_id, seq)
    )`,
    `create index event_assistants_by_event on event_assistants (seq)`,
    `create table quarantine (
      id ${serial},
      received_at ${text} not null,
      reason ${text} not null,
      body_sha256 ${text} not null unique,
      body ${bytes} not null
    )`,
    `create table submissions (
      id ${text} primary key,
      viewer ${text} not null,
      idempotency_key ${text} not null,
      input_sha256 ${text} not null,
      status ${text} not null,
      name ${text} not null,
      assistant_id ${text} not null,
      number_count integer not null,
      submitted_at ${text} not null,
      unique (viewer, idempotency_key)
    )`,
    `create table open_calls (session_id ${text} primary key, start_at ${text} not null)`,
    `create table leases (name ${text} primary key, holder ${text} not null, expires_at ${bigint} not null)`,
    `create table settings (name ${text} primary key, value ${text} not null)`,
  ],
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
