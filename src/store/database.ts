// Opens SQLite or PostgreSQL, and hides their differences from the stores: scans, queues of reads, the log's writer, and
// notifications between gateways.
import { copyFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Kysely, sql, type Transaction } from "kysely";
import { databaseUrls, fileOfDatabase, skipsCertificate, UNCHECKED_CERTIFICATE } from "../config/databaseUrls.ts";
import type { Logger } from "../logger.ts";
import { createTimeSlices } from "../util/timeSlices.ts";
import type { Append, EventWriter } from "./events/eventWriter.ts";
import type { OnNotify } from "./postgres/postgres.ts";
import type { Fsync } from "./postgres/serverCheck.ts";
import { createPostgresEventWriter } from "./postgres/postgresEventWriter.ts";
import { scanPostgres } from "./postgres/postgresScans.ts";
import { deleteCopies, keepCopy } from "./sqlite/copyBeforeUpgrade.ts";
import { keepTemporaryFilesBeside, lockFile, restrictPermissions } from "./sqlite/databaseFile.ts";
import type { ScanGuard } from "./scheduling/scanConnections.ts";
import { createViewerReads, type Read, type ReadSlices, type Scan } from "./scheduling/viewerReads.ts";
import { openSqlite, THREAD_URL } from "./sqlite/sqlite.ts";
import { createSqliteEventWriter } from "./sqlite/sqliteEventWriter.ts";
import { scanFile } from "./sqlite/sqliteScans.ts";
import { noStoreObserver, type PoolState, type StoreObserver } from "./storeObserver.ts";
import { PERSONAL_TABLES } from "./personalTables.ts";
import type { Tables } from "./tables.ts";
import { hasWal, readWalState, refuseDamagedWal } from "./sqlite/writeAheadLog.ts";
import { logSlowStatements } from "./slowStatements.ts";
import { createWriteProbe, type WriteProbe } from "./writeProbe.ts";

export type DatabaseKind = "sqlite" | "postgres";

export interface Database extends AsyncDisposable {
  kind: DatabaseKind;
  db: Kysely<Tables>;
  /**
   * A read of many rows, on separate connections and in the owner's turn. Ends when nobody waits for it. Waiting owners with
   * the same key share one scan.
   */
  scan: Scan;
  /** A condition that a scan checks for each row. It is true; for an aborted scan it fails, which ends the scan. */
  scanGuard: ScanGuard;
  /** A short read in the owner's turn. Few run at the same time, so that an append waits for one of them at most. */
  read: Read;
  /** A short read for a subscription. Any number may wait, because each subscription waits for one read at a time. */
  replay: Read;
  append: Append;
  eventWriter: EventWriter;
  /** False after a write failed, such as on a full disk, until a write succeeds. Never rejects. */
  canWrite(): Promise<boolean>;
  /** Null for SQLite. */
  pool(): PoolState | null;
  /** True if the last transaction in a SQLite file's write-ahead log was found incomplete. PostgreSQL repairs its own. */
  isWalTorn: boolean;
  /** True if the last process that wrote the SQLite file ended without closing it. False for PostgreSQL. */
  wasLeftOpen: boolean;
  /** When the SQLite file was last written before it was opened, in epoch milliseconds. Null: a new file, and PostgreSQL. */
  lastWrittenAt: number | null;
  /** Runs the statements of an empty database, which have no parameters, in this transaction and in order. */
  makeTables(trx: Transaction<Tables>, statements: readonly string[]): Promise<void>;
  /** Copies a SQLite file of an older schema version to a file beside it. Does nothing for PostgreSQL, which has its own backups. */
  keepCopy(schemaVersion: number): void;
  /** Removes deleted data from the database's files, as far as the database can. Call it outside of transactions. */
  scrub(): Promise<void>;
  /** Notifies all gateways of a change outside the log of events. If the notification is lost, they notice by polling. */
  notify(): Promise<void>;
  /** Calls the listener when a gateway, also this one, has appended to the log or changed another table. Never on SQLite: it has one. */
  onNotify(listener: OnNotify): AsyncDisposable;
}

