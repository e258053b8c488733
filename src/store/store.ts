// The entry point of this folder: opens the database, migrates it, and gives the stores that the gateway uses.
import { existsSync } from "node:fs";
import { sql } from "kysely";
import { ConfigError } from "../config/readVariables.ts";
import { displayedDatabase, fileOfDatabase } from "../config/databaseUrls.ts";
import type { Logger } from "../logger.ts";
import { openDatabase, type Database, type DatabaseOptions } from "./database.ts";
import type { Read } from "./scheduling/viewerReads.ts";
import { createAuditStore, type AuditStore } from "./audit/auditStore.ts";
import { createClockStore, type ClockStore } from "./shared/clockStore.ts";
import { createEventStore, type EventStore } from "./events/eventStore.ts";
import { createAssistantStore, type AssistantStore } from "./tasks/assistantStore.ts";
import { createLineStore, type LineStore } from "./tasks/lineStore.ts";
import { createSubmittedTaskStore, type SubmittedTaskStore } from "./tasks/submittedTaskStore.ts";
import { createTaskStore, type TaskStore } from "./tasks/taskStore.ts";
import { createEraser, type Eraser } from "./events/eraser.ts";
import { checkDatabase, MAX_CHECKED_BYTES, skipPositions } from "./checkDatabase.ts";
import { createLeaseStore, freeAbandonedLeases, isOnlyGateway, type LeaseStore } from "./shared/leaseStore.ts";
import { isLockedByAnother, isNoDatabase } from "./sqlite/sqliteCodes.ts";
import { guarded } from "./storeError.ts";
import { FinalError } from "../util/start/finalError.ts";
import type { PoolState } from "./storeObserver.ts";
import { migrate, missingDatabase } from "./migrations/migrations.ts";
import { createTaskComparisonStore, type TaskComparisonStore } from "./tasks/taskComparisonStore.ts";
import { createOpenCallStore, type OpenCallStore } from "./shared/openCallStore.ts";
import { createProofStore, type ProofStore } from "./shared/proofStore.ts";
import type { OnNotify } from "./postgres/postgres.ts";
import { READ_ONLY_STATE, readOnlyText, WRITE_FACTS_SQL, type WriteFacts } from "./postgres/serverCheck.ts";
import { MAY_WRITE } from "./postgres/writeRights.ts";
import { createRateLimitStore, type RateLimitStore } from "./shared/rateLimitStore.ts";
import { createRawDeliveryStore, type RawDeliveryStore } from "./events/rawDeliveryStore.ts";
import { createEventNameStore, type EventNameStore } from "./events/eventNameStore.ts";
import { createQuarantineStore, type QuarantineStore } from "./events/quarantineStore.ts";
import { createSigner } from "../util/hmac.ts";
import { readSetting, readSigningKey } from "./storedSettings.ts";
import { createProjectionStore, type ProjectionStore } from "./projections/projectionStore.ts";
import { createRecipientStore, type RecipientStore } from "./projections/recipientStore.ts";
import { createReaderStore, type ReaderStore } from "./shared/readerStore.ts";
import { createRecordingStore, freeAbandonedRecordings, type RecordingStore } from "./recordings/recordingStore.ts";
import { createHistoryImportStore, type HistoryImportStore } from "./events/historyImportStore.ts";
import { createTaskLookStore, type TaskLookStore } from "./alerts/taskLookStore.ts";
import { createAlertStore, type AlertStore } from "./alerts/alertStore.ts";
import { createDestinationStore, type DestinationStore } from "./destinations/destinationStore.ts";
import { createStatsStore, type StatsStore } from "./events/statsStore.ts";
import { createDoNotCallStore, type DoNotCallStore } from "./tasks/doNotCallStore.ts";
import { createCallAgainStore, type CallAgainStore } from "./tasks/callAgainStore.ts";
import { createUsageStore, type UsageStore } from "./tasks/usageStore.ts";
import { createProposalStore, type ProposalStore } from "./tasks/proposalStore.ts";
import { createInputDigests } from "./tasks/inputDigest.ts";
import { createSubmissionStore, type SubmissionStore } from "./tasks/submissionStore.ts";

