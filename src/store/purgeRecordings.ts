// Deletes what is known of old recordings, and tells which contents nobody names any more: one may be of several calls.
import type { Database } from "./database.ts";

/** As RecordingStore.purge promises. */
export function purgeRecordings(
  { db }: Database,
  receivedBefore: string,
  limit: number,
): Promise<{ deleted: number; unused: string[] }> {
  return db.transaction().execute(async (trx) => {
    const old = trx
      .selectFrom("recordings")
      .select("session_id")
      .where("received_at", "<", receivedBefore)
      .orderBy("received_at")
      .limit(limit);
    const gone = await trx.deleteFrom("recordings").where("session_id", "in", old).returning("sha256").execute();
    const contents = [...new Set(gone.map(({ sha256 }) => sha256).filter((sha256) => sha256 !== null))];
    if (contents.length === 0) return { deleted: gone.length, unused: [] };
    const kept = await trx.selectFrom("recordings").select("sha256").where("sha256", "in", contents).execute();
    const used = new Set(kept.map(({ sha256 }) => sha256));
    return { deleted: gone.length, unused: contents.filter((sha256) => !used.has(sha256)) };
  });
}
