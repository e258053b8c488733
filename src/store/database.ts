// One database, SQLite or PostgreSQL: what the queries of this folder need to know of it beyond SQL.
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely, sql, type RawBuilder, type SqlBool } from "kysely";
import type { Log } from "../log.ts";
import { createFairQueue, createPacedDelivery } from "./scheduling/fairQueue.ts";
import { createLoopTurns, type LoopTurns } from "../util/loopTurns.ts";
import type { Append, LogWriter } from "./log/logWriter.ts";
import type { OnChange } from "./postgres/postgres.ts";
import { createPostgresLogWriter } from "./postgres/postgresLogWriter.ts";
import { scanPostgres } from "./postgres/postgresScans.ts";
import { lockFile, restrictPermissions } from "./sqlite/databaseFile.ts";
import type { ScanConnections } from "./scheduling/scanConnections.ts";
import type { QueryOwner } from "./scheduling/queryOwner.ts";
import { createDiskSpaceProbe, type DiskSpaceProbe } from "./diskSpaceProbe.ts";
import { openSqlite, THREAD_URL } from "./sqlite/sqlite.ts";
import { createSqliteLogWriter } from "./sqlite/sqliteLogWriter.ts";
import { scanFile } from "./sqlite/sqliteScans.ts";
import type { Tables } from "./tables.ts";
import { readWalState, refuseDamagedWal } from "./sqlite/writeAheadLog.ts";

export type DatabaseKind = "sqlite" | "postgres";

export interface Database extends AsyncDisposable {
  kind: DatabaseKind;
  db: Kysely<Tables>;
  /**
   * A read that may look at many rows: on connections of its own, in the reader's turn, and not any more once nobody waits for
   * it. The same question of several readers who wait is one scan.
   */
  scan: Scan;
  /** Of each row of `events` that a scan looks at: true, or the end of a scan that nobody waits for. */
  scanGuard: RawBuilder<SqlBool>;
  /** A short read, in the reader's turn: few at once, so that an append waits for one of them at the most. */
  read: Read;
  /** The same for subscriptions, each of which has one that waits: none is refused, however many come back at once. */
  replay: Read;
  append: Append;
  log: LogWriter;
  /** Whether what comes will fit, as far as it is known; a server's disk is looked after by the server. */
  hasDiskSpace(): Promise<boolean>;
  /** Whether the last transaction was found broken off; a server looks after its own. */
  isLogTorn: boolean;
  /** Takes what was deleted out of the files, as far as the database can; outside any transaction. */
  scrub(): Promise<void>;
  /** Wakes the listeners of other processes, for a change beside the log. One that is lost costs them a poll. */
  notifyOthers(): Promise<void>;
  /**
   * Calls back when a process, this one too, has appended or changed something beside the log. Never on SQLite, which is
   * for one process.
   */
  onChange(listener: OnChange): AsyncDisposable;
}

export type Read = <T>(reader: QueryOwner, question: readonly unknown[], query: () => Promise<T>) => Promise<T>;

export type Scan = <T>(
  reader: QueryOwner,
  question: readonly unknown[],
  query: (db: Kysely<Tables>) => Promise<T>,
) => Promise<T>;

const TABLES_OF_PEOPLE = ["events", "event_assistants", "quarantine", "recordings", "submissions", "open_calls"];
const APPEND_LOCK = 7_240_002;
const STATEMENT_TIMEOUT_MS = 5000;
const CONNECTIONS = 10;
/** How many are done at once. On a server they have so many of the connections; the others are left for what must not wait. */
const AT_ONCE = { sqlite: { scans: 1, reads: 1, replays: 1 }, postgres: { scans: 3, reads: 1, replays: 2 } };
/** Scans, and other reads, of one viewer. */
const MOST_WAITING = 1000;
/** A gateway that stands still with the lock must not hold the others for as long as they wait for it. */
const STALLED_APPEND = "2s";
/** Of the log, until the commit. */
const LOCK = `select set_config('idle_in_transaction_session_timeout', '${STALLED_APPEND}', true),
  pg_advisory_xact_lock(${APPEND_LOCK})`;

/** `file:PATH` or `postgres://…`. Throws where it cannot be had. */
export async function openDatabase(url: string, log: Log, turns = createLoopTurns()): Promise<Database> {
  return /^postgres(ql)?:/.test(url) ? openServer(url, log, turns) : openFile(url.replace(/^file:/, ""), turns);
}

