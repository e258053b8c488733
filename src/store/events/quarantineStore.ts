// Stores authentic deliveries that could not be parsed, and events that are not the end of a call, byte by byte. Refusing them could
// lose a call forever.
import { createHash } from "node:crypto";
import { sql, type Kysely } from "kysely";
import { addAuditEvent, type Actor } from "../audit/auditStore.ts";
import type { Database } from "../database.ts";
import { createErasedKeys } from "./erasedKeys.ts";
import type { QueryOwner } from "../scheduling/queryOwner.ts";
import { guarded, isRefusal } from "../storeError.ts";
import type { Tables } from "../tables.ts";
import { createGroupCommit } from "../../util/groupCommit.ts";

/** UNREADABLE: it could not be read, or stored. NOT_ENDED: an event that does not end a call. */
export const quarantineKinds = ["UNREADABLE", "NOT_ENDED"] as const;
export type QuarantineKind = (typeof quarantineKinds)[number];

export interface NewQuarantined {
  receivedAt: string;
  kind: QuarantineKind;
  reason: string;
  /** As the sender declared it. Null: it declared none. */
  charset: string | null;
  /** The call of a delivery that is NOT_ENDED. */
  sessionId: string | null;
  body: Uint8Array;
}

export interface Quarantined extends Omit<NewQuarantined, "sessionId"> {
  /** From 1; later deliveries have higher ids. */
  id: number;
  /** The body as it came. In a page: its first `bodyBytes` bytes. */
  body: Uint8Array;
}

export interface QuarantinePage {
  kind: QuarantineKind;
  /** Only deliveries before this id. Null: from the newest. */
  after: number | null;
  limit: number;
  bodyBytes: number;
}

