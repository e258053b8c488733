import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSharedRateLimits, type TakePoints } from "../../src/auth/sharedRateLimits.ts";
import { createLogger } from "../../src/logger.ts";
import type { MaybePromise } from "../../src/util/maybePromise.ts";
import { silentLog } from "../support/silentLog.ts";
import { open, tempStore } from "../store/tempStore.ts";
import { postgres } from "../store/databases.ts";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startPostgres } from "../support/postgres/postgresServer.ts";
import { until } from "../support/until.ts";

const RATE_LIMITED = { code: "RATE_LIMITED", retryAfter: expect.any(Number) as number };

/** How many of `count` requests were admitted. Any other outcome than RATE_LIMITED is an error. */
async function admittedOf(
  consume: (caller: string) => MaybePromise<void>,
  count: number,
  caller = "viewer web",
): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, async () => consume(caller)));
  for (const one of outcomes) if (one.status === "rejected") expect(one.reason).toMatchObject(RATE_LIMITED);
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

async function gatewayOn(url: string, perMinute: number) {
  const { rateLimits } = await tempStore(url);
  const takePoints = rateLimits.createTakePoints?.(perMinute);
  if (!takePoints) throw new Error("SQLite does not share rate limits");
  let queries = 0;
  const countedTake: TakePoints = (caller, wanted) => {
    queries += 1;
    return takePoints(caller, wanted);
  };
  return {
    ...createSharedRateLimits({ perMinute, takePoints: countedTake, log: silentLog, timeoutMs: 20_000 }),
    queries: () => queries,
  };
}

describe("A10, A36: a rate limit that gateways share by PostgreSQL", () => {
  it("is exact if it is small, and counts each caller apart", async () => {
    const { url } = await postgres.create();
    const gateways = [await gatewayOn(url, 10), await gatewayOn(url, 10)];
    const passed = await Promise.all(gateways.map(({ consume }) => admittedOf(consume, 20)));
    expect(passed[0]! + passed[1]!).toBe(10);
    for (const { consume } of gateways) await expect(consume("viewer web")).rejects.toMatchObject(RATE_LIMITED);
    await gateways[1]?.consume("viewer ops");
    await gateways[0]?.consume("creator web");
  });

  it("is never exceeded if it is large, with a query to the database for one of a hundred requests", async () => {
    const { url } = await postgres.create();
    const gateways = [await gatewayOn(url, 1000), await gatewayOn(url, 1000)];
    const passed = await Promise.all(gateways.map(({ consume }) => admittedOf(consume, 2000)));
    const together = passed[0]! + passed[1]!;
    expect(together).toBe(1000);
    expect(gateways[0]!.queries() + gateways[1]!.queries()).toBeLessThan(120);
  });

  it("is exact for requests that cost more than one batch", async () => {
    const { url } = await postgres.create();
    const gateways = [await gatewayOn(url, 1000), await gatewayOn(url, 1000)];
    const consume50 = (gateway: (typeof gateways)[number]) => () => gateway.consume("rows web", 50);
    const passed = await Promise.all(gateways.map((gateway) => admittedOf(consume50(gateway), 30)));
    expect(passed[0]! + passed[1]!).toBeLessThanOrEqual(20);
    expect(passed[0]! + passed[1]!).toBeGreaterThanOrEqual(18);
  });

  it("keeps the spent points over a restart", async () => {
    const { url } = await postgres.create();
    expect(await admittedOf((await gatewayOn(url, 10)).consume, 8)).toBe(8);
    expect(await admittedOf((await gatewayOn(url, 10)).consume, 8)).toBe(2);
  });

  it("stores no names and no addresses in the database", async () => {
    const database = await postgres.create();
    await (await gatewayOn(database.url, 10)).consume("viewer 13800010001");
    const rows = await database.ask("select * from spent_points");
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("13800010001");
  });

  it("deletes windows that ended long ago", async () => {
    const database = await postgres.create();
    const store = await tempStore(database.url);
    await store.rateLimits.createTakePoints?.(10)("viewer web", 1);
    await database.ask("insert into spent_points select 'k' || n, 1, 1 from generate_series(1, 5) n");
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const purge = () => store.rateLimits.purge(anHourAgo, 3);
    expect([await purge(), await purge()]).toEqual([3, 2]);
    expect(await database.ask("select count(*) as n from spent_points")).toEqual([{ n: "1" }]);
  });

  it("holds over two gateways, and counts the creation of tasks apart", async () => {
    const { url } = await postgres.create();
    await using directory = await temporaryDirectory();
    const API_KEYS_FILE = await writeKeys(directory.path, { caller: ["tasks:create", "calls:read"] });
    const env = { API_KEYS_FILE, RATE_LIMIT: "3", DATABASE_URL: url };
    await using one = await startGateway(NO_SERVICE, env);
    await using other = await startGateway(NO_SERVICE, env);
    const ask = async (gateway: typeof one, query: string) =>
      (await gateway.ask(query, {}, { authorization: bearer("caller") })).errors?.map(({ extensions }) => extensions);
    await ask(one, "{ a: task(taskId: 1) { name } b: task(taskId: 2) { name } c: task(taskId: 3) { name } }");
    expect(await ask(other, "{ task(taskId: 4) { name } }")).toMatchObject([RATE_LIMITED]);
    const create = `mutation { createTask(input: { idempotencyKey: "k", name: "n", assistantId: 1, numbers: [], option: {
      numberFileMeta: { number: 0, name: 0, gender: 0, salesPersonName: 0 }, lineIds: [1], periods: [["09:00"]]
      startDate: "2026-01-01", retryCount: 0, retryIntervalSeconds: 0 } }) { errors { code } } }`;
    for (const gateway of [one, other, one]) expect(await ask(gateway, create)).toBeUndefined();
    expect(await ask(other, create)).toMatchObject([RATE_LIMITED]);
  });

  it("is not shared on SQLite", async () => {
    expect((await tempStore()).rateLimits.createTakePoints).toBeNull();
  });
});

