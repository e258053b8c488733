// Writes new recordings as jobs; those that are refused are lost at once, and told as lost ones are.
import { sql, type Kysely } from "kysely";
import type { Database } from "../database.ts";
import { jsonRows } from "../jsonRows.ts";
import { countSettled } from "./recordingOutcome.ts";
import type { Tables } from "../tables.ts";

export interface NewRecording {
  sessionId: string;
  /** Of the event that tells the URL: a later one's URL replaces an earlier one's. */
  revision: number;
  receivedAt: string;
  url: string;
  /** Why it is lost before anybody tries; null: it is to be fetched. */
  refused: string | null;
}

/** As RecordingStore.add promises; each call once. */
export async function addRecordings(database: Database, recordings: readonly NewRecording[]): Promise<void> {
  const lost = recordings.filter(({ refused }) => refused !== null).length;
  if (lost === 0) return insert(database.db, database.kind, recordings.map(rowOf));
  await database.append(async (trx) => {
    let settled = (await countSettled(trx, lost)) - lost;
    const rows = recordings.map((recording) =>
      recording.refused === null ? rowOf(recording) : { ...rowOf(recording), status: "LOST", settled: (settled += 1) },
    );
    await insert(trx, database.kind, rows);
  });
}

const COLUMNS = {
  session_id: "text",
  revision: "bigint",
  received_at: "text",
  url: "text",
  status: "text",
  failure: "text",
  settled: "bigint",
} as const;

function rowOf({ sessionId, revision, receivedAt, url, refused }: NewRecording) {
  return { session_id: sessionId, revision, received_at: receivedAt, url, status: "PENDING", failure: refused };
}

type Row = ReturnType<typeof rowOf> & { settled?: number };

async function insert(db: Kysely<Tables>, kind: Database["kind"], rows: readonly Row[]): Promise<void> {
  // "where true" keeps SQLite from reading the conflict's "on" as a join's.
  await sql`insert into recordings (session_id, revision, received_at, status, url, attempts, due_at, failure, settled)
    select session_id, revision, received_at, status, url, 0, 0, failure, settled
    from ${jsonRows(kind, "told", COLUMNS, rows)} where true
    on conflict (session_id) do update set revision = excluded.revision, url = excluded.url, status = excluded.status,
      attempts = 0, due_at = 0, holder = null, failure = excluded.failure, settled = excluded.settled
    where recordings.revision < excluded.revision and recordings.status <> 'ARCHIVED'
      and recordings.url is distinct from excluded.url`.execute(db);
}