export interface QuarantineRemoval extends Actor {
  action: "DELIVERY_REPROCESSED" | "DELIVERY_DISCARDED";
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface QuarantineStore {
  /** On disk when it resolves. Stores an equal body once, and an erased body never again. */
  add(delivery: NewQuarantined): Promise<void>;
  /** Counts in the owner's turn; without an owner, at once. */
  count(kind: QuarantineKind, queryOwner?: QueryOwner): Promise<number>;
  /** Newest first. */
  page(page: QuarantinePage): Promise<Quarantined[]>;
  /** The numbers of the events that did not end these calls, in the order in which they came. At most as many calls as chunksOf gives. */
  notEndedOf(sessionIds: readonly string[]): Promise<number[]>;
  /** The delivery with its whole body. Null if it is not in quarantine. */
  byId(id: number): Promise<Quarantined | null>;
  /**
   * Removes a delivery, because it is in the log by now or because an operator discards it, and adds the entry to the audit log, in
   * one transaction. Null, without an entry: no such delivery is in quarantine.
   */
  remove(id: number, removal: QuarantineRemoval): Promise<Quarantined | null>;
  /** Removes an event that its call has taken up. */
  removeMerged(id: number): Promise<void>;
  /** Deletes up to `limit` of the oldest that were received before an instant. Returns their number. */
  purge(receivedBefore: string, limit: number): Promise<number>;
  /** The same, of events that are not the end of a call only. */
  purgeNotEnded(receivedBefore: string, limit: number): Promise<number>;
}

const HEAD = ["id", "received_at as receivedAt", "reason", "charset"] as const;
/** A newer version may write further kinds. */
const kindOf = sql<QuarantineKind>`case kind when 'NOT_ENDED' then kind else 'UNREADABLE' end`.as("kind");
const DELIVERY = [...HEAD, "body", kindOf] as const;

/** Deliveries in one transaction: each may have 256 KiB. */
const MAX_COMMIT = 16;
const MAX_QUEUE = 1000;
const MAX_QUEUE_BYTES = 64 * 1024 * 1024;

async function countOf(db: Kysely<Tables>, kind: QuarantineKind): Promise<number> {
  const count = db.selectFrom("quarantine").select((eb) => eb.fn.countAll<number>().as("count"));
  return (await count.where("kind", "=", kind).executeTakeFirstOrThrow()).count;
}

export function createQuarantineStore(database: Database): QuarantineStore {
  const { db } = database;
  const erased = createErasedKeys();
  const commit = createGroupCommit({
    commit: (deliveries: readonly NewQuarantined[]) =>
      db.transaction().execute(async (trx) => {
        // In one order, so that two gateways do not wait for each other.
        const rows = deliveries.map(({ receivedAt, kind, reason, charset, sessionId, body }) => {
          const body_sha256 = createHash("sha256").update(body).digest("hex");
          return { received_at: receivedAt, kind, reason, charset, session_id: sessionId, body_sha256, body };
        });
        rows.sort((a, b) => (a.body_sha256 < b.body_sha256 ? -1 : 1));
        const added = await trx
          .insertInto("quarantine")
          .values(rows)
          .onConflict((conflict) => conflict.column("body_sha256").doNothing())
          .returning("body_sha256")
          .execute();
        // Look for them after the insert, which waits for a running erasure of an equal body.
        const digests = added.map((row) => row.body_sha256);
        const gone = digests.length === 0 ? [] : [...(await erased.findErased(trx, "delivery", digests))];
        if (gone.length > 0) await trx.deleteFrom("quarantine").where("body_sha256", "in", gone).execute();
        return deliveries.map(() => undefined);
      }),
    isRefusal,
    maxBatch: MAX_COMMIT,
    maxQueued: MAX_QUEUE,
    sizeOf: ({ body }) => body.byteLength,
    maxQueuedSize: MAX_QUEUE_BYTES,
  });
  return {
    add: (delivery) => guarded(() => commit(delivery)),
    count: (kind, queryOwner) =>
      guarded(() => {
        const count = (own: Kysely<Tables>) => countOf(own, kind);
        return queryOwner ? database.scan(queryOwner, ["quarantine", kind], count) : count(db);
      }),
    page: ({ kind, after, limit, bodyBytes }) =>
      guarded(() =>
        db
          .selectFrom("quarantine")
          .select([...HEAD, kindOf])
          // For an empty body, SQLite's substr gives null.
          .select(sql<Uint8Array>`coalesce(substr(body, 1, ${sql.lit(bodyBytes)}), body)`.as("body"))
          .where("kind", "=", kind)
          .$if(after !== null, (query) => query.where("id", "<", after ?? 0))
          .orderBy("id", "desc")
          .limit(limit)
          .execute(),
      ),
    notEndedOf: (sessionIds) =>
      guarded(async () => {
        const found = db.selectFrom("quarantine").select("id").where("session_id", "in", sessionIds).orderBy("id");
        return (await found.execute()).map(({ id }) => id);
      }),
    removeMerged: (id) =>
      guarded(async () => {
        await db.deleteFrom("quarantine").where("id", "=", id).execute();
      }),
    byId: (id) =>
      guarded(async () => {
        const found = db.selectFrom("quarantine").select(DELIVERY);
        return (await found.where("id", "=", id).executeTakeFirst()) ?? null;
      }),
    remove: (id, removal) =>
      guarded(() =>
        db.transaction().execute(async (trx) => {
          const removed = trx.deleteFrom("quarantine").where("id", "=", id).returning(DELIVERY);
          const delivery = await removed.executeTakeFirst();
          if (delivery) await addAuditEvent(trx, { ...removal, subject: String(id), count: 1 });
          return delivery ?? null;
        }),
      ),
    purge: (receivedBefore, limit) => purgeKinds(quarantineKinds, receivedBefore, limit),
    purgeNotEnded: (receivedBefore, limit) => purgeKinds(["NOT_ENDED"], receivedBefore, limit),
  };

  function purgeKinds(kinds: readonly QuarantineKind[], receivedBefore: string, limit: number): Promise<number> {
    return guarded(async () => {
      const old = db.selectFrom("quarantine").select("id").where("received_at", "<", receivedBefore);
      const oldest = old.where("kind", "in", kinds).orderBy("id").limit(limit);
      const { numDeletedRows } = await db.deleteFrom("quarantine").where("id", "in", oldest).executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    });
  }
}