async function openFile(file: string, turns: LoopTurns): Promise<Database> {
  using held = new DisposableStack();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  restrictPermissions(file);
  held.use(lockFile(file));
  const walState = readWalState(file);
  if (walState === "damaged") refuseDamagedWal(file);
  let room: DiskSpaceProbe | null = null;
  const dialect = await openSqlite(file, THREAD_URL, () => room?.reportFull());
  const db = new Kysely<Tables>({ dialect });
  const { hasSpace: hasRoom } = (room = createDiskSpaceProbe(db));
  const scans = scanFile(file, async () => void (await sql`pragma wal_checkpoint(passive)`.execute(db)));
  const own = held.move();
  // Ours alone by now, and not written yet: the next write would go over it.
  if (walState === "torn") copyFileSync(`${file}-wal`, `${file}-wal.torn`);
  return {
    kind: "sqlite",
    db,
    ...queued(scans, turns, AT_ONCE.sqlite),
    append: (write) => db.transaction().execute(write),
    log: createSqliteLogWriter(new Kysely<Tables>({ dialect: dialect.alone }), dialect.exchange),
    hasDiskSpace: hasRoom,
    isLogTorn: walState === "torn",
    scrub: () => scans.without(() => scrubFile(db, file)),
    notifyOthers: async () => undefined,
    onChange: () => ({ [Symbol.asyncDispose]: async () => undefined }),
    async [Symbol.asyncDispose]() {
      using _own = own;
      await scans[Symbol.asyncDispose]();
      await db.destroy();
    },
  };
}

/** Works begin in turn, and each answer is handed out in turn. */
function queued(
  connections: ScanConnections,
  turns: LoopTurns,
  { scans, reads, replays }: Record<"scans" | "reads" | "replays", number>,
) {
  const queue = createFairQueue({ concurrency: scans, maxWaiting: MOST_WAITING });
  const deliver = createPacedDelivery(turns);
  const scan: Scan = (reader, question, query) =>
    deliver(
      reader,
      queue.run(reader, JSON.stringify(question), (left) => connections.run(query, left)),
    );
  const inTurn = (width: number, bound: number): Read => {
    const { run } = createFairQueue({ concurrency: width, maxWaiting: bound });
    return (reader, question, query) => deliver(reader, run(reader, JSON.stringify(question), query));
  };
  return {
    scan,
    scanGuard: connections.scanGuard,
    read: inTurn(reads, MOST_WAITING),
    replay: inTurn(replays, Infinity),
  };
}

/** Written anew, the file holds nothing of what was deleted, before secure_delete was set too; then its log is emptied. */
async function scrubFile(db: Kysely<Tables>, file: string): Promise<void> {
  await sql`vacuum`.execute(db);
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  if (rows[0]?.busy !== 0) throw new Error("SQLite's log could not be emptied");
  // A copy of what a crash broke off may hold anything.
  rmSync(`${file}-wal.torn`, { force: true });
}

async function openServer(url: string, log: Log, turns: LoopTurns): Promise<Database> {
  // Loaded where it is used: most gateways have a file.
  const { listen, openPostgres, vacuum, notifySql: wakeSql } = await import("./postgres/postgres.ts");
  const options = { url, statementTimeoutMs: STATEMENT_TIMEOUT_MS, connections: CONNECTIONS, log };
  const db = new Kysely<Tables>({ dialect: openPostgres(options) });
  const scans = scanPostgres(db);
  const append: Append = (write) =>
    db.transaction().execute(async (trx) => {
      await sql.raw(LOCK).execute(trx);
      const result = await write(trx);
      await sql.raw(`select ${wakeSql()}`).execute(trx);
      return result;
    });
  return {
    kind: "postgres",
    db,
    ...queued(scans, turns, AT_ONCE.postgres),
    append,
    log: createPostgresLogWriter(db, { begin: `begin; ${LOCK}`, notify: wakeSql }),
    hasDiskSpace: async () => true,
    isLogTorn: false,
    scrub: () => vacuum(url, TABLES_OF_PEOPLE),
    notifyOthers: () =>
      sql
        .raw(`select ${wakeSql()}`)
        .execute(db)
        .then(
          () => undefined,
          (err: unknown) => log.debug({ err }, "other gateways were not woken, and look by themselves"),
        ),
    onChange: (listener) => listen({ url, log, onNotify: listener }),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}
