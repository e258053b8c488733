// Finds and deletes what is known of recordings, and tells which contents only those calls have: one may be of several.
import type { Kysely, Transaction } from "kysely";
import { chunksOf } from "../sqlHelpers.ts";
import type { Database } from "../database.ts";
import type { Tables } from "../tables.ts";

export interface ExpiredRecordings {
  sessionIds: string[];
  /** SHA-256 of what no other call has. */
  contents: string[];
}

/** As RecordingStore.aged promises. */
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

/** How many it were. */
export async function deleteRecordings(db: Kysely<Tables>, sessionIds: readonly string[]): Promise<number> {
  let deleted = 0;
  for (const some of chunksOf(sessionIds)) {
    const { numDeletedRows } = await db.deleteFrom("recordings").where("session_id", "in", some).executeTakeFirst();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}

/** What files there may be of recordings, that no row tells of any more. */
export interface RecordingTraces {
  /** May be on their way into the archive. */
  jobs: { sessionId: string; url: string }[];
  /** SHA-256 of what is archived, for no other call. */
  contents: string[];
}

/** What would be left of these calls' recordings, were their rows deleted. */
export async function tracesOf(db: Kysely<Tables>, sessionIds: readonly string[]): Promise<RecordingTraces> {
  const jobs: RecordingTraces["jobs"] = [];
  const gone: Content[] = [];
  for (const some of chunksOf(sessionIds)) {
    const named = db.selectFrom("recordings").where("session_id", "in", some);
    for (const { session_id, url, sha256 } of await named.select(["session_id", "url", "sha256"]).execute()) {
      if (url !== null) jobs.push({ sessionId: session_id, url });
      gone.push({ sha256 });
    }
  }
  const except = new Set(sessionIds);
  return { jobs, contents: await unusedOf(db, gone, except) };
}

/** Of calls that were erased for a person's sake, whatever has become of their recordings; how many it were. */
export async function eraseRecordings(
  trx: Transaction<Tables>,
  sessionIds: readonly string[],
): Promise<RecordingTraces & { recordings: number }> {
  const traces = await tracesOf(trx, sessionIds);
  return { recordings: await deleteRecordings(trx, sessionIds), ...traces };
}

type Content = { sha256: string | null };

/** Contents that no call has but those. */
async function unusedOf(
  db: Kysely<Tables>,
  gone: readonly Content[],
  but: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const contents = [...new Set(gone.map(({ sha256 }) => sha256).filter((sha256) => sha256 !== null))];
  const used = new Set<string | null>();
  for (const some of chunksOf(contents)) {
    const kept = db.selectFrom("recordings").select(["sha256", "session_id"]).where("sha256", "in", some);
    for (const { sha256, session_id } of await kept.execute()) if (!but.has(session_id)) used.add(sha256);
  }
  return contents.filter((sha256) => !used.has(sha256));
}
