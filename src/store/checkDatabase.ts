// Checks a SQLite file at the start, so that damage is reported before anyone gets a wrong answer. PostgreSQL has checksums
// for its own pages; its rows are checked when they are read.
import { sql } from "kysely";
import type { Logger } from "../logger.ts";
import type { Database } from "./database.ts";
import type { EventStore } from "./events/eventStore.ts";
import { ENDS_READER } from "./shared/readerStore.ts";
import { FinalError } from "../util/start/finalError.ts";

/** A check of a larger file would delay the start by more than a second. */
export const MAX_CHECKED_BYTES = 32 * 1024 * 1024;
const PAGE_SIZE = 1000;
/** Far enough that no reader has a cursor after the new position. */
const SKIPPED_POSITIONS = 1_000_000;
/** Damage that can be repaired from the rows. SQLite has no codes for it; test/store/checkDatabase.test.ts holds the texts. */
const INDEX_DAMAGE = /^(row \d+ missing from|wrong # of entries in|non-unique entry in) index /;

/**
 * Returns the positions of damaged rows. Rebuilds damaged indexes. Throws a FinalError of one line for other damage. Null: the file
 * is larger than `maxBytes` and was not checked.
 */
export async function checkDatabase(
  database: Database,
  events: Pick<EventStore, "read">,
  { maxBytes, log }: { maxBytes: number; log: Logger },
): Promise<number[] | null> {
  if (database.kind !== "sqlite") return [];
  if ((await sizeOf(database)) > maxBytes) return null;
  const findings = await findDamage(database);
  const other = findings.find((text) => !INDEX_DAMAGE.test(text));
  if (other !== undefined) throw damageError(other);
  const damagedRows = await findDamagedRows(events);
  if (findings.length > 0) await rebuildIndexes(database, log);
  return damagedRows;
}

function damageError(finding: string): Error {
  return new FinalError(`the file is damaged (${finding.split("\n", 1)[0]}). Restore a backup`);
}

/**
 * Skips positions of the log after a crash that broke its last transaction. A reader that saw the lost events must not find
 * other events at their positions.
 */
export async function skipPositions(database: Database, log: Logger): Promise<void> {
  log.error(
    {},
    "the database's last transaction is incomplete: unless the machine lost power, events are lost (see -wal.torn)",
  );
  await sql`update sqlite_sequence set seq = seq + ${SKIPPED_POSITIONS} where name = 'events'`.execute(database.db);
}

async function sizeOf({ db }: Database): Promise<number> {
  const pages = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  const size = await sql<{ page_size: number }>`pragma page_size`.execute(db);
  return (pages.rows[0]?.page_count ?? 0) * (size.rows[0]?.page_size ?? 0);
}

async function findDamage({ db }: Database): Promise<string[]> {
  const { rows } = await sql<Record<string, string>>`pragma integrity_check`.execute(db);
  return rows.flatMap((row) => Object.values(row)).filter((text) => text !== "ok");
}

async function findDamagedRows(events: Pick<EventStore, "read">): Promise<number[]> {
  const damaged: number[] = [];
  const page = { filter: {}, revisions: true, through: null, order: "oldestFirst", limit: PAGE_SIZE } as const;
  for (let after: number | null = 0; after !== null;) {
    const rows = await events.read({ ...page, after });
    damaged.push(...rows.filter(({ isIntact: isWhole }) => !isWhole).map(({ seq }) => seq));
    after = rows.at(-1)?.seq ?? null;
  }
  return damaged;
}

/** Rebuilds the indexes from the rows, whose checksums were verified. */
async function rebuildIndexes(database: Database, log: Logger): Promise<void> {
  const { db } = database;
  await sql`reindex`.execute(db);
  // `newest` is the only column without a checksum, and it follows from the others.
  const latest = sql`(select max(revision) from events as each where each.session_id = events.session_id)`;
  await sql`update events set newest = (revision = ${latest}) where newest <> (revision = ${latest})`.execute(db);
  // Which entries show no end is found anew, too.
  await db.deleteFrom("readers").where("name", "=", ENDS_READER).execute();
  const [left] = await findDamage(database);
  if (left !== undefined) throw damageError(left);
  log.error({}, "damaged indexes of the database were rebuilt from its rows");
}
