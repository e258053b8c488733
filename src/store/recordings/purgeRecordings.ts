// Deletes rows of recordings, and finds the files that no other call uses. Several calls may have the same content.
import type { Kysely, Transaction } from "kysely";
import { chunksOf } from "../sqlHelpers.ts";
import { blankCalls } from "../audit/auditStore.ts";
import type { Database } from "../database.ts";
import type { Tables } from "../tables.ts";

export interface ExpiredRecordings {
  sessionIds: string[];
  /** SHA-256 of contents that no other call has. */
  contents: string[];
}

/** See RecordingStore.listExpired. */
export async function listExpiredRecordings(
  { db }: Database,
  receivedBefore: string,
  limit: number,
): Promise<ExpiredRecordings> {
  const old = db.selectFrom("recordings").select("session_id").where("received_at", "<", receivedBefore);
  const oldest = await old.orderBy("received_at").limit(limit).execute();
  const sessionIds = oldest.map(({ session_id }) => session_id);
  const { contents } = await tracesOf(db, sessionIds);
  return { sessionIds, contents };
}

/** Returns the number of deleted rows. */
export async function deleteRecordings(db: Kysely<Tables>, sessionIds: readonly string[]): Promise<number> {
  let deleted = 0;
  for (const some of chunksOf(sessionIds)) {
    const { numDeletedRows } = await db.deleteFrom("recordings").where("session_id", "in", some).executeTakeFirst();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}

/** Files of recordings whose rows are deleted. */
export interface RecordingTraces {
  /** Downloads that may be in progress. */
  jobs: { sessionId: string; url: string }[];
  /** SHA-256 of archived contents that no other call has. */
  contents: string[];
}

/** The files that would remain if these calls' rows were deleted. */
export async function tracesOf(db: Kysely<Tables>, sessionIds: readonly string[]): Promise<RecordingTraces> {
  const jobs: RecordingTraces["jobs"] = [];
  const deleted: Content[] = [];
  for (const some of chunksOf(sessionIds)) {
    const named = db.selectFrom("recordings").where("session_id", "in", some);
    for (const { session_id, url, sha256 } of await named.select(["session_id", "url", "sha256"]).execute()) {
      if (url !== null) jobs.push({ sessionId: session_id, url });
      deleted.push({ sha256 });
    }
  }
  const except = new Set(sessionIds);
  return { jobs, contents: await findUnused(db, deleted, except) };
}

/** Deletes the recordings of erased calls in any status, and their ids in the audit log. Returns their number and their files. */
export async function eraseRecordings(
  trx: Transaction<Tables>,
  sessionIds: readonly string[],
): Promise<RecordingTraces & { recordings: number }> {
  const traces = await tracesOf(trx, sessionIds);
  // First the rows: this waits for transactions that add an entry about them to the audit log.
  const recordings = await deleteRecordings(trx, sessionIds);
  await blankCalls(trx, sessionIds);
  return { recordings, ...traces };
}

type Content = { sha256: string | null };

/** The contents that no call has except the calls in `except`. */
async function findUnused(
  db: Kysely<Tables>,
  deleted: readonly Content[],
  except: ReadonlySet<string>,
): Promise<string[]> {
  const contents = [...new Set(deleted.map(({ sha256 }) => sha256).filter((sha256) => sha256 !== null))];
  const used = new Set<string | null>();
  for (const some of chunksOf(contents)) {
    const kept = db.selectFrom("recordings").select(["sha256", "session_id"]).where("sha256", "in", some);
    for (const { sha256, session_id } of await kept.execute()) if (!except.has(session_id)) used.add(sha256);
  }
  return contents.filter((sha256) => !used.has(sha256));
}
