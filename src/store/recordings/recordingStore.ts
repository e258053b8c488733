// Recordings: jobs that gateways share out among themselves by leases, and what became of each.
import { sql, type Kysely, type Selectable } from "kysely";
import type { Database } from "../database.ts";
import { databaseNow } from "../sqlHelpers.ts";
import { createErasedKeys } from "../log/erasedKeys.ts";
import { createGroupCommit } from "../../util/groupCommit.ts";
import { listExpiredRecordings, deleteRecordings, type ExpiredRecordings } from "./purgeRecordings.ts";
import {
  addRecordings,
  settleRecordings,
  type NewRecording,
  type RecordingJob,
  type RecordingOutcome,
  type Settlement,
} from "./recordingWrites.ts";
import type { QueryOwner } from "../scheduling/queryOwner.ts";
import { guarded } from "../storeError.ts";
import type { RecordingsTable, Tables } from "../tables.ts";

export type { NewRecording, RecordingJob, RecordingOutcome } from "./recordingWrites.ts";

export type RecordingStatus = "PENDING" | "ARCHIVED" | "LOST";

export interface RecordingRow {
  sessionId: string;
  receivedAt: string;
  status: RecordingStatus;
  /** Why it is still waiting, or lost. */
  failure: string | null;
  /** Of what is kept: null unless ARCHIVED, like all below. */
  sha256: string | null;
  contentType: string | null;
  bytes: number | null;
  archivedAt: string | null;
  /** Counts up each time one is archived or lost, in the order of commits; null: it is neither yet. */
  settled: number | null;
}

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface RecordingStore {
  /**
   * Each becomes PENDING, due at once, or LOST where it is refused. Known already: a later revision's other URL begins
   * anew, unless it is ARCHIVED; whatever else is told again changes nothing. Nothing is added for a call that was
   * erased.
   */
  add(recordings: readonly NewRecording[]): Promise<void>;
  /** Takes up to `limit` that are due and nobody has, the newest first. They are the holder's for `leaseMs`. */
  claim(holder: string, limit: number, leaseMs: number): Promise<RecordingJob[]>;
  /** Keeps them for `leaseMs` from now; only what the holder still has. */
  renew(holder: string, sessionIds: readonly string[], leaseMs: number): Promise<void>;
  /** The try failed: it is due again in so many milliseconds. Nothing where another has taken it, or it began anew. */
  postpone(holder: string, job: RecordingJob, failure: string, afterMs: number): Promise<void>;
  /** Gives it back, as if it had not been taken: for a gateway that stops. */
  release(holder: string, job: RecordingJob): Promise<void>;
  /**
   * It is archived, or lost, and every gateway is woken for it. Archived counts whoever has it by now, for the bytes are
   * there; lost only where the holder still has it, and it did not begin anew. Whether it was written. Those that end at
   * the same time are one transaction.
   */
  settle(holder: string, job: RecordingJob, outcome: RecordingOutcome): Promise<boolean>;
  /** Whether a call has this content. */
  hasContent(sha256: string): Promise<boolean>;
  /** By session id; those of which there is none are not in it. */
  bySessions(sessionIds: readonly string[]): Promise<ReadonlyMap<string, RecordingRow>>;
  /** Settled behind that place, in order. */
  settledAfter(settled: number, limit: number): Promise<RecordingRow[]>;
  settledHead(): Promise<number>;
  /** In the reader's turn; without one, at once. */
  counts(reader?: QueryOwner): Promise<{ pending: number; archived: number; lost: number }>;
  /** Up to `limit` of those whose call was received before that instant, and the contents that no other call has. */
  listExpired(receivedBefore: string, limit: number): Promise<ExpiredRecordings>;
  /** To be said when their contents are gone, for nothing names them afterwards. */
  delete(sessionIds: readonly string[]): Promise<void>;
}

function countByStatus(db: Kysely<Tables>) {
  const count = db.selectFrom("recordings").select((eb) => ["status", eb.fn.countAll<number>().as("count")]);
  return count.groupBy("status").execute();
}

const columns = [
  "session_id",
  "received_at",
  "status",
  "failure",
  "sha256",
  "content_type",
  "bytes",
  "archived_at",
  "settled",
] as const;

/** More than a gateway has under way. */
const SETTLED_TOGETHER = 100;

