// Writes new recordings and their outcomes. Each outcome gets a number that increases in the order of commits.
import { sql, type Kysely, type Transaction } from "kysely";
import type { Database } from "../database.ts";
import { jsonRows } from "../sqlHelpers.ts";
import type { Tables } from "../tables.ts";

/** A recording that a gateway has claimed for download. */
export interface RecordingJob {
  sessionId: string;
  revision: number;
  receivedAt: string;
  url: string;
  /** The number of attempts, with this one. */
  attempts: number;
}

export type RecordingOutcome =
  | { status: "ARCHIVED"; sha256: string; contentType: string; bytes: number; archivedAt: string }
  | { status: "LOST"; failure: string; lostAt: string };

export interface Settlement {
  holder: string;
  job: RecordingJob;
  outcome: RecordingOutcome;
}

/**
 * See RecordingStore.settle. Returns for each settlement whether it was written. Uses the log's transaction, which orders the
 * commits and notifies every gateway.
 */
export function settleRecordings(database: Database, settlements: readonly Settlement[]): Promise<boolean[]> {
  return database.append(async (trx) => {
    const last = await reserveSettledNumbers(trx, settlements.length);
    const rows = settlements.map(({ holder, job, outcome }, at) => ({
      session_id: job.sessionId,
      revision: job.revision,
      holder,
      settled: last - settlements.length + 1 + at,
      ...columnsOf(outcome),
    }));
    const written = new Set<number>();
    for (const round of splitIntoRounds(rows)) {
      for (const { settled } of await writeRound(trx, database.kind, round)) written.add(settled);
    }
    return rows.map(({ settled }) => written.has(settled));
  });
}

type SettledRow = { session_id: string; settled: number };

/** Splits rows into rounds in which each call occurs once: a statement must not write a row twice. */
function splitIntoRounds<Row extends SettledRow>(rows: readonly Row[]): Row[][] {
  const counts = new Map<string, number>();
  const rounds: Row[][] = [];
  for (const row of rows) {
    const at = counts.get(row.session_id) ?? 0;
    counts.set(row.session_id, at + 1);
    (rounds[at] ??= []).push(row);
  }
  return rounds;
}

const OUTCOME_COLUMNS = {
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
  lost_at: "text",
} as const;

function columnsOf(outcome: RecordingOutcome) {
  if (outcome.status === "LOST") return { status: outcome.status, failure: outcome.failure, lost_at: outcome.lostAt };
  const { status, sha256, contentType, bytes, archivedAt } = outcome;
  return { status, sha256, content_type: contentType, bytes, archived_at: archivedAt };
}

/** A lost recording keeps its URL, so that a later revision with another URL can start a new job. */
async function writeRound(trx: Transaction<Tables>, kind: Database["kind"], rows: readonly SettledRow[]) {
  const written = await sql<{ settled: number }>`
    update recordings set status = told.status, failure = told.failure, sha256 = told.sha256,
      content_type = told.content_type, bytes = told.bytes, archived_at = told.archived_at, lost_at = told.lost_at,
      settled = told.settled,
      url = case told.status when 'ARCHIVED' then null else recordings.url end, holder = null
    from ${jsonRows(kind, "told", OUTCOME_COLUMNS, rows)}
    where recordings.session_id = told.session_id and recordings.status <> 'ARCHIVED'
      and (told.status = 'ARCHIVED' or (recordings.holder = told.holder and recordings.revision = told.revision))
    returning recordings.settled as settled`.execute(trx);
  return written.rows;
}

const SETTLED = "recordings_settled";

/**
 * Reserves the next `count` numbers of outcomes, and returns the last one. The counter is not in the rows, so that it never
 * decreases when the newest row is deleted.
 */
export async function reserveSettledNumbers(trx: Transaction<Tables>, count: number): Promise<number> {
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

export interface NewRecording {
  sessionId: string;
  /** The revision of the event that has the URL. A later revision's URL replaces an earlier one's. */
  revision: number;
  receivedAt: string;
  url: string;
  /** Why the recording is lost without an attempt. Null: it will be downloaded. */
  refusal: string | null;
}

/** See RecordingStore.add. Each call may occur once. */
export async function addRecordings(database: Database, recordings: readonly NewRecording[]): Promise<void> {
  const lost = recordings.filter(({ refusal: refused }) => refused !== null).length;
  if (lost === 0) return insert(database.db, database.kind, recordings.map(rowOf));
  await database.append(async (trx) => {
    let settled = (await reserveSettledNumbers(trx, lost)) - lost;
    const rows = recordings.map((recording) =>
      recording.refusal === null
        ? rowOf(recording)
        : { ...rowOf(recording), status: "LOST", lost_at: recording.receivedAt, settled: (settled += 1) },
    );
    await insert(trx, database.kind, rows);
  });
}

const NEW_COLUMNS = {
  session_id: "text",
  revision: "bigint",
  received_at: "text",
  url: "text",
  status: "text",
  failure: "text",
  lost_at: "text",
  settled: "bigint",
} as const;

function rowOf({ sessionId, revision, receivedAt, url, refusal: refused }: NewRecording) {
  return { session_id: sessionId, revision, received_at: receivedAt, url, status: "PENDING", failure: refused };
}

type NewRow = ReturnType<typeof rowOf> & { lost_at?: string; settled?: number };

async function insert(db: Kysely<Tables>, kind: Database["kind"], rows: readonly NewRow[]): Promise<void> {
  // Without "where true" SQLite would read "on conflict" as the condition of a join.
  await sql`insert into recordings (session_id, revision, received_at, status, url, attempts, due_at, failure, lost_at,
      settled)
    select session_id, revision, received_at, status, url, 0, 0, failure, lost_at, settled
    from ${jsonRows(kind, "told", NEW_COLUMNS, rows)} where true
    on conflict (session_id) do update set revision = excluded.revision, url = excluded.url, status = excluded.status,
      attempts = 0, due_at = 0, holder = null, failure = excluded.failure, lost_at = excluded.lost_at,
      settled = excluded.settled
    where recordings.revision < excluded.revision and recordings.status <> 'ARCHIVED'
      and recordings.url is distinct from excluded.url`.execute(db);
}