const APPEND_LOCK = 7_240_002;
const POSTGRES_STATEMENT_TIMEOUT_MS = 5000;
const POSTGRES_CONNECTIONS = 10;
/** Reads that run at the same time. On PostgreSQL each needs a connection; the other connections stay free for urgent work. */
const CONCURRENT_READS = { sqlite: { scans: 1, reads: 1, replays: 1 }, postgres: { scans: 3, reads: 1, replays: 2 } };
/** A gateway that stalls while it holds the log's lock loses its transaction after this time, so that the others can append. */
const STALLED_APPEND = "2s";
/** Takes the log's lock until the commit. */
const LOCK_LOG = `select set_config('idle_in_transaction_session_timeout', '${STALLED_APPEND}', true),
  pg_advisory_xact_lock(${APPEND_LOCK})`;

/** True inside the transaction that has taken the lock: the setting is local to it. */
const IS_LOG_LOCKED = `current_setting('idle_in_transaction_session_timeout') = '${STALLED_APPEND}'`;

export interface DatabaseOptions {
  /** The time slices that all work of viewers shares. By default the database creates its own. */
  slices?: ReadSlices | undefined;
  observer?: StoreObserver | undefined;
  /** Default: "required". SQLite always syncs its file. */
  fsync?: Fsync | undefined;
  /** The same address with the credentials of now, for new connections to PostgreSQL. By default they stay. */
  currentUrl?: (() => string) | undefined;
}

/** Opens `file:PATH` or `postgres://…`. Throws if the database cannot be opened, or is open in another process. */
export async function openDatabase(url: string, log: Logger, options: DatabaseOptions = {}): Promise<Database> {
  const { slices = createTimeSlices(), fsync = "required", currentUrl = () => url } = options;
  const observer = logSlowStatements(options.observer ?? noStoreObserver, log);
  const file = fileOfDatabase(url);
  // Node makes the folders of a relative path for ever where the working folder was removed.
  if (file !== null) return openFile(resolve(file), slices, observer);
  return openServer(url, log, { slices, observer, fsync, currentUrl });
}

async function openFile(file: string, slices: ReadSlices, observer: StoreObserver): Promise<Database> {
  using opening = new DisposableStack();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lastWrittenAt = lastWriteOf(file);
  keepTemporaryFilesBeside(file);
  restrictPermissions(file);
  opening.use(lockFile(file));
  const walState = readWalState(file);
  const wasLeftOpen = hasWal(file);
  if (walState === "damaged") refuseDamagedWal(file);
  let writes: WriteProbe | null = null;
  const onDiskFull = () => writes?.reportFailure();
  const dialect = await openSqlite(file, THREAD_URL, onDiskFull, observer);
  const db = new Kysely<Tables>({ dialect });
  const { canWrite } = (writes = createWriteProbe(db));
  const checkpoint = async () => void (await sql`pragma wal_checkpoint(passive)`.execute(db));
  const scans = scanFile(file, checkpoint, observer);
  const resources = opening.move();
  // Copy the write-ahead log now, while no other process can write and before the next write overwrites it.
  if (walState === "torn") copyFileSync(`${file}-wal`, `${file}-wal.torn`);
  return {
    kind: "sqlite",
    db,
    ...createViewerReads(scans, slices, CONCURRENT_READS.sqlite),
    append: (write) => db.transaction().execute(write),
    eventWriter: createSqliteEventWriter(new Kysely<Tables>({ dialect: dialect.alone }), dialect.exchange),
    canWrite,
    pool: () => null,
    isWalTorn: walState === "torn",
    wasLeftOpen,
    lastWrittenAt,
    // In one message: the transaction has the thread to itself.
    makeTables: async (_trx, statements) =>
      void (await dialect.exchange(statements.map((text) => ({ sql: text, runs: [[]] })))),
    keepCopy: (schemaVersion) => keepCopy(file, schemaVersion),
    scrub: () => scans.without(() => scrubFile(db, file)),
    notify: async () => undefined,
    onNotify: () => ({ [Symbol.asyncDispose]: async () => undefined }),
    async [Symbol.asyncDispose]() {
      // Unlocks the file at the end, even if the database cannot be closed.
      using _resources = resources;
      await scans[Symbol.asyncDispose]();
      await db.destroy();
    },
  };
}

