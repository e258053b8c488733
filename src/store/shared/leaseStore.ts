// Leases: of many gateways, only the holder of a lease does its work. A gateway that dies loses its leases. Two holders can
// still overlap for a moment, because a stalled holder does not notice that it lost the lease; the work must allow that.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { databaseNow } from "../sqlHelpers.ts";
import { guarded } from "../storeError.ts";

/** The lease of a killed gateway is free after this time, by the database's clock. */
const LEASE_MS = 20_000;
const RENEW_MS = 5000;

export interface LeaseStore {
  /**
   * Runs the work while this gateway holds the lease, and returns the lease afterwards. Null, without running the work, if
   * another gateway holds it. The work's signal aborts with `stopped`, and when the lease is lost. Throws what the work throws,
   * and STORE_UNAVAILABLE if the database does not answer.
   */
  withLease<T>(
    name: string,
    stopped: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ done: T } | null>;
}

export interface LeaseTimes {
  leaseMs: number;
  renewMs: number;
}

/** Each lease store is one holder, so a restarted process is a new holder. */
export function createLeaseStore(
  database: Database,
  { leaseMs, renewMs }: LeaseTimes = { leaseMs: LEASE_MS, renewMs: RENEW_MS },
): LeaseStore {
  const holder = randomUUID();
  const acquire = (name: string) => guarded(() => acquireLease(database, { name, holder, leaseMs }));

  /** Renews the lease until it is disposed. Its signal aborts when another gateway has the lease, or may have it. */
  function renewRegularly(name: string): AsyncDisposable & { signal: AbortSignal } {
    const lost = new AbortController();
    let renewing = Promise.resolve();
    let heldUntil = performance.now() + leaseMs;
    async function renew(): Promise<void> {
      const startedAt = performance.now();
      const isHeld = await acquire(name).catch(() => null);
      if (isHeld) heldUntil = startedAt + leaseMs;
      // If the database does not answer, the lease still holds until it expires.
      if (isHeld === false || performance.now() > heldUntil) lost.abort(new Error(`the lease ${name} was lost`));
    }
    const timer = setInterval(() => {
      renewing = renew();
    }, renewMs);
    timer.unref();
    return {
      signal: lost.signal,
      // A renewal in flight could otherwise take the lease again after it was released.
      async [Symbol.asyncDispose]() {
        clearInterval(timer);
        await renewing;
      },
    };
  }

  return {
    async withLease(name, stopped, work) {
      if (!(await acquire(name))) return null;
      try {
        await using renewal = renewRegularly(name);
        return { done: await work(AbortSignal.any([stopped, renewal.signal])) };
      } finally {
        // If this fails, the lease expires by itself.
        await releaseLease(database, name, holder).catch(() => undefined);
      }
    },
  };
}

/** Deletes all leases. Only for a gateway that is alone on its database: every other holder has ended. */
export async function freeAbandonedLeases({ db }: Database): Promise<void> {
  await db.deleteFrom("leases").execute();
}

interface Lease {
  name: string;
  holder: string;
  leaseMs: number;
}

/** No gateway renews to a later time than this from now: the database's clock was set back meanwhile. */
const MAX_LEASE_MS = 600_000;

/** Succeeds if the lease is free, expired or the holder's own. One statement, so that only one of two gateways succeeds. */
async function acquireLease({ db, kind }: Database, { name, holder, leaseMs }: Lease): Promise<boolean> {
  const now = databaseNow(kind);
  const row = await db
    .insertInto("leases")
    .values({ name, holder, expires_at: sql<number>`${now} + ${sql.lit(leaseMs)}` })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet((eb) => ({ holder: eb.ref("excluded.holder"), expires_at: eb.ref("excluded.expires_at") }))
        .where((eb) =>
          eb.or([
            eb("leases.holder", "=", holder),
            eb("leases.expires_at", "<=", now),
            eb("leases.expires_at", ">", sql<number>`${now} + ${sql.lit(MAX_LEASE_MS)}`),
          ]),
        ),
    )
    .returning("name")
    .executeTakeFirst();
  return row !== undefined;
}

async function releaseLease({ db }: Database, name: string, holder: string): Promise<void> {
  await db.deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
}

/**
 * True if no other gateway is connected, so that all leases are of processes that have ended. Call it while opening a database.
 * A SQLite file has one process. False if PostgreSQL does not show our own connection by its name, as behind some poolers:
 * leases then expire by themselves.
 */
export async function isOnlyGateway({ db, kind }: Database): Promise<boolean> {
  if (kind === "sqlite") return true;
  const { rows } = await sql<{ own: boolean }>`
    select pid = pg_backend_pid() as own from pg_stat_activity
    where datname = current_database() and application_name like 'switchboard%'`.execute(db);
  return rows.length === 1 && rows[0]?.own === true;
}
