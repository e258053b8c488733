// Work that one gateway does for all: whoever holds the lease does it, and who dies loses it. Two can still overlap, for
// a holder may stall without knowing it: the work must bear that.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { databaseNow } from "../sqlHelpers.ts";
import { guarded } from "../storeError.ts";

/** By the database's clock, which all gateways share. A killed holder's lease is free after so long. */
const LEASE_MS = 20_000;
const RENEW_MS = 5000;

export interface LeaseStore {
  /**
   * Does the work while it holds the lease, and gives it back then, however the work ends; null, and nothing was done,
   * where another holds it. The work's signal aborts with `stopped`, and when the lease could not be kept. Throws what
   * the work throws, and STORE_UNAVAILABLE where the lease cannot be asked for.
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

/** One holder for each lease store: a process that starts anew is another one. */
export function createLeaseStore(
  database: Database,
  { leaseMs, renewMs }: LeaseTimes = { leaseMs: LEASE_MS, renewMs: RENEW_MS },
): LeaseStore {
  const holder = randomUUID();
  const take = (name: string) => guarded(() => takeLease(database, { name, holder, leaseMs }));

  /** Renews until it is disposed of; aborts when another has the lease, or may have by now. */
  function keep(name: string): AsyncDisposable & { signal: AbortSignal } {
    const lost = new AbortController();
    let renewing = Promise.resolve();
    let heldUntil = performance.now() + leaseMs;
    async function renew(): Promise<void> {
      const asked = performance.now();
      const isHeld = await take(name).catch(() => null);
      if (isHeld) heldUntil = asked + leaseMs;
      // A database that does not answer takes no lease away before its time.
      if (isHeld === false || performance.now() > heldUntil) lost.abort(new Error(`the lease ${name} was lost`));
    }
    const timer = setInterval(() => {
      renewing = renew();
    }, renewMs);
    timer.unref();
    return {
      signal: lost.signal,
      // A renewal under way would take the lease again behind its being given back.
      async [Symbol.asyncDispose]() {
        clearInterval(timer);
        await renewing;
      },
    };
  }

  return {
    async withLease(name, stopped, work) {
      if (!(await take(name))) return null;
      try {
        await using kept = keep(name);
        return { done: await work(AbortSignal.any([stopped, kept.signal])) };
      } finally {
        // Where this fails the lease runs out by itself.
        await giveBack(database, name, holder).catch(() => undefined);
      }
    },
  };
}

/** For a gateway that is alone: whoever held a lease is gone. */
export async function freeAbandonedLeases({ db }: Database): Promise<void> {
  await db.deleteFrom("leases").execute();
}

interface Lease {
  name: string;
  holder: string;
  leaseMs: number;
}

/** Takes it where it is free, has run out, or is the holder's own; one statement, so that two cannot both. */
async function takeLease({ db, kind }: Database, { name, holder, leaseMs }: Lease): Promise<boolean> {
  const now = databaseNow(kind);
  const taken = await db
    .insertInto("leases")
    .values({ name, holder, expires_at: sql<number>`${now} + ${sql.lit(leaseMs)}` })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet((eb) => ({ holder: eb.ref("excluded.holder"), expires_at: eb.ref("excluded.expires_at") }))
        .where((eb) => eb.or([eb("leases.holder", "=", holder), eb("leases.expires_at", "<=", now)])),
    )
    .returning("name")
    .executeTakeFirst();
  return taken !== undefined;
}

async function giveBack({ db }: Database, name: string, holder: string): Promise<void> {
  await db.deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
}
