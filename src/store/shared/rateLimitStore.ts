// Counts the points that callers spend, over all gateways of one PostgreSQL. A caller's window of a minute begins with its first
// point. The database's clock ends it, because the gateways' clocks may differ.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { MINUTE_MS } from "../../util/durations.ts";
import { databaseNow } from "../sqlHelpers.ts";
import { createSemaphore } from "../../util/semaphore.ts";
import { epochMsOf } from "../../format/instant.ts";

export interface TakenPoints {
  /** From 0 to the points that were asked for. Fewer than that: the window has no more. */
  granted: number;
  /** Milliseconds until the caller's window ends. */
  endsInMs: number;
}

/** Takes points from a caller's window. Rejects if the database fails. */
export type TakePoints = (caller: string, points: number) => Promise<TakenPoints>;

export interface RateLimitStore {
  /** Takes the limit per window. Null on SQLite: its only gateway counts in memory. */
  createTakePoints: ((perMinute: number) => TakePoints) | null;
  /** Deletes up to `limit` windows that ended before an instant, and returns their number. */
  purge(before: string, limit: number): Promise<number>;
}

/** Connections of the pool that rate limits may use, so that webhooks always find one. */
const CONNECTIONS = 2;

export function createRateLimitStore({ db, kind }: Database): RateLimitStore {
  const permits = createSemaphore(CONNECTIONS);
  const now = databaseNow(kind);
  const newEnd = sql<number>`${now} + ${sql.lit(MINUTE_MS)}`;
  // A window that ends later was begun before the database's clock was set back.
  const isOver = sql<boolean>`(spent_points.expire <= ${now} or spent_points.expire > ${newEnd})`;

  /** Adds the points, also beyond the limit. Returns the sum of the window. */
  async function addPoints(key: string, points: number): Promise<{ spent: number; endsInMs: number }> {
    const row = await db
      .insertInto("spent_points")
      .values({ key, points, expire: newEnd })
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet({
          points: sql<number>`case when ${isOver} then 0 else spent_points.points end + excluded.points`,
          expire: sql<number>`case when ${isOver} then excluded.expire else spent_points.expire end`,
        }),
      )
      .returning(["points as spent", sql<number>`expire - ${now}`.as("endsInMs")])
      .executeTakeFirstOrThrow();
    return { spent: row.spent, endsInMs: Math.max(0, row.endsInMs) };
  }
  const createTakePoints =
    (perMinute: number): TakePoints =>
    (caller, points) =>
      permits.run(async () => {
        const { spent, endsInMs } = await addPoints(keyOf(caller), points);
        return { granted: Math.min(points, Math.max(0, perMinute - (spent - points))), endsInMs };
      });
  return {
    createTakePoints: kind === "postgres" ? createTakePoints : null,
    async purge(before, limit) {
      const old = db.selectFrom("spent_points").select("key").where("expire", "<", epochMsOf(before)).limit(limit);
      const gone = await db.deleteFrom("spent_points").where("key", "in", old).executeTakeFirst();
      return Number(gone.numDeletedRows);
    },
  };
}

/** The database does not learn callers' names and addresses. */
function keyOf(caller: string): string {
  return createHash("sha256").update(caller).digest("base64url");
}
