import { describe, expect, it } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrations/migrations.ts";
import { createLeaseStore } from "../../src/store/shared/leaseStore.ts";
import { tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { databases, tempDatabase } from "./databases.ts";

const TIMES = { leaseMs: 400, renewMs: 50 };
const never = new AbortController().signal;
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(databases)("a lease has one holder among many gateways, on %s", (_, urlOf) => {
  const opened = async () => tempDatabase(await urlOf());

  it("whoever does not get it does nothing, and is told so", async () => {
    const database = await opened();
    let [working, most, done, refused] = [0, 0, 0, 0];
    async function work(): Promise<void> {
      working += 1;
      most = Math.max(most, working);
      await rest(2);
      working -= 1;
    }
    async function ask(times: number): Promise<void> {
      const leases = createLeaseStore(database, TIMES);
      for (let time = 0; time < times; time += 1) {
        if (await leases.withLease("work", never, work)) done += 1;
        else refused += 1;
      }
    }
    await Promise.all(Array.from({ length: 8 }, () => ask(10)));
    expect(most).toBe(1);
    expect(done).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });

  it("is kept for as long as the work lasts, and given back at its end, also a bad one", async () => {
    const database = await opened();
    const [one, other] = [createLeaseStore(database, TIMES), createLeaseStore(database, TIMES)];
    const ends = performance.now() + TIMES.leaseMs * 2.5;
    const held = one.withLease("work", never, async (signal) => {
      await rest(TIMES.leaseMs * 2.5 + 100);
      return signal.aborted;
    });
    await until(async () => (await database.db.selectFrom("leases").selectAll().execute()).length === 1);
    while (performance.now() < ends) {
      expect(await other.withLease("work", never, async () => "mine")).toBeNull();
      await rest(20);
    }
    expect(await held).toEqual({ done: false });
    await expect(one.withLease("work", never, () => Promise.reject(new Error("bad end")))).rejects.toThrow("bad end");
    expect(await other.withLease("work", never, async () => "mine")).toEqual({ done: "mine" });
  });

  it("of a holder that was killed is another's when it has run out, and not before", async () => {
    const database = await opened();
    const expires = Date.now() + 500;
    await database.db.insertInto("leases").values({ name: "work", holder: "killed", expires_at: expires }).execute();
    const other = createLeaseStore(database, TIMES);
    expect(await other.withLease("work", never, async () => "mine")).toBeNull();
    await until(() => other.withLease("work", never, async () => "mine"));
    // The database's clock is this machine's, but for a rounding.
    expect(Date.now()).toBeGreaterThanOrEqual(expires - 5);
  });

  it("is within 20 s of the last sign of life", async () => {
    const database = await opened();
    await createLeaseStore(database).withLease("work", never, async () => {
      const [lease] = await database.db.selectFrom("leases").selectAll().execute();
      expect(Number(lease?.expires_at) - Date.now()).toBeLessThanOrEqual(20_000);
      expect(Number(lease?.expires_at) - Date.now()).toBeGreaterThan(15_000);
    });
  });

  it("that another has taken stops the work, and is not given back", async () => {
    const database = await opened();
    const held = createLeaseStore(database, TIMES).withLease("work", never, async (signal) => {
      await database.db
        .updateTable("leases")
        .set({ holder: "another", expires_at: Date.now() + 60_000 })
        .execute();
      await until(() => signal.aborted);
      signal.throwIfAborted();
    });
    await expect(held).rejects.toThrow("the lease work was lost");
    expect((await database.db.selectFrom("leases").select("holder").execute())[0]?.holder).toBe("another");
  });

  it("gives the work a signal that stops with the gateway", async () => {
    const stopped = new AbortController();
    const leases = createLeaseStore(await opened(), TIMES);
    const held = leases.withLease("work", stopped.signal, async (signal) => {
      stopped.abort();
      return signal.aborted;
    });
    expect(await held).toEqual({ done: true });
  });
});

describe.each(databases)("what a killed gateway held is free at the next start, on %s", (kind, urlOf) => {
  const left = { name: "work", holder: "killed", expires_at: Date.now() + 60_000 };

  it("where it was alone", async () => {
    const url = await urlOf();
    const database = await openDatabase(url, silentLog);
    await migrate(database.db, database.kind);
    await database.db.insertInto("leases").values(left).execute();
    await database[Symbol.asyncDispose]();
    const { leases } = await until(() => tempStore(url).catch(() => null));
    expect(await leases.withLease("work", never, async () => "mine")).toEqual({ done: "mine" });
  });

  it.runIf(kind === "PostgreSQL")("and not where another is at work", async () => {
    const url = await urlOf();
    const other = await tempDatabase(url);
    await other.db.insertInto("leases").values(left).execute();
    const { leases } = await tempStore(url);
    expect(await leases.withLease("work", never, async () => "mine")).toBeNull();
  });
});
