// Remembers the end of the purged and erased positions of the log.
import { sql, type Kysely, type Transaction } from "kysely";
import { readSetting } from "../storedSettings.ts";
import type { Tables } from "../tables.ts";

/** The part of a Database that these functions use. */
interface WithQueries {
  db: Kysely<Tables>;
}

export const PURGED = "purged_through";
export const ERASED = "erased_through";
const ERASURES = "erasures";

/** The position up to which rows were purged. */
export async function readPurgedThrough({ db }: WithQueries): Promise<number> {
  return Number(await readSetting(db, PURGED));
}

/** The log's last position, also if its newest rows were purged or erased. */
export async function readHead({ db }: WithQueries): Promise<number> {
  const rows = await db
    .selectFrom("events")
    .select((eb) => eb.fn.max("seq").as("seq"))
    .unionAll(
      db
        .selectFrom("settings")
        .select(sql<number>`cast(value as bigint)`.as("seq"))
        .where("name", "in", [PURGED, ERASED]),
    )
    .execute();
  return Math.max(0, ...rows.map(({ seq }) => seq ?? 0));
}

/** See EventStore.erasures. */
export async function readErasures({ db }: WithQueries): Promise<number> {
  return Number(await readSetting(db, ERASURES));
}

/** Counts an erasure. Call it inside the transaction that erases; `last` is the log's last position before it. */
export async function recordErasure(trx: Transaction<Tables>, last: number): Promise<void> {
  await trx
    .insertInto("settings")
    .values([
      { name: ERASED, value: String(last) },
      { name: ERASURES, value: "1" },
    ])
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({
        value: sql<string>`case settings.name when ${ERASURES}
          then cast(cast(settings.value as bigint) + 1 as text) else excluded.value end`,
      }),
    )
    .execute();
}
