// Counts the points that callers spend, over all gateways of one PostgreSQL. A caller's window of a minute begins with its first
// point. The gateways' clocks end the windows, so they must agree.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { CompiledQuery } from "kysely";
import type * as Flexible from "rate-limiter-flexible";
import type { Database } from "../database.ts";
import { createSemaphore } from "../../util/semaphore.ts";

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
  /** Deletes up to `limit` windows that ended more than an hour ago, whatever `before` is, and returns their number. */
  purge(before: string, limit: number): Promise<number>;
}

const WINDOW_S = 60;
const PURGE_AFTER_MS = 3_600_000;
/** Connections of the pool that rate limits may use, so that webhooks always find one. */
const CONNECTIONS = 2;

export function createRateLimitStore({ db, kind }: Database): RateLimitStore {
  const permits = createSemaphore(CONNECTIONS);
  const storeClient = {
    query: ({ text, values }: { text: string; values: unknown[] }) => db.executeQuery(CompiledQuery.raw(text, values)),
  };
  const createTakePoints = (perMinute: number): TakePoints => {
    const { RateLimiterPostgres, RateLimiterRes } = loadLimiter();
    const limiter = new RateLimiterPostgres({
      storeClient,
      storeType: "client",
      tableName: "spent_points",
      keyPrefix: "",
      // The migrations create the table, and `purge` clears it.
      tableCreated: true,
      clearExpiredByTimeout: false,
      points: perMinute,
      duration: WINDOW_S,
    });
    return (caller, points) =>
      permits.run(async () => {
        try {
          const { msBeforeNext } = await limiter.consume(keyOf(caller), points);
          return { granted: points, endsInMs: msBeforeNext };
        } catch (refused) {
          if (!(refused instanceof RateLimiterRes)) throw refused;
          const { consumedPoints, msBeforeNext } = refused;
          return { granted: Math.max(0, perMinute - (consumedPoints - points)), endsInMs: msBeforeNext };
        }
      });
  };
  return {
    createTakePoints: kind === "postgres" ? createTakePoints : null,
    async purge(_before, limit) {
      const old = db
        .selectFrom("spent_points")
        .select("key")
        .where("expire", "<", Date.now() - PURGE_AFTER_MS)
        .limit(limit);
      const gone = await db.deleteFrom("spent_points").where("key", "in", old).executeTakeFirst();
      return Number(gone.numDeletedRows);
    },
  };
}

/** Loaded only with PostgreSQL, and synchronously, because the store is created without waiting. */
function loadLimiter(): typeof Flexible {
  return createRequire(import.meta.url)("rate-limiter-flexible") as typeof Flexible;
}

/** The database does not learn callers' names and addresses. */
function keyOf(caller: string): string {
  return createHash("sha256").update(caller).digest("base64url");
}
