// The cursors of durable readers: one for each reader's name, shared by all gateways.
import type { Kysely } from "kysely";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";

/**
 * The reader that marks the entries which do not show the end of their call (events/markNotEnded.ts). The number of its rule (`isEnd`): with
 * another one the whole log is passed once more.
 */
export const ENDS_READER = "ended calls 2";

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface ReaderStore {
  /** The cursor after which the reader continues. Null: it has never read. */
  readCursor(name: string): Promise<string | null>;
  /** The cursor after which the reader continues. One that has never read gets its first one, which is on disk when it resolves. */
  begin(name: string, first: () => string | Promise<string>): Promise<string>;
  /** The cursors of all readers that have read, by name. */
  cursors(): Promise<ReadonlyMap<string, string>>;
  /** Stores a later cursor; ignores an earlier one, which a gateway without the lease may still write. On disk when it resolves. */
  advance(name: string, cursor: string): Promise<void>;
  /** The reader starts again as if it had never read. */
  delete(name: string): Promise<void>;
}

export function createReaderStore(db: Kysely<Tables>): ReaderStore {
  const readCursor = (name: string) =>
    guarded(async () => {
      const row = await db.selectFrom("readers").select("cursor").where("name", "=", name).executeTakeFirst();
      return row?.cursor ?? null;
    });
  return {
    readCursor,
    async begin(name, first) {
      const known = await readCursor(name);
      if (known !== null) return known;
      const cursor = await first();
      const added = db.insertInto("readers").values({ name, cursor });
      // Another gateway may have been earlier.
      await guarded(() => added.onConflict((conflict) => conflict.doNothing()).execute());
      return (await readCursor(name)) ?? cursor;
    },
    cursors: () =>
      guarded(async () => {
        const rows = await db.selectFrom("readers").selectAll().execute();
        return new Map(rows.map(({ name, cursor }) => [name, cursor]));
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
