// Where each durable reader of the log stands: one cursor for a name, whichever gateway reads.
import type { Kysely } from "kysely";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface ReaderStore {
  /** The cursor behind which the reader goes on; null: it has never read. */
  readCursor(name: string): Promise<string | null>;
  /** On disk when it resolves. Only ever forward: a gateway that lost its turn must not set back the one that has it. */
  advance(name: string, cursor: string): Promise<void>;
  /** As if it had never read. */
  delete(name: string): Promise<void>;
}

export function createReaderStore(db: Kysely<Tables>): ReaderStore {
  return {
    readCursor: (name) =>
      guarded(async () => {
        const row = await db.selectFrom("readers").select("cursor").where("name", "=", name).executeTakeFirst();
        return row?.cursor ?? null;
      }),
    advance: (name, cursor) =>
      guarded(async () => {
        await db
          .insertInto("readers")
          .values({ name, cursor })
          .onConflict((conflict) =>
            conflict
              .column("name")
              .doUpdateSet((eb) => ({ cursor: eb.ref("excluded.cursor") }))
              .whereRef("readers.cursor", "<", "excluded.cursor"),
          )
          .execute();
      }),
    delete: (name) =>
      guarded(async () => {
        await db.deleteFrom("readers").where("name", "=", name).execute();
      }),
  };
}
