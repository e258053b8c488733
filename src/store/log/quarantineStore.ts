// Authentic deliveries that could not be read, kept byte by byte: a refusal could lose a call for ever.
import { createHash } from "node:crypto";
import { sql, type Kysely } from "kysely";
import type { Database } from "../database.ts";
import { createErasedKeys } from "./erasedKeys.ts";
import type { QueryOwner } from "../scheduling/queryOwner.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";

export interface Quarantined {
  /** Its place: from 1, a later one is higher. */
  id: number;
  receivedAt: string;
  reason: string;
  /** As it came; of a page, so many of its first bytes as were asked for. */
  body: Uint8Array;
}

export interface QuarantinePage {
  /** Only deliveries before this place; null: from the newest. */
  after: number | null;
  limit: number;
  bodyBytes: number;
}

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface QuarantineStore {
  /** On disk when it resolves; the same body is kept once, and one that was erased for a person's sake never again. */
  add(delivery: { receivedAt: string; reason: string; body: Uint8Array }): Promise<void>;
  /** In the reader's turn; without one, at once. */
  count(reader?: QueryOwner): Promise<number>;
  /** Newest first. */
  page(page: QuarantinePage): Promise<Quarantined[]>;
  /** With its whole body; null where it is not, or no longer, in quarantine. */
  byId(id: number): Promise<Quarantined | null>;
  /** For a delivery that is in the log by now. */
  delete(id: number): Promise<void>;
  /** Deletes up to `limit` of the oldest, received before that instant; how many it were. */
  purge(receivedBefore: string, limit: number): Promise<number>;
}

async function countAll(db: Kysely<Tables>): Promise<number> {
  const count = db.selectFrom("quarantine").select((eb) => eb.fn.countAll<number>().as("count"));
  return (await count.executeTakeFirstOrThrow()).count;
}

export function createQuarantineStore(database: Database): QuarantineStore {
  const { db } = database;
  const forgotten = createErasedKeys();
  return {
    add: ({ receivedAt, reason, body }) =>
      guarded(async () => {
        const body_sha256 = createHash("sha256").update(body).digest("hex");
        if ((await forgotten.findErased(db, "delivery", [body_sha256])).size > 0) return;
        await db
          .insertInto("quarantine")
          .values({ received_at: receivedAt, reason, body_sha256, body })
          .onConflict((conflict) => conflict.column("body_sha256").doNothing())
          .execute();
      }),
    count: (reader) => guarded(() => (reader ? database.scan(reader, ["quarantine"], countAll) : countAll(db))),
    page: ({ after, limit, bodyBytes }) =>
      guarded(() =>
        db
          .selectFrom("quarantine")
          .select(["id", "received_at as receivedAt", "reason"])
          // SQLite makes nothing of a part of an empty body.
          .select(sql<Uint8Array>`coalesce(substr(body, 1, ${sql.lit(bodyBytes)}), body)`.as("body"))
          .$if(after !== null, (query) => query.where("id", "<", after ?? 0))
          .orderBy("id", "desc")
          .limit(limit)
          .execute(),
      ),
    byId: (id) =>
      guarded(async () => {
        const found = db.selectFrom("quarantine").select(["id", "received_at as receivedAt", "reason", "body"]);
        return (await found.where("id", "=", id).executeTakeFirst()) ?? null;
      }),
    delete: (id) =>
      guarded(async () => {
        await db.deleteFrom("quarantine").where("id", "=", id).execute();
      }),
    purge: (receivedBefore, limit) =>
      guarded(async () => {
        const old = db.selectFrom("quarantine").select("id").where("received_at", "<", receivedBefore);
        const oldest = old.orderBy("id").limit(limit);
        const { numDeletedRows } = await db
          .deleteFrom("quarantine")
          .where("id", "in", oldest)
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
  };
}
