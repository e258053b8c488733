// The database as the rest of the gateway sees it: a few small stores and a key, over SQLite or PostgreSQL.
import { sql } from "kysely";
import type { Log } from "../log.ts";
import type { LoopTurns } from "../util/loopTurns.ts";
import { openDatabase, type Database, type Read } from "./database.ts";
import { createEventStore, type EventStore } from "./log/eventStore.ts";
import { createAssistantStore, type AssistantStore } from "./tasks/assistantStore.ts";
import { createTaskStore, type TaskStore } from "./tasks/taskStore.ts";
import { createEraser, type Eraser } from "./log/eraser.ts";
import { checkDatabase, skipPlaces } from "./checkDatabase.ts";
import { createLeaseStore, freeAbandonedLeases, type LeaseStore } from "./shared/leaseStore.ts";
import { guarded } from "./storeError.ts";
import { migrate } from "./migrations/migrations.ts";
import { createTaskComparisonStore, type TaskComparisonStore } from "./tasks/taskComparisonStore.ts";
import { createOpenCallStore, type OpenCallStore } from "./shared/openCallStore.ts";
import type { OnChange } from "./postgres/postgres.ts";
import { createRateLimitStore, type RateLimitStore } from "./shared/rateLimitStore.ts";
import { createQuarantineStore, type QuarantineStore } from "./log/quarantineStore.ts";
import { readSigningKey } from "./storedSettings.ts";
import { createReaderStore, type ReaderStore } from "./shared/readerStore.ts";
import { createRecordingStore, freeAbandonedRecordings, type RecordingStore } from "./recordings/recordingStore.ts";
import { createStatsStore, type StatsStore } from "./log/statsStore.ts";
import { createSubmissionStore, type SubmissionStore } from "./tasks/submissionStore.ts";

export interface Store extends AsyncDisposable {
  events: EventStore;
  stats: StatsStore;
  quarantine: QuarantineStore;
  submissions: SubmissionStore;
  taskComparisons: TaskComparisonStore;
  openCalls: OpenCallStore;
  knownTasks: TaskStore;
  knownAssistants: AssistantStore;
  leases: LeaseStore;
  readers: ReaderStore;
  eraser: Eraser;
  /** Places of the log that were found damaged when it was opened; others may be found when they are read. */
  damagedPositions: readonly number[];
  recordings: RecordingStore;
  /** What gateways share of their callers' rates. */
  rateLimits: RateLimitStore;
  /** A short read, such as a page by an index, in the turn of the reader's viewer. */
  inTurn: Read;
  /** Made at the first start and kept: what cursors and ids are sealed with, on every gateway of this database. */
  signingKey: Buffer;
  /**
   * Calls back when a gateway, this one too, has appended to the log, or changed a submission or a recording. Never on
   * SQLite, which is for one process.
   */
  onChange(listener: OnChange): AsyncDisposable;
  /** Whether the database answers now, and takes writes: a standby of PostgreSQL only answers, and a disk may be full. */
  isWritable(): Promise<boolean>;
}

export interface StoreOptions {
  /** `file:PATH` or `postgres://…`. */
  url: string;
  log: Log;
  /** Shared with what else works piece by piece; without them the store has its own. */
  turns?: LoopTurns;
}

/**
 * Opens the database, or makes it, and brings its schema up to date in one transaction. Throws an Error of one line where
 * it is another process's, of a newer version, or not to be had.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { database, events, damaged } = await openNamed(options);
  try {
    return {
      events,
      damagedPositions: damaged,
      stats: createStatsStore(database),
      quarantine: createQuarantineStore(database),
      submissions: createSubmissionStore(database),
      taskComparisons: createTaskComparisonStore(database),
      openCalls: createOpenCallStore(database),
      knownTasks: createTaskStore(database),
      knownAssistants: createAssistantStore(database),
      leases: createLeaseStore(database),
      readers: createReaderStore(database.db),
      eraser: createEraser(database),
      recordings: createRecordingStore(database),
      rateLimits: createRateLimitStore(database),
      inTurn: (reader, question, query) =>
        reader.once(question, () => guarded(() => database.read(reader, question, query))),
      signingKey: await readSigningKey(database.db),
      onChange: (listener) => database.onChange(listener),
      isWritable: () => isWritable(database).catch(() => false),
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

interface Opened {
  database: Database;
  events: EventStore;
  damaged: readonly number[];
}

async function openNamed({ url, log, turns }: StoreOptions): Promise<Opened> {
  const database = await openDatabase(url, log, turns).catch((error: Error) => {
    const reason = error.message.includes("locked") ? "another process has it open" : error.message;
    throw refusal(url, reason, error);
  });
  try {
    await migrate(database.db, database.kind);
    if (await isAlone(database)) {
      await freeAbandonedLeases(database);
      await freeAbandonedRecordings(database);
    }
    if (database.isLogTorn) await skipPlaces(database, log);
    const events = createEventStore(database, await uncheckedTo(database));
    return { database, events, damaged: await checkDatabase(database, events, log) };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw refusal(url, (error as Error).message || (error as NodeJS.ErrnoException).code || "no answer", error);
  }
}

/** One line, without what an address may hold of credentials. */
function refusal(url: string, reason: string, cause: unknown): Error {
  const name = url.startsWith("file:") ? url.slice("file:".length) : (URL.parse(url)?.host ?? "");
  return new Error(`The database ${name} cannot be opened: ${reason.split("\n", 1)[0]}`, { cause });
}

/** Among many gateways one of the version before, which knows no checksums, may still be writing. */
async function uncheckedTo({ db, kind }: Database): Promise<number> {
  if (kind === "postgres") return Infinity;
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", "checksummed_after")
    .executeTakeFirst();
  return Number(row?.value ?? 0);
}

async function isWritable({ db, kind, hasDiskSpace: hasRoom }: Database): Promise<boolean> {
  const setting = sql<string>`current_setting('transaction_read_only')`;
  const answer = sql<{ read_only: string }>`select ${kind === "postgres" ? setting : sql`'off'`} as read_only`;
  return (await answer.execute(db)).rows[0]?.read_only === "off" && (await hasRoom());
}

/**
 * Whether no other gateway is connected, so that what one had taken was left by a process that ended. To be asked while a
 * database is being opened. A file is one process's. A PostgreSQL that does not show even our own connection by its name,
 * as behind some poolers, says nothing: then it is not known, and leases run out by themselves.
 */
async function isAlone({ db, kind }: Database): Promise<boolean> {
  if (kind === "sqlite") return true;
  const { rows } = await sql<{ own: boolean }>`
    select pid = pg_backend_pid() as own from pg_stat_activity
    where datname = current_database() and application_name like 'switchboard%'`.execute(db);
  return rows.length === 1 && rows[0]?.own === true;
}
