// Writes how a recording ended: archived or lost, with a number that counts up in the order of commits.
import { sql, type Transaction } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./tables.ts";

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

interface Settlement {
  holder: string;
  job: RecordingJob;
  outcome: RecordingOutcome;
}

/** As RecordingStore.settle promises. The log's own transaction orders the commits and wakes every gateway. */
export function settleRecording(database: Database, { holder, job, outcome }: Settlement): Promise<boolean> {
  return database.append(async (trx) => {
    const settled = await nextSettled(trx);
    const open = trx
      .updateTable("recordings")
      .where("session_id", "=", job.sessionId)
      .where("status", "<>", "ARCHIVED");
    const written =
      outcome.status === "ARCHIVED"
        ? open.set({
            status: outcome.status,
            sha256: outcome.sha256,
            content_type: outcome.contentType,
            bytes: outcome.bytes,
            archived_at: outcome.archivedAt,
            failure: null,
            url: null,
            holder: null,
            settled,
          })
        : open
            .set({ status: outcome.status, failure: outcome.failure, holder: null, settled })
            .where("holder", "=", holder)
            .where("revision", "=", job.revision);
    return (await written.executeTakeFirst()).numUpdatedRows > 0n;
  });
}

const SETTLED = "recordings_settled";

/** Kept apart from the rows, so that it never counts down when the newest is deleted. */
async function nextSettled(trx: Transaction<Tables>): Promise<number> {
  const { value } = await trx
    .insertInto("settings")
    .values({ name: SETTLED, value: "1" })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ value: sql<string>`cast(cast(settings.value as bigint) + 1 as text)` }),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  return Number(value);
}