export interface Store extends AsyncDisposable {
  events: EventStore;
  stats: StatsStore;
  rawDeliveries: RawDeliveryStore;
  quarantine: QuarantineStore;
  eventNames: EventNameStore;
  submissions: SubmissionStore;
  proposals: ProposalStore;
  submittedTasks: SubmittedTaskStore;
  callAgain: CallAgainStore;
  usage: UsageStore;
  doNotCall: DoNotCallStore;
  taskComparisons: TaskComparisonStore;
  openCalls: OpenCallStore;
  historyImports: HistoryImportStore;
  destinations: DestinationStore;
  alerts: AlertStore;
  taskLooks: TaskLookStore;
  knownTasks: TaskStore;
  knownAssistants: AssistantStore;
  knownLines: LineStore;
  audit: AuditStore;
  leases: LeaseStore;
  clock: ClockStore;
  proofs: ProofStore;
  readers: ReaderStore;
  projections: ProjectionStore;
  recipients: RecipientStore;
  eraser: Eraser;
  /** Positions of the log that were damaged when it was opened. Reads may find more. */
  damagedPositions: readonly number[];
  /** The file is too large for a check at its opening, and the process before did not close it. */
  isCheckDue: boolean;
  /** The database had no tables, and this opening created them. */
  isNew: boolean;
  recordings: RecordingStore;
  /** The rate limits that gateways share. */
  rateLimits: RateLimitStore;
  /** A short read, such as a page by an index, in the owner's turn. An owner runs equal reads once. */
  queuedRead: Read;
  /** Signs cursors and ids on every gateway of this database. The first start creates it. */
  signingKey: Buffer;
  /**
   * Calls the listener when any gateway, also this one, has appended to the log, or changed a submission or a recording. Never
   * on SQLite, which has one gateway.
   */
  onNotify(listener: OnNotify): AsyncDisposable;
  /** Connections to PostgreSQL; null for SQLite. */
  pool(): PoolState | null;
  /** True if the database answers and accepts writes. A standby of PostgreSQL only answers, a disk may be full, and a role may lose its rights. */
  isWritable(): Promise<boolean>;
}

export interface StoreOptions extends DatabaseOptions {
  /** `file:PATH` or `postgres://…`. */
  url: string;
  log: Logger;
  /** True: the database is not created (DATABASE_MUST_EXIST). */
  mustExist?: boolean;
  /** A larger SQLite file is not checked when it is opened. */
  maxCheckedBytes?: number;
}