/** When the file or its write-ahead log was written last. */
function lastWriteOf(file: string): number | null {
  const times = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.max(...times) || null;
}

/** VACUUM writes the file without deleted data, also data from before secure_delete was set. Then the write-ahead log is emptied. */
async function scrubFile(db: Kysely<Tables>, file: string): Promise<void> {
  await sql`vacuum`.execute(db);
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  if (rows[0]?.busy !== 0) throw new Error("SQLite could not empty its write-ahead log. Try again");
  // Copies may hold personal data too.
  rmSync(`${file}-wal.torn`, { force: true });
  deleteCopies(file);
}

async function openServer(
  url: string,
  log: Logger,
  {
    slices,
    observer,
    fsync,
    currentUrl,
  }: { slices: ReadSlices; observer: StoreObserver; fsync: Fsync; currentUrl: () => string },
): Promise<Database> {
  // Loaded only here, because most gateways use SQLite.
  const { listen, openPostgres, notifySql } = await import("./postgres/postgres.ts");
  const { findTimeline } = await import("./postgres/logTimeline.ts");
  const { vacuum } = await import("./postgres/vacuum.ts");
  const { createPrimaryHost } = await import("./postgres/primaryHost.ts");
  const { createSessions } = await import("./postgres/databaseSessions.ts");
  const primary = createPrimaryHost(() => databaseUrls(currentUrl()));
  if (skipsCertificate(url)) log.warn({}, UNCHECKED_CERTIFICATE);
  const sessions = createSessions({ fsync, log });
  const limits = { statementTimeoutMs: POSTGRES_STATEMENT_TIMEOUT_MS, connections: POSTGRES_CONNECTIONS };
  let writes: WriteProbe | null = null;
  const onWriteFailure = () => writes?.reportFailure();
  const { dialect, exchange, pool } = await openPostgres({
    primary,
    sessions,
    ...limits,
    observer,
    onWriteFailure,
    log,
  });
  const db = new Kysely<Tables>({ dialect });
  const { canWrite } = (writes = createWriteProbe(db));
  const timeline = await findTimeline(db);
  const append: Append = (write) =>
    db.transaction().execute(async (trx) => {
      await sql.raw(LOCK_LOG).execute(trx);
      const result = await write(trx);
      await sql.raw(`select ${notifySql()}`).execute(trx);
      return result;
    });
  return {
    kind: "postgres",
    db,
    ...createViewerReads(scanPostgres(db), slices, CONCURRENT_READS.postgres),
    append,
    eventWriter: createPostgresEventWriter(db, {
      exchange,
      lock: LOCK_LOG,
      isLocked: IS_LOG_LOCKED,
      notify: notifySql,
      timeline,
      log,
    }),
    canWrite,
    pool,
    isWalTorn: false,
    wasLeftOpen: false,
    lastWrittenAt: null,
    // One by one: together they would share the time limit of one statement.
    makeTables: async (trx, statements) => {
      for (const statement of statements) await sql.raw(statement).execute(trx);
    },
    keepCopy: () => undefined,
    scrub: () => vacuum(primary, sessions, PERSONAL_TABLES),
    notify: () =>
      sql
        .raw(`select ${notifySql()}`)
        .execute(db)
        .then(
          () => undefined,
          (err: unknown) => log.debug({ err }, "other gateways were not notified; they notice the change by polling"),
        ),
    onNotify: (listener) => listen({ primary, sessions, log, onNotify: listener }),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}
