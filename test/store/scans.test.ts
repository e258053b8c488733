import { open } from "node:fs/promises";
import { sql, type Kysely, type SqlBool } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { openDatabase, type Database } from "../../src/store/database.ts";
import { createAuditStore } from "../../src/store/audit/auditStore.ts";
import { createEventStore, type EventStore } from "../../src/store/events/eventStore.ts";
import { chunksOf } from "../../src/store/sqlHelpers.ts";
import { migrate } from "../../src/store/migrations/migrations.ts";
import { createQueryOwner } from "../../src/store/scheduling/queryOwner.ts";
import { createStatsStore } from "../../src/store/events/statsStore.ts";
import type { Tables } from "../../src/store/tables.ts";
import { until } from "../support/until.ts";
import { databases } from "./databases.ts";
import { appendRows, eventRow, tempFile } from "./tempStore.ts";

const ROWS = 2048;

async function openStore(url: string): Promise<{ database: Database; events: EventStore }> {
  const database = await openDatabase(url, silentLog, { fsync: "elsewhere" });
  onTestFinished(() => database[Symbol.asyncDispose]());
  await migrate(database);
  const events = createEventStore(database);
  const rows = Array.from({ length: ROWS }, (_, at) => eventRow({ sessionId: `s${at}` }));
  await appendRows(events, rows);
  return { database, events };
}

type Table = "events" | "audit";

/** A scan of 8.6 billion rows. */
const endless =
  (database: Database, table: Table = "events") =>
  (db: Kysely<Tables>) => {
    const rows = sql.table(table);
    const guard = database.scanGuard(table === "events" ? "events.seq" : "audit.id");
    return sql`select count(*) from ${rows} as a cross join ${rows} as b cross join ${rows} where ${guard}`.execute(db);
  };

/** A scan of a reader who can cancel it; `begun` resolves when it runs. */
function scanFor(database: Database, name: string, what = "endless", table?: Table) {
  const cancel = new AbortController();
  const begun = Promise.withResolvers<void>();
  const answer = database.scan(createQueryOwner(name, cancel.signal), [what], (db) => {
    begun.resolve();
    return endless(database, table)(db);
  });
  answer.catch(() => undefined);
  return { abort: () => cancel.abort(), begun: begun.promise, answer };
}