/**
 * Opens or creates the database, and brings its schema up to date in one transaction. Throws an Error of one line if it cannot be
 * opened now, such as while another process has it open. Throws a FinalError of one line if waiting would not help: the file is damaged,
 * or a newer version wrote it.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { database, events, uncheckedThrough, damaged, isCheckDue, isNew } = await openChecked(options);
  try {
    const signingKey = await readSigningKey(database.db);
    const digests = createInputDigests(createSigner(signingKey));
    return {
      events,
      damagedPositions: damaged,
      isCheckDue,
      isNew,
      stats: createStatsStore(database),
      rawDeliveries: createRawDeliveryStore(database),
      quarantine: createQuarantineStore(database),
      eventNames: createEventNameStore(database.db),
      submissions: createSubmissionStore(database, digests),
      proposals: createProposalStore(database),
      submittedTasks: createSubmittedTaskStore(database),
      callAgain: createCallAgainStore(database),
      usage: createUsageStore(database),
      doNotCall: createDoNotCallStore(database, signingKey),
      taskComparisons: createTaskComparisonStore(database),
      openCalls: createOpenCallStore(database),
      historyImports: createHistoryImportStore(database),
      destinations: createDestinationStore(database),
      alerts: createAlertStore(database),
      taskLooks: createTaskLookStore(database),
      knownTasks: createTaskStore(database),
      knownAssistants: createAssistantStore(database),
      knownLines: createLineStore(database),
      audit: createAuditStore(database),
      leases: createLeaseStore(database),
      clock: createClockStore(database),
      proofs: createProofStore(database),
      readers: createReaderStore(database.db),
      projections: createProjectionStore(database, uncheckedThrough),
      recipients: createRecipientStore(database),
      eraser: createEraser(database, digests),
      recordings: createRecordingStore(database),
      rateLimits: createRateLimitStore(database),
      queuedRead: (owner, key, query) => owner.once(key, () => guarded(() => database.read(owner, key, query))),
      signingKey,
      onNotify: (listener) => database.onNotify(listener),
      pool: () => database.pool(),
      isWritable: () => isWritable(database).catch(() => false),
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

const NEW_DATABASE =
  "A NEW, EMPTY DATABASE WAS CREATED: it has no calls, no idempotency keys and no never-call list. If there was one before, stop this gateway and correct DATABASE_URL";

interface Opened {
  database: Database;
  events: EventStore;
  uncheckedThrough: number;
  damaged: readonly number[];
  isCheckDue: boolean;
  isNew: boolean;
}

async function openChecked(options: StoreOptions): Promise<Opened> {
  const { url, log, mustExist = false, maxCheckedBytes = MAX_CHECKED_BYTES, ...further } = options;
  const file = fileOfDatabase(url);
  if (mustExist && file !== null && !existsSync(file)) throw missingDatabase();
  const database = await openDatabase(url, log, further).catch((error: Error) => {
    const reason = isLockedByAnother(error) ? "another process has it open" : error.message;
    throw refusal(url, reason, error);
  });
  try {
    const isNew = (await migrate(database, { mustExist })) === 0;
    if (isNew) log.warn({ database: displayedDatabase(url) }, NEW_DATABASE);
    if (await isOnlyGateway(database)) {
      await freeAbandonedLeases(database);
      await freeAbandonedRecordings(database);
    }
    if (database.isWalTorn) await skipPositions(database, log);
    const uncheckedThrough = await lastUncheckedPosition(database);
    const events = createEventStore(database, uncheckedThrough);
    const damaged = await checkDatabase(database, events, { maxBytes: maxCheckedBytes, log });
    const isCheckDue = damaged === null && database.wasLeftOpen;
    return { database, events, uncheckedThrough, damaged: damaged ?? [], isCheckDue, isNew };
  } catch (error) {
    const reason = await reasonOf(error as NodeJS.ErrnoException, database);
    await database[Symbol.asyncDispose]();
    if (error instanceof ConfigError) throw error;
    throw refusal(url, reason, error);
  }
}

async function reasonOf({ message, code }: NodeJS.ErrnoException, { db }: Database): Promise<string> {
  if (code !== READ_ONLY_STATE) return message || code || "no answer";
  const facts = await sql
    .raw<WriteFacts>(WRITE_FACTS_SQL)
    .execute(db)
    .catch(() => null);
  return facts?.rows[0] ? readOnlyText(facts.rows[0]) : message;
}

/** An error of one line, without the credentials that an address may hold. */
function refusal(url: string, reason: string, cause: unknown): Error {
  const text = `The database ${displayedDatabase(url)} cannot be opened: ${reason.split("\n", 1)[0]}`;
  return cause instanceof FinalError || isNoDatabase(cause)
    ? new FinalError(text, { cause })
    : new Error(text, { cause });
}

/**
 * The last position that may be without a checksum. On PostgreSQL there is no last one: a gateway of an older version, without
 * checksums, may still be writing.
 */
async function lastUncheckedPosition({ db, kind }: Database): Promise<number> {
  if (kind === "postgres") return Infinity;
  return Number(await readSetting(db, "checksummed_after"));
}

async function isWritable({ db, kind, canWrite }: Database): Promise<boolean> {
  const query = sql<{ may: unknown }>`select ${sql.raw(kind === "postgres" ? MAY_WRITE : "1")} as may`;
  return Boolean((await query.execute(db)).rows[0]?.may) && (await canWrite());
}
