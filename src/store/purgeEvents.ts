// Deletes the oldest rows of the log, and keeps up to where.
import { sql } from "kysely";
import type { Database } from "./database.ts";

const PURGED = "purged_through";

/** The place up to which rows were purged. */
export async function readPurged({ db }: Database): Promise<number> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", PURGED).executeTakeFirst();
  return Number(row?.value ?? 0);
}

/** In order of the log, and never over a younger row, so that what is left is one stretch up to the head. */
export function purgeRows({ db }: Database, receivedBefore: string, limit: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const oldest = await trx.selectFrom("events").select(["seq", "received_at"]).orderBy("seq").limit(limit).execute();
    const kept = oldest.findIndex((row) => row.received_at >= receivedBefore);
    const purged = kept === -1 ? oldest : oldest.slice(0, kept);
    const last = purged.at(-1);
    if (!last) return 0;
    const { numDeletedRows } = await trx.deleteFrom("events").where("seq", "<=", last.seq).executeTakeFirstOrThrow();
    await trx
      .insertInto("settings")
      .values({ name: PURGED, value: String(last.seq) })
      // Another gateway may have purged more while this one waited for it.
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet({ value: String(last.seq) })
          .where(sql<number>`cast(settings.value as bigint)`, "<", last.seq),
      )
      .execute();
    return Number(numDeletedRows);
  });
}
