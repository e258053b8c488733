// Tests what the benchmark of several gateways counts and computes.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needOf, type Costs } from "../../bench/scaling/limits.ts";
import { startMeteredPostgres, type MeteredPostgres } from "../../bench/scaling/postgresMeter.ts";
import { openClient } from "../support/postgres/connections.ts";
import { openCommits, countRoundTrips } from "../../bench/scaling/quietCommits.ts";

describe("a metered PostgreSQL", () => {
  let postgres: MeteredPostgres;
  beforeAll(async () => {
    postgres = await startMeteredPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  it("counts the commits of the log, not its other statements", async () => {
    await using log = await openCommits(postgres.url);
    await postgres.meter();
    for (const size of [1, 5, 64]) await log.commit(size);
    const used = await postgres.meter();
    expect(used.commits).toBe(3);
    expect(used.statements).toBeGreaterThanOrEqual(9);
    expect(used.walBytes).toBeGreaterThan(10_000);
    expect(used.cpuMs).toBeGreaterThan(0);
    expect(await postgres.meter()).toMatchObject({ commits: 0, lockWaitMs: 0 });
  });

  it("samples the part of the time in which the lock is held", async () => {
    const client = await openClient({ connectionString: postgres.url });
    const [, free] = await postgres.sample(() => client.query("select 1"));
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(1)");
    const [result, held] = await postgres.sample(() => client.query("select 2 as two"));
    await client.query("commit");
    await client.end();
    expect(result.rows).toEqual([{ two: 2 }]);
    expect([free.lockHeld, held.lockHeld]).toEqual([0, 1]);
    expect(held.connections).toBeGreaterThan(0);
    expect(held.mostActive).toBe(1);
  });

  it("counts a round trip for each statement that waits for the one before", async () => {
    // The gateway polls in the background, so that a few more may be counted.
    const trips = await countRoundTrips(postgres.url);
    expect(trips).toBeGreaterThanOrEqual(1);
    expect(trips).toBeLessThan(6);
  });
});

describe("the computed need", () => {
  const costs: Costs = { query: 100, webhook: 200, delivery: 10, heard: 100, databaseWebhook: 50 };
  const nothing = { callsADay: 0, viewers: 0, queriesAMinute: 0 };

  it("is one gateway where little happens", () => {
    expect(needOf(nothing, costs)).toMatchObject({ gateways: 1, gatewayCores: 0, databaseCores: 0 });
  });

  it("counts the busiest second of the day", () => {
    const need = needOf({ callsADay: 2_160_000, viewers: 10, queriesAMinute: 60 }, costs);
    expect(need).toMatchObject({ webhooksPerSecond: 100, deliveriesPerSecond: 1000, gateways: 1 });
    expect(need.gatewayCores).toBeCloseTo((100 * 200 + 1000 * 10 + 10 * 100) / 1e6);
    expect(need.databaseCores).toBeCloseTo(0.005);
  });

  it("leaves half of each gateway's core free, and lets each gateway hear each event", () => {
    const need = needOf({ callsADay: 21_600_000, viewers: 100, queriesAMinute: 0 }, costs);
    // One core for the deliveries, 0.2 for the webhooks, and 0.1 for each further gateway.
    expect(need.gateways).toBe(3);
    expect(need.gatewayCores).toBeCloseTo(1.4);
  });

  it("is infinite where no gateway could hear all events", () => {
    expect(needOf({ callsADay: 216_000_000, viewers: 0, queriesAMinute: 0 }, costs).gateways).toBe(Infinity);
  });
});