export function createRecordingStore(database: Database): RecordingStore {
  const { db, kind } = database;
  const forgotten = createErasedKeys();
  const now = databaseNow(kind);
  const inMs = (ms: number) => sql<number>`${now} + ${sql.lit(Math.round(ms))}`;
  const held = (holder: string, { sessionId, revision }: RecordingJob) =>
    db
      .updateTable("recordings")
      .where("session_id", "=", sessionId)
      .where("revision", "=", revision)
      .where("holder", "=", holder)
      .where("status", "=", "PENDING");

  const settle = createGroupCommit({
    commit: (settlements: readonly Settlement[]) => settleRecordings(database, settlements),
    maxBatch: SETTLED_TOGETHER,
    maxQueued: 10 * SETTLED_TOGETHER,
    sizeOf: () => 1,
    maxQueuedSize: Infinity,
  });

  return {
    add: (recordings) =>
      guarded(async () => {
        // One statement must not write a row twice: of one call, the latest revision counts.
        const latest = new Map(
          recordings.toSorted((a, b) => a.revision - b.revision).map((recording) => [recording.sessionId, recording]),
        );
        for (const erased of await forgotten.findErased(db, "call", [...latest.keys()])) latest.delete(erased);
        if (latest.size === 0) return;
        await addRecordings(database, [...latest.values()]);
      }),
    claim: (holder, limit, leaseMs) =>
      guarded(async () => {
        const due = db
          .selectFrom("recordings")
          .select("session_id")
          .where("status", "=", "PENDING")
          .where("due_at", "<=", now)
          .orderBy("received_at", "desc")
          .limit(limit)
          .$if(kind === "postgres", (query) => query.forUpdate().skipLocked());
        const taken = await db
          .updateTable("recordings")
          .set((eb) => ({ holder, due_at: inMs(leaseMs), attempts: eb("attempts", "+", 1) }))
          .where("session_id", "in", due)
          .returning(["session_id", "revision", "received_at", "url", "attempts"])
          .execute();
        return taken.map(jobOf).toSorted((a, b) => (a.receivedAt < b.receivedAt ? 1 : -1));
      }),
    renew: (holder, sessionIds, leaseMs) =>
      guarded(async () => {
        if (sessionIds.length === 0) return;
        await db
          .updateTable("recordings")
          .set({ due_at: inMs(leaseMs) })
          .where("session_id", "in", sessionIds)
          .where("holder", "=", holder)
          .where("status", "=", "PENDING")
          .execute();
      }),
    postpone: (holder, job, failure, afterMs) =>
      guarded(async () => {
        await held(holder, job)
          .set({ holder: null, failure, due_at: inMs(afterMs) })
          .execute();
      }),
    release: (holder, job) =>
      guarded(async () => {
        await held(holder, job)
          .set((eb) => ({ holder: null, due_at: 0, attempts: eb("attempts", "-", 1) }))
          .execute();
      }),
    settle: (holder, job, outcome) => guarded(() => settle({ holder, job, outcome })),
    hasContent: (sha256) =>
      guarded(async () => {
        const one = db.selectFrom("recordings").select("session_id").where("sha256", "=", sha256).limit(1);
        return (await one.executeTakeFirst()) !== undefined;
      }),
    bySessions: (sessionIds) =>
      guarded(async () => {
        // PostgreSQL refuses to be asked for a NUL, and no call has one.
        const asked = sessionIds.filter((id) => !id.includes("\0"));
        if (asked.length === 0) return new Map();
        const found = await db.selectFrom("recordings").select(columns).where("session_id", "in", asked).execute();
        return new Map(found.map((row) => [row.session_id, recordingRow(row)]));
      }),
    settledAfter: (settled, limit) =>
      guarded(async () => {
        const page = db.selectFrom("recordings").select(columns).where("settled", ">", settled);
        return (await page.orderBy("settled").limit(limit).execute()).map(recordingRow);
      }),
    settledHead: () =>
      guarded(async () => {
        const newest = db.selectFrom("recordings").select("settled").where("settled", "is not", null);
        return (await newest.orderBy("settled", "desc").limit(1).executeTakeFirst())?.settled ?? 0;
      }),
    counts: (reader) =>
      guarded(async () => {
        const rows = await (reader ? database.scan(reader, ["recordings"], countByStatus) : countByStatus(db));
        const of = (status: RecordingStatus) => rows.find((row) => row.status === status)?.count ?? 0;
        return { pending: of("PENDING"), archived: of("ARCHIVED"), lost: of("LOST") };
      }),
    listExpired: (receivedBefore, limit) => guarded(() => listExpiredRecordings(database, receivedBefore, limit)),
    delete: (sessionIds) =>
      guarded(async () => {
        await deleteRecordings(db, sessionIds);
      }),
  };
}

/** For a gateway that is alone: whoever had taken something is gone. */
export async function freeAbandonedRecordings({ db }: Database): Promise<void> {
  await db.updateTable("recordings").set({ holder: null, due_at: 0 }).where("holder", "is not", null).execute();
}

function jobOf(row: Pick<RecordingsTable, "session_id" | "revision" | "received_at" | "url" | "attempts">) {
  const { session_id, revision, received_at, url, attempts } = row;
  return { sessionId: session_id, revision, receivedAt: received_at, url: url ?? "", attempts };
}

function recordingRow(row: Pick<Selectable<RecordingsTable>, (typeof columns)[number]>): RecordingRow {
  return {
    sessionId: row.session_id,
    receivedAt: row.received_at,
    status: row.status as RecordingStatus,
    failure: row.failure,
    sha256: row.sha256,
    contentType: row.content_type,
    bytes: row.bytes,
    archivedAt: row.archived_at,
    settled: row.settled,
  };
}
