// What callers spend of their rates, counted over all gateways of one PostgreSQL: in windows of a minute, each of which
// begins with its caller's first point. Windows end by the gateways' own clocks, which must agree.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { CompiledQuery } from "kysely";
import type * as Flexible from "rate-limiter-flexible";
import type { Database } from "../database.ts";
import { createSemaphore } from "../../util/semaphore.ts";

export interface TakenPoints {
  /** From none to as many as were asked for; less than that: the window has no more. */
  granted: number;
  /** Milliseconds until the caller's window ends, and the points with it. */
  endsInMs: number;
}

/** Takes points of a caller's. Rejects where the database does not do it. */
export type TakePoints = (caller: string, points: number) => Promise<TakenPoints>;

export interface RateLimitStore {
  /** For a limit of so many points in a window. Null on SQLite, where there is one gateway, which counts for itself. */
  createTakePoints: ((perMinute: number) => TakePoints) | null;
  /** Forgets windows that ended long ago, so many at most; how many there were. They have no use for `before`. */
  purge(before: string, limit: number): Promise<number>;
}

const WINDOW_S = 60;
const KEPT_MS = 3_600_000;
/** Of the pool's connections: a storm of callers must not stand before a webhook. */
const CONNECTIONS = 2;

export function createRateLimitStore({ db, kind }: Database): RateLimitStore {
  const permits = createSemaphore(CONNECTIONS);
  const storeClient = {
    query: ({ text, values }: { text: string; values: unknown[] }) => db.executeQuery(CompiledQuery.raw(text, values)),
  };
  const taking = (perMinute: number): TakePoints => {
    const { RateLimiterPostgres, RateLimiterRes } = loadLimiter();
    const limiter = new RateLimiterPostgres({
      storeClient,
      storeType: "client",
      tableName: "spent_points",
      keyPrefix: "",
      // The schema's history made it, and `purge` clears it.
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
    createTakePoints: kind === "postgres" ? taking : null,
    async purge(_before, limit) {
      const old = db
        .selectFrom("spent_points")
        .select("key")
        .where("expire", "<", Date.now() - KEPT_MS)
        .limit(limit);
      const gone = await db.deleteFrom("spent_points").where("key", "in", old).executeTakeFirst();
      return Number(gone.numDeletedRows);
    },
  };
}

/** Where there are many gateways, and of its limiters one: the whole would bring those over a dozen databases. */
function loadLimiter() {
  const load = createRequire(import.meta.url);
  return {
    RateLimiterPostgres: load(
      "rate-limiter-flexible/lib/RateLimiterPostgres.js",
    ) as typeof Flexible.RateLimiterPostgres,
    RateLimiterRes: load("rate-limiter-flexible/lib/RateLimiterRes.js") as typeof Flexible.RateLimiterRes,
  };
}

/** Names and addresses of callers are nobody's business here. */
function keyOf(caller: string): string {
  return createHash("sha256").update(caller).digest("base64url");
}