describe.each(databases)("Scans of the log (%s)", (kind, { create }) => {
  it("delay no append, no short read and no health check", async () => {
    const { database, events } = await openStore((await create()).url);
    const scans = Array.from({ length: 10 }, (_, at) => scanFor(database, "many", `endless ${at}`));
    await scans[0]?.begun;
    await appendRows(events, [eventRow({ sessionId: "appended" })]);
    expect(await events.head()).toBe(ROWS + 1);
    expect(await database.read(createQueryOwner("one"), ["head"], () => events.head())).toBe(ROWS + 1);
    expect(await database.canWrite()).toBe(true);
    for (const { abort } of scans) abort();
    for (const { answer } of scans) await expect(answer).rejects.toThrow("aborted");
    await until(async () => (await running(database)) === 0);
  });

  it("end when nobody waits for them, so that the next scan runs", async () => {
    const { database } = await openStore((await create()).url);
    const stats = createStatsStore(database);
    const scans = Array.from({ length: 10 }, (_, at) => scanFor(database, "many", `endless ${at}`));
    await scans[0]?.begun;
    const counted = stats.totals(createQueryOwner("one"), {});
    for (const { abort } of scans) abort();
    expect(await counted).toMatchObject({ calls: ROWS });
    await until(async () => (await running(database)) === 0);
  });

  it("of the audit log end when nobody waits for them, so that the next one runs", async () => {
    const { database } = await openStore((await create()).url);
    const entries = Array.from({ length: ROWS }, (_, at) => ({
      at: "2026-11-20T01:00:00.000Z",
      actor: "ops",
      action: "TASK_SUBMITTED" as const,
      subject: `${at}`,
      count: 1,
    }));
    for (const some of chunksOf(entries)) await database.db.insertInto("audit").values(some).execute();
    const { abort, begun, answer } = scanFor(database, "many", "endless", "audit");
    await begun;
    const filter = { actors: ["nobody", "ops"] };
    const found = createAuditStore(database).search(createQueryOwner("one"), filter, { after: null, limit: 1 });
    abort();
    await expect(answer).rejects.toThrow("aborted");
    expect(await found).toMatchObject([{ subject: `${ROWS - 1}` }]);
    await until(async () => (await running(database)) === 0);
  });

  it("of the audit log check for each entry whether somebody waits", async () => {
    const { database } = await openStore((await create()).url);
    await database.db
      .insertInto("audit")
      .values({ at: "2026-11-20T01:00:00.000Z", actor: "ops", action: "TASK_SUBMITTED", subject: "1", count: 1 })
      .execute();
    const refusing = { ...database, scanGuard: (rowId: string) => sql<SqlBool>`${sql.ref(rowId)} < 0` };
    const searchBy = (by: Database) =>
      createAuditStore(by).search(createQueryOwner("one"), { actors: ["ops"] }, { after: null, limit: 1 });
    expect([(await searchBy(database)).length, (await searchBy(refusing)).length]).toEqual([1, 0]);
  });

  it("are shared by equal requests of one reader", async () => {
    const { database } = await openStore((await create()).url);
    let asked = 0;
    const counting = {
      ...database,
      scan: ((reader, question, query) =>
        database.scan(reader, question, (db) => {
          asked += 1;
          return query(db);
        })) as Database["scan"],
    };
    const stats = createStatsStore(counting);
    const [one, other] = [createQueryOwner("one"), createQueryOwner("other")];
    const totals = [one, one, other, one].map((reader) => stats.totals(reader, { direction: "outbound" }));
    for (const each of await Promise.all(totals)) expect(each.calls).toBe(ROWS);
    // The second reader asked after the first one's scan had begun.
    expect(asked).toBe(2);
    await stats.totals(one, { direction: "outbound" });
    expect(asked).toBe(2);
    await stats.totals(one, { direction: "inbound" });
    expect(asked).toBe(3);
  });

  it("count a call once while it is revised", async () => {
    const { database, events } = await openStore((await create()).url);
    const stats = createStatsStore(database);
    const stop = new AbortController();
    const revising = (async () => {
      for (let at = 0; !stop.signal.aborted; at = (at + 97) % ROWS) {
        await appendRows(events, [eventRow({ sessionId: `s${at}`, answered: at % 2 === 0 })], (earlier, row) => ({
          ...row,
          revision: earlier.length + 1,
        }));
      }
    })();
    for (let at = 0; at < 30; at += 1) expect((await stats.totals(createQueryOwner("one"), {})).calls).toBe(ROWS);
    stop.abort();
    await revising;
  });

  it("run again after a scrub of the files", async () => {
    const { database } = await openStore((await create()).url);
    const { abort, begun, answer } = scanFor(database, "one");
    await begun;
    await database.scrub();
    expect(await Promise.race([answer, Promise.resolve("it runs")])).toBe("it runs");
    abort();
    await expect(answer).rejects.toThrow("aborted");
    const { calls } = await createStatsStore(database).totals(createQueryOwner("one"), {});
    expect(calls).toBe(ROWS);
  });

  /** The number of scans that the database executes. */
  async function running({ db }: Database): Promise<number> {
    // SQLite's thread runs one statement at a time, and has answered a later one.
    if (kind === "SQLite") return 0;
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where state = 'active' and query like '%cross join%' and pid <> pg_backend_pid()`.execute(db);
    return rows[0]?.count ?? -1;
  }
});

describe("Missed events of 1,500 subscriptions of one viewer", () => {
  it("are all read at once, while other reads of the viewer are refused beyond 1,000", async () => {
    const { database, events } = await openStore(`file:${tempFile()}`);
    const reader = createQueryOwner("many");
    const missed = Array.from({ length: 1500 }, (_, after) =>
      events.read({
        filter: {},
        revisions: true,
        after,
        through: ROWS,
        order: "oldestFirst",
        limit: 1,
        queryOwner: reader,
      }),
    );
    const pages = Array.from({ length: 1500 }, (_, after) =>
      database.read(reader, ["page", after], () => events.head()),
    );
    const settled = Promise.allSettled(pages);
    expect((await Promise.all(missed)).map(([row]) => row?.seq)).toEqual(missed.map((_, after) => after + 1));
    const refused = (await settled).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(1500 - 1001);
  });
});

/** How often SQLite has started the write-ahead log anew: the "checkpoint sequence number" in its header. */
async function timesRestarted(file: string): Promise<number> {
  await using log = await open(`${file}-wal`);
  const header = await log.read({ buffer: Buffer.alloc(32) });
  return header.buffer.readUInt32BE(12);
}

describe("The write-ahead log of a SQLite file", () => {
  it("starts anew again and again while one scan follows another", async () => {
    const file = tempFile();
    const { database, events } = await openStore(`file:${file}`);
    const stop = new AbortController();
    const some = sql`(select seq from events limit 2000)`;
    const slowScan = (db: Kysely<Tables>) => sql`select count(*) from ${some} as a cross join ${some} as b`.execute(db);
    const scanning = ["one", "two"].map(async (name) => {
      while (!stop.signal.aborted) await database.scan(createQueryOwner(name), [name], slowScan);
    });
    const data = JSON.stringify("x".repeat(4096));
    const enough = (await timesRestarted(file)) + 2;
    for (let batch = 0; batch < 5000 && (await timesRestarted(file)) < enough; batch++) {
      const rows = Array.from({ length: 64 }, (_, n) => eventRow({ sessionId: `long ${batch * 64 + n}`, data }));
      await appendRows(events, rows);
    }
    stop.abort();
    await Promise.all(scanning);
    expect(await timesRestarted(file)).toBeGreaterThanOrEqual(enough);
  });
});