describe("a rate limit while the database is down", () => {
  const limit = 5;

  it.each<[string, TakePoints]>([
    ["that refuses", () => Promise.reject(new Error("down"))],
    ["that never answers", () => new Promise(() => undefined)],
  ])("is counted by each gateway alone if the database %s", async (_, takePoints) => {
    const lines: string[] = [];
    const log = createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) });
    const { consume } = createSharedRateLimits({ perMinute: limit, takePoints, log, timeoutMs: 10 });
    expect(await admittedOf(consume, 20)).toBe(limit);
    expect(await admittedOf(consume, 20, "viewer ops")).toBe(limit);
    expect(lines).toHaveLength(1);
  });

  it("is shared again after a while", async () => {
    let now = 0;
    let isDown = true;
    let queries = 0;
    const takePoints: TakePoints = async (_caller, points) => {
      queries += 1;
      if (isDown) throw new Error("down");
      return { granted: points, endsInMs: 60_000 };
    };
    const { consume } = createSharedRateLimits({
      perMinute: limit,
      takePoints,
      log: silentLog,
      now: () => now,
    });
    expect(await admittedOf(consume, 10)).toBe(limit);
    expect(queries).toBe(1);
    isDown = false;
    now += 5000;
    await consume("viewer web");
    expect(queries).toBe(2);
  });

  it("survives a PostgreSQL that is killed and restarted", async () => {
    await using server = await startPostgres({ fsync: false });
    const store = await open(server.url);
    try {
      const takePoints = store.rateLimits.createTakePoints?.(limit) as TakePoints;
      let now = Date.now();
      const { consume } = createSharedRateLimits({
        perMinute: limit,
        takePoints,
        log: silentLog,
        now: () => now,
      });
      await consume("viewer web");
      await server.kill();
      expect(await admittedOf(consume, 20)).toBe(limit);
      await server.start();
      now += 60_000;
      // The pool detects its broken connections one by one.
      await until(() => takePoints("probe", 1).catch(() => null));
      expect(await admittedOf(consume, 20)).toBe(limit);
    } finally {
      await store[Symbol.asyncDispose]();
    }
  });
});

describe("a window of a shared rate limit", () => {
  it("never grants more than its limit, for any gateways, callers and ends of windows", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 200 }), fc.nat(40_000)), { maxLength: 12 }),
        async (perMinute, steps) => {
          let now = 1000;
          const shared = { spent: 0, endsAt: 0 };
          const passed = new Map<number, number>();
          const takePoints: TakePoints = async (_caller, points) => {
            if (shared.endsAt <= now) Object.assign(shared, { spent: 0, endsAt: now + 60_000 });
            const granted = Math.max(0, Math.min(points, perMinute - shared.spent));
            shared.spent += points;
            return { granted, endsInMs: shared.endsAt - now };
          };
          const gateways = [0, 1, 2].map(() =>
            createSharedRateLimits({ perMinute, takePoints, log: silentLog, now: () => now }),
          );
          for (const [which, count, ms] of steps) {
            now += ms;
            const admitted = await admittedOf(gateways[which]!.consume, count);
            passed.set(shared.endsAt, (passed.get(shared.endsAt) ?? 0) + admitted);
          }
          for (const admitted of passed.values()) expect(admitted).toBeLessThanOrEqual(perMinute);
        },
      ),
      { numRuns: 60 },
    );
  });
});
