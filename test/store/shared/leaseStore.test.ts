import { sql } from "kysely";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { silentLog } from "../../support/silentLog.ts";
import { openDatabase, type Database } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrations/migrations.ts";
import { createLeaseStore } from "../../../src/store/shared/leaseStore.ts";
import { tempDatabase, tempStore } from "../tempStore.ts";
import { until } from "../../support/until.ts";
import { databases, postgres } from "../databases.ts";

const never = new AbortController().signal;
const LEASE_MS = 20_000;
const RENEW_MS = 5000;

const leaseOf = ({ db }: Database) => db.selectFrom("leases").selectAll().executeTakeFirst();

/** As if the time had passed on the database's clock. */
async function passInDatabase({ db }: Database, ms: number): Promise<void> {
  await db
    .updateTable("leases")
    .set((eb) => ({ expires_at: eb("expires_at", "-", ms) }))
    .execute();
}

describe.each(databases)("A lease on %s", (_, { create }) => {
  /** The clock of the gateways, which run in this process, moves by `vi.advanceTimersByTime` alone. */
  async function opened(): Promise<Database> {
    const database = await tempDatabase((await create()).url);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    return database;
  }

  it("has one holder at a time; withLease() returns null to the others", async () => {
    const database = await opened();
    const gateways = Array.from({ length: 8 }, () => createLeaseStore(database));
    for (let round = 0; round < 10; round += 1) {
      const finish = Promise.withResolvers<void>();
      let [holders, refused] = [0, 0];
      async function work(): Promise<void> {
        holders += 1;
        await finish.promise;
      }
      const answered = gateways.map(async (leases) => {
        if ((await leases.withLease("work", never, work)) === null) refused += 1;
      });
      await until(() => holders + refused === gateways.length);
      finish.resolve();
      await Promise.all(answered);
      expect({ holders, refused }).toEqual({ holders: 1, refused: 7 });
    }
  });

  it("lasts as long as the work, because it is renewed", async () => {
    const database = await opened();
    const [one, other] = [createLeaseStore(database), createLeaseStore(database)];
    const finish = Promise.withResolvers<void>();
    const held = one.withLease("work", never, async (signal) => {
      await finish.promise;
      return signal.aborted;
    });
    await until(() => leaseOf(database));
    for (let passed = 0; passed <= 2 * LEASE_MS; passed += RENEW_MS) {
      await passInDatabase(database, RENEW_MS);
      const before = Number((await leaseOf(database))?.expires_at);
      vi.advanceTimersByTime(RENEW_MS);
      await until(async () => Number((await leaseOf(database))?.expires_at) > before);
      expect(await other.withLease("work", never, async () => "mine")).toBeNull();
    }
    finish.resolve();
    expect(await held).toEqual({ done: false });
  });

  it("is released when the work fails", async () => {
    const database = await opened();
    const [one, other] = [createLeaseStore(database), createLeaseStore(database)];
    await expect(one.withLease("work", never, () => Promise.reject(new Error("bad end")))).rejects.toThrow("bad end");
    expect(await other.withLease("work", never, async () => "mine")).toEqual({ done: "mine" });
  });

  it("is free 20 s after the last renewal of a holder that was killed or stands still", async () => {
    const database = await opened();
    const [still, other] = [createLeaseStore(database), createLeaseStore(database)];
    await still.withLease("work", never, async () => {
      await passInDatabase(database, LEASE_MS / 2);
      expect(await other.withLease("work", never, async () => "mine")).toBeNull();
      await passInDatabase(database, LEASE_MS / 2);
      expect(await until(() => other.withLease("work", never, async () => "mine"))).toEqual({ done: "mine" });
    });
  });

  it("aborts the work if another gateway took it over, and is not released then", async () => {
    const database = await opened();
    const held = createLeaseStore(database).withLease("work", never, async (signal) => {
      await database.db
        .updateTable("leases")
        .set({ holder: "another", expires_at: Date.now() + 60_000 })
        .execute();
      vi.advanceTimersByTime(RENEW_MS);
      await until(() => signal.aborted);
      signal.throwIfAborted();
    });
    await expect(held).rejects.toThrow("the lease work was lost");
    expect((await leaseOf(database))?.holder).toBe("another");
  });

  it("aborts the work if the database does not answer until it has expired", async () => {
    const database = await opened();
    const held = createLeaseStore(database).withLease("work", never, async (signal) => {
      await sql`alter table leases rename to leases_away`.execute(database.db);
      vi.advanceTimersByTime(LEASE_MS + RENEW_MS);
      await until(() => signal.aborted);
      signal.throwIfAborted();
    });
    await expect(held).rejects.toThrow("the lease work was lost");
  });

  it("aborts the signal of the work when the gateway stops", async () => {
    const stopped = new AbortController();
    const leases = createLeaseStore(await opened());
    const held = leases.withLease("work", stopped.signal, async (signal) => {
      stopped.abort();
      return signal.aborted;
    });
    expect(await held).toEqual({ done: true });
  });
});

/** It does not expire while a test runs. */
const left = () => ({ name: "work", holder: "killed", expires_at: Date.now() + 300_000 });

const OTHERS = "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

describe.each(databases)("The lease of a killed gateway on %s", (_, { create }) => {
  it("is free at the next start if no other gateway runs", async () => {
    const { url, ask } = await create();
    const database = await openDatabase(url, silentLog, { fsync: "elsewhere" });
    await migrate(database);
    await database.db.insertInto("leases").values(left()).execute();
    await database[Symbol.asyncDispose]();
    // PostgreSQL sees the end of a connection a moment later. Until then a gateway runs.
    if (url.startsWith("postgres")) await until(async () => (await ask(OTHERS)).length === 0);
    const { leases } = await until(() => tempStore(url).catch(() => null));
    expect(await leases.withLease("work", never, async () => "mine")).toEqual({ done: "mine" });
  });
});

describe("The lease of a killed gateway on PostgreSQL", () => {
  it("is not free while another gateway runs", async () => {
    const { url } = await postgres.create();
    const other = await tempDatabase(url);
    await other.db.insertInto("leases").values(left()).execute();
    const { leases } = await tempStore(url);
    expect(await leases.withLease("work", never, async () => "mine")).toBeNull();
  });
});
