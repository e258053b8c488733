// What a gateway does again and again while it has a lease.
import { describe, expect, it, onTestFinished } from "vitest";
import { keepLease } from "../../../src/store/shared/keepLease.ts";
import { createLeaseStore } from "../../../src/store/shared/leaseStore.ts";
import { rest } from "../../../src/util/startRepeating.ts";
import { until } from "../../support/until.ts";
import { databases } from "../databases.ts";
import { tempDatabase } from "../tempStore.ts";

const FOREVER_MS = 3_600_000;

describe.each(databases)("Work that keeps a lease on %s", (_, { create }) => {
  async function gateways() {
    const database = await tempDatabase((await create()).url);
    return [createLeaseStore(database), createLeaseStore(database)] as const;
  }

  it("is done by one of two gateways, begins anew after it failed, and is the other one's when that one stops", async () => {
    const begun: string[] = [];
    const failures: unknown[] = [];
    const running = (await gateways()).map((leases, index) =>
      keepLease(leases, {
        name: "work",
        async work(signal) {
          begun.push(index === 0 ? "first" : "second");
          if (begun.length === 1) throw new Error("The database is away.");
          await rest(FOREVER_MS, signal);
        },
        pauseMs: 1,
        failed: (err) => failures.push(err),
      }),
    );
    onTestFinished(async () => {
      for (const each of running) await each[Symbol.asyncDispose]();
    });
    await until(() => begun.length === 2);
    expect(failures).toEqual([new Error("The database is away.")]);
    const holder = begun[1];
    await running[holder === "first" ? 0 : 1]?.[Symbol.asyncDispose]();
    await until(() => begun.length === 3);
    expect(begun[2]).toBe(holder === "first" ? "second" : "first");
    expect(failures).toHaveLength(1);
  });

  // Elsewhere the one that had lost it never asked again: https://github.com/jcmoraisjr/haproxy-ingress/pull/1210
  it("ends when another gateway has taken the lease, and begins anew when that one has returned it", async () => {
    const database = await tempDatabase((await create()).url);
    const states: string[] = [];
    const failures: unknown[] = [];
    const kept = keepLease(createLeaseStore(database, { leaseMs: 60_000, renewMs: 1 }), {
      name: "work",
      async work(signal) {
        states.push("begun");
        await rest(FOREVER_MS, signal);
        states.push("ended");
      },
      pauseMs: 1,
      failed: (err) => failures.push(err),
    });
    onTestFinished(async () => kept[Symbol.asyncDispose]());
    await until(() => states.length === 1);
    await database.db.updateTable("leases").set({ holder: "another gateway" }).execute();
    await until(() => states.length === 2);
    await database.db.deleteFrom("leases").where("holder", "=", "another gateway").execute();
    await until(() => states.length === 3);
    expect([states, failures]).toEqual([["begun", "ended", "begun"], []]);
  });

  it("ends with its signal before it is disposed of, and tells of no failure that the stop has caused", async () => {
    const [leases] = await gateways();
    const failures: unknown[] = [];
    const states: string[] = [];
    const kept = keepLease(leases, {
      name: "work",
      async work(signal) {
        states.push("begun");
        await rest(FOREVER_MS, signal);
        states.push("ended");
        signal.throwIfAborted();
      },
      pauseMs: 1,
      failed: (err) => failures.push(err),
    });
    await until(() => states.length === 1);
    await kept[Symbol.asyncDispose]();
    expect([states, failures]).toEqual([["begun", "ended"], []]);
  });
});
