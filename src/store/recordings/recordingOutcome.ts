// Writes how recordings ended: archived or lost, with a number that counts up in the order of commits.
import { sql, type Transaction } from "kysely";
import type { Database } from "../database.ts";
import { jsonRows } from "../jsonRows.ts";
import type { Tables } from "../tables.ts";

/** A recording that somebody has taken, to fetch it. */
export interface RecordingJob {
  sessionId: string;
  revision: number;
  receivedAt: string;
  url: string;
  /** Tries so far, with this one. */
  attempts: number;
}

export type RecordingOutcome =
  | { status: "ARCHIVED"; sha256: string; contentType: string; bytes: number; archivedAt: string }
  | { status: "LOST"; failure: string };

export interface Settlement {
  holder: string;
  job: RecordingJob;
  outcome: RecordingOutcome;
}

/**
 * As RecordingStore.settle promises, for each: whether it was written. The log's own transaction orders the commits and
 * wakes every gateway.
 */
export function settleRecordings(database: Database, settlements: readonly Settlement[]): Promise<boolean[]> {
  return database.append(async (trx) => {
    const last = await countSettled(trx, settlements.length);
    const rows = settlements.map(({ holder, job, outcome }, at) => ({
      session_id: job.sessionId,
      revision: job.revision,
      holder,
      settled: last - settlements.length + 1 + at,
      ...columnsOf(outcome),
    }));
    const written = new Set<number>();
    for (const round of onceEach(rows)) {
      for (const { settled } of await writeRound(trx, database.kind, round)) written.add(settled);
    }
    return rows.map(({ settled }) => written.has(settled));
  });
}

type SettledRow = { session_id: string; settled: number };

/** In their order, and a call once in each round: what a statement writes to a row twice is not said. */
function onceEach<Row extends SettledRow>(rows: readonly Row[]): Row[][] {
  const met = new Map<string, number>();
  const rounds: Row[][] = [];
  for (const row of rows) {
    const at = met.get(row.session_id) ?? 0;
    met.set(row.session_id, at + 1);
    (rounds[at] ??= []).push(row);
  }
  return rounds;
}

const COLUMNS = {
  session_id: "text",
  revision: "bigint",
  holder: "text",
  settled: "bigint",
  status: "text",
  failure: "text",
  sha256: "text",
  content_type: "text",
  bytes: "bigint",
  archived_at: "text",
} as const;

function columnsOf(outcome: RecordingOutcome) {
  if (outcome.status === "LOST") return outcome;
  const { status, sha256, contentType, bytes, archivedAt } = outcome;
  return { status, sha256, content_type: contentType, bytes, archived_at: archivedAt };
}

/** The link of what is lost stays: a later revision that tells another one begins anew. */
async function writeRound(trx: Transaction<Tables>, kind: Database["kind"], rows: readonly SettledRow[]) {
  const written = await sql<{ settled: number }>`
    update recordings set status = told.status, failure = told.failure, sha256 = told.sha256,
      content_type = told.content_type, bytes = told.bytes, archived_at = told.archived_at, settled = told.settled,
      url = case told.status when 'ARCHIVED' then null else recordings.url end, holder = null
    from ${jsonRows(kind, "told", COLUMNS, rows)}
    where recordings.session_id = told.session_id and recordings.status <> 'ARCHIVED'
      and (told.status = 'ARCHIVED' or (recordings.holder = told.holder and recordings.revision = told.revision))
    returning recordings.settled as settled`.execute(trx);
  return written.rows;
}

const SETTLED = "recordings_settled";

/**
 * Counts up by so many, and gives the last. Kept apart from the rows, so that it never counts down when the newest is
 * deleted.
 */
export async function countSettled(trx: Transaction<Tables>, count: number): Promise<number> {
  const { value } = await trx
    .insertInto("settings")
    .values({ name: SETTLED, value: String(count) })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ value: sql<string>`cast(cast(settings.value as bigint) + ${sql.lit(count)} as text)` }),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  return Number(value);
}
