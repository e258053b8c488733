// Looks at a database file when it is opened: what is damaged is told now, and not found by whoever is given a wrong answer.
// PostgreSQL keeps checksums of its own pages; of it only rows are checked, when they are read.
import { sql } from "kysely";
import type { Log } from "../log.ts";
import type { Database } from "./database.ts";
import type { EventStore } from "./log/eventStore.ts";

/** Beyond it, a full check takes longer than a start may: structure is checked then, and rows as they are read. */
const WHOLE_CHECK_BYTES = 256 * 1024 * 1024;
const ROWS = 1000;
/** So far ahead that no place is given twice, which a reader may have been told of. */
const PLACES_SKIPPED = 1_000_000;
/** Of SQLite's complaints, those that the rows know better. */
const ABOUT_AN_INDEX = /^(row \d+ missing from|wrong # of entries in|non-unique entry in) index /;

/** Places of rows that are not what was written. Mends indexes; throws an Error of one line for what cannot be mended. */
export async function checkDatabase(database: Database, events: Pick<EventStore, "read">, log: Log): Promise<number[]> {
  if (database.kind !== "sqlite") return [];
  const isSmall = (await sizeOf(database)) <= WHOLE_CHECK_BYTES;
  const complaints = await check(database, isSmall);
  const grave = complaints.find((text) => !ABOUT_AN_INDEX.test(text));
  if (grave !== undefined) throw new Error(`it is damaged (${grave.split("\n", 1)[0]}). Put back a copy`);
  const damaged = isSmall ? await damagedRows(events) : [];
  if (complaints.length > 0) await mendIndexes(database, log);
  return damaged;
}

/** After a crash that broke the log's last transaction: whoever was told of it must not find other events in its place. */
export async function skipPlaces(database: Database, log: Log): Promise<void> {
  log.error(
    {},
    "the database's last transaction is torn: unless the machine lost power, events are lost (see -wal.torn)",
  );
  await sql`update sqlite_sequence set seq = seq + ${PLACES_SKIPPED} where name = 'events'`.execute(database.db);
}

async function sizeOf({ db }: Database): Promise<number> {
  const pages = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  const size = await sql<{ page_size: number }>`pragma page_size`.execute(db);
  return (pages.rows[0]?.page_count ?? 0) * (size.rows[0]?.page_size ?? 0);
}

async function check({ db }: Database, isWhole: boolean): Promise<string[]> {
  const pragma = isWhole ? "integrity_check" : "quick_check";
  const { rows } = await sql.raw<Record<string, string>>(`pragma ${pragma}`).execute(db);
  return rows.flatMap((row) => Object.values(row)).filter((text) => text !== "ok");
}

async function damagedRows(events: Pick<EventStore, "read">): Promise<number[]> {
  const damaged: number[] = [];
  const page = { filter: {}, revisions: true, through: null, order: "oldestFirst", limit: ROWS } as const;
  for (let after: number | null = 0; after !== null;) {
    const rows = await events.read({ ...page, after });
    damaged.push(...rows.filter(({ isIntact: isWhole }) => !isWhole).map(({ seq }) => seq));
    after = rows.at(-1)?.seq ?? null;
  }
  return damaged;
}

/** From the rows, which have sums. */
async function mendIndexes(database: Database, log: Log): Promise<void> {
  const { db } = database;
  await sql`reindex`.execute(db);
  // Of a revision's own columns the one that has no sum; it follows from the others.
  const latest = sql`(select max(revision) from events as each where each.session_id = events.session_id)`;
  await sql`update events set newest = (revision = ${latest}) where newest <> (revision = ${latest})`.execute(db);
  const [left] = await check(database, true);
  if (left !== undefined) throw new Error(`it is damaged (${left.split("\n", 1)[0]}). Put back a copy`);
  log.error({}, "indexes of the database were damaged, and have been built anew from its rows");
}
