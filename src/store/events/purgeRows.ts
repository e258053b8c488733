// Deletes the oldest rows of the log, and imported rows of calls that are as old.
import { sql, type Transaction } from "kysely";
import type { Database } from "../database.ts";
import { allTables } from "../projections/allTables.ts";
import { lockProjections, purgeCalls, removeCalls } from "../projections/projectionTables.ts";
import type { Tables } from "../tables.ts";
import { ERASED, PURGED, readHead } from "./purgeEvents.ts";

/** See EventStore.purge. */
export interface Expiry {
  receivedBefore: string;
  /** No row can be younger. A clock that was ahead wrote a later time. */
  latest: string;
}

/**
 * Deletes rows in the order of the log, up to the first row that is young enough, so that the rest has no gaps. What a projection made of
 * their calls goes with them.
 */
export function purgeRows(
  { db, kind }: Pick<Database, "db" | "kind">,
  { receivedBefore, latest }: Expiry,
  limit: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const rows = trx.selectFrom("events").select(["seq", "received_at"]).orderBy("seq");
    const oldest = await rows.limit(limit).execute();
    const firstKept = oldest.findIndex((row) => row.received_at >= receivedBefore && row.received_at <= latest);
    const candidates = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
    // A row with a wrong time is as old as the next one with a right time.
    const isOld = (row: { received_at: string } | undefined) => row !== undefined && row.received_at < receivedBefore;
    const isNextOld = async () => {
      const next = rows.where("seq", ">", oldest.at(-1)?.seq ?? 0).where("received_at", "<=", latest);
      return isOld(await next.limit(1).executeTakeFirst());
    };
    const isAllOld = firstKept === -1 && oldest.length === limit && !isOld(oldest.at(-1)) && (await isNextOld());
    const last = isAllOld ? oldest.at(-1) : candidates.findLast(isOld);
    if (!last) return 0;
    await lockProjections({ trx, kind });
    const { numDeletedRows } = await trx.deleteFrom("events").where("seq", "<=", last.seq).executeTakeFirstOrThrow();
    await raiseSetting(trx, PURGED, last.seq);
    await purgeCalls({ trx, kind }, allTables, last.seq);
    return Number(numDeletedRows);
  });
}

/**
 * The retention holds for the time of a call, so imported rows go by its end, wherever they are in the log. See EventStore.purgeImported. What
 * a projection made of their calls goes with them.
 */
export function purgeImportedRows(
  { db, kind }: Pick<Database, "db" | "kind">,
  endedBefore: string,
  limit: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockProjections({ trx, kind });
    const rows = trx.selectFrom("events").select("seq").where("ended_at", "<", endedBefore);
    const expired = await rows.where("source", "=", "IMPORTED").orderBy("ended_at").limit(limit).execute();
    if (expired.length === 0) return 0;
    // The log's last position is not given out again, also if its last row goes.
    await raiseSetting(trx, ERASED, await readHead({ db: trx }));
    const seqs = expired.map(({ seq }) => seq);
    const { numDeletedRows } = await trx.deleteFrom("events").where("seq", "in", seqs).executeTakeFirstOrThrow();
    await removeCalls({ trx, kind }, allTables, seqs);
    return Number(numDeletedRows);
  });
}

/** Another gateway may have raised it further while this one waited for its lock. */
async function raiseSetting(trx: Transaction<Tables>, name: string, position: number): Promise<void> {
  const value = String(position);
  await trx
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ value })
        .where(sql<number>`cast(settings.value as bigint)`, "<", position),
    )
    .execute();
}
