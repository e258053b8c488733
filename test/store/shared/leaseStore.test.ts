import { describe, expect, it } from "vitest";
import { silentLog } from "../../support/silentLog.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrations/migrations.ts";
import { createLeaseStore } from "../../../src/store/shared/leaseStore.ts";
import { tempDatabase, tempStore } from "../tempStore.ts";
import { until } from "../../support/until.ts";
import { databases } from "../databases.ts";

const TIMES = { leaseMs: 400, renewMs: 50 };
const never = new AbortController().signal;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(databases)("A lease on %s", (_, { create }) => {
  const opened = async () => tempDatabase((await create()).url);

  it("has one holder at a time; withLease() returns null to the others", async () => {
    const database = await opened();
    let [working, maxWorking, done, refused] = [0, 0, 0, 0];
    async function work(): Promise<void> {
      working += 1;
      maxWorking = Math.max(maxWorking, working);
      await sleep(2);
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
    expect(maxWorking).toBe(1);
    expect(done).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });

  it("lasts as long as the work, and is released when the work fails", async () => {
    const database = await opened();
    const [one, other] = [createLeaseStore(database, TIMES), createLeaseStore(database, TIMES)];
    const ends = performance.now() + TIMES.leaseMs * 2.5;
    const held = one.withLease("work", never, async (signal) => {
      await sleep(TIMES.leaseMs * 2.5 + 100);
      return signal.aborted;
    });
    await until(async () => (await database.db.selectFrom("leases").selectAll().execute()).length === 1);
    while (performance.now() < ends) {
      expect(await other.withLease("work", never, async () => "mine")).toBeNull();
      await sleep(20);
    }
    expect(await held).toEqual({ done: false });
    await expect(one.withLease("work", never, () => Promise.reject(new Error("bad end")))).rejects.toThrow("bad end");
    expect(await other.withLease("work", never, async () => "mine")).toEqual({ done: "mine" });
  });

  it("is free after a killed holder's lease has expired", async () => {
    const database = await opened();
    const expires = Date.now() + 500;
    await database.db.insertInto("leases").values({ name: "work", holder: "killed", expires_at: expires }).execute();
    const other = createLeaseStore(database, TIMES);
    expect(await other.withLease("work", never, async () => "mine")).toBeNull();
    await until(() => other.withLease("work", never, async () => "mine"));
    // The database and the test share a clock, except for rounding.
    expect(Date.now()).toBeGreaterThanOrEqual(expires - 5);
  });

  it("expires within 20 s of the last renewal", async () => {
    const database = await opened();
    await createLeaseStore(database).withLease("work", never, async () => {
      const [lease] = await database.db.selectFrom("leases").selectAll().execute();
      expect(Number(lease?.expires_at) - Date.now()).toBeLessThanOrEqual(20_000);
      expect(Number(lease?.expires_at) - Date.now()).toBeGreaterThan(15_000);
    });
  });

  it("aborts the work if another gateway took it over, and is not released then", async () => {
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

  it("aborts the signal of the work when the gateway stops", async () => {
    const stopped = new AbortController();
    const leases = createLeaseStore(await opened(), TIMES);
    const held = leases.withLease("work", stopped.signal, async (signal) => {
      stopped.abort();
      return signal.aborted;
    });
    expect(await held).toEqual({ done: true });
  });
});

describe.each(databases)("The lease of a killed gateway on %s", (kind, { create }) => {
  const left = { name: "work", holder: "killed", expires_at: Date.now() + 60_000 };

  it("is free at the next start if no other gateway runs", async () => {
    const url = (await create()).url;
    const database = await openDatabase(url, silentLog);
    await migrate(database.db, database.kind);
    await database.db.insertInto("leases").values(left).execute();
    await database[Symbol.asyncDispose]();
    const { leases } = await until(() => tempStore(url).catch(() => null));
    expect(await leases.withLease("work", never, async () => "mine")).toEqual({ done: "mine" });
  });

  it.runIf(kind === "PostgreSQL")("is not free while another gateway runs", async () => {
    const url = (await create()).url;
    const other = await tempDatabase(url);
    await other.db.insertInto("leases").values(left).execute();
    const { leases } = await tempStore(url);
    expect(await leases.withLease("work", never, async () => "mine")).toBeNull();
  });
});
