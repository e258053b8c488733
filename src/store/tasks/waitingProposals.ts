// The proposals of a viewer that wait: how many there are, and how many bytes their inputs have.
import { sql, type Kysely, type Transaction } from "kysely";
import type { DatabaseKind } from "../database.ts";
import { chunksOf } from "../sqlHelpers.ts";
import type { Tables } from "../tables.ts";

export interface Waiting {
  count: number;
  /** The length of their inputs, in UTF-8. */
  bytes: number;
}

/** The class of PostgreSQL's advisory locks of viewers. */
const WAITING_LOCK = 7_240_003;

/**
 * Lets one transaction after the other count what waits for a viewer, until its commit. SQLite has one writer anyway. Call it after the
 * proposal was written.
 */
export async function lockWaiting(trx: Transaction<Tables>, kind: DatabaseKind, viewer: string): Promise<void> {
  if (kind === "postgres")
    await sql`select pg_advisory_xact_lock(${WAITING_LOCK}::int, hashtext(${viewer}))`.execute(trx);
}

/** Neither database reads the inputs for it. */
export async function waitingOf(trx: Transaction<Tables>, viewer: string): Promise<Waiting> {
  return await trx
    .selectFrom("task_proposals")
    .innerJoin("submissions", "id", "submission_id")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .select(sql<number>`coalesce(sum(octet_length(input)), 0)`.as("bytes"))
    .where("input", "is not", null)
    .where("viewer", "=", viewer)
    .executeTakeFirstOrThrow();
}

/** How many of these submissions are proposals that wait. */
export async function countWaiting(db: Kysely<Tables>, ids: readonly string[]): Promise<number> {
  let count = 0;
  for (const some of chunksOf(ids)) {
    const waiting = db.selectFrom("submissions").select("id").where("status", "=", "PROPOSED").where("id", "in", some);
    count += (await waiting.execute()).length;
  }
  return count;
}
