// Recordings: download jobs, which gateways claim with leases, and their outcomes.
import { sql, type Kysely, type Selectable } from "kysely";
import type { Database } from "../database.ts";
import { databaseNow } from "../sqlHelpers.ts";
import { createErasedKeys } from "../events/erasedKeys.ts";
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
import { guarded, isRefusal } from "../storeError.ts";
import type { RecordingsTable, Tables } from "../tables.ts";

export type { NewRecording, RecordingJob, RecordingOutcome } from "./recordingWrites.ts";

export type RecordingStatus = "PENDING" | "ARCHIVED" | "LOST";

export interface RecordingRow {
  sessionId: string;
  /** The revision of the event that has the link. */
  revision: number;
  receivedAt: string;
  status: RecordingStatus;
  /** The service's link, which works like a credential. Null once it is archived. */
  url: string | null;
  /** Why the recording is still pending, or lost. */
  failure: string | null;
  /** The digest of the archived content. Null unless ARCHIVED, like the fields below. */
  sha256: string | null;
  contentType: string | null;
  bytes: number | null;
  archivedAt: string | null;
  /** When it was lost. Null unless LOST, or where a version before 18 lost it. */
  lostAt: string | null;
  /** Increases each time a recording is archived or lost, in the order of commits. Null: still pending. */
  settled: number | null;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface RecordingStore {
  /**
   * Adds each recording as PENDING and due at once, or as LOST if it has a refusal. For a known recording, a later revision with
   * another URL starts a new job, unless it is ARCHIVED; anything else changes nothing. Erased calls get no recording.
   */
  add(recordings: readonly NewRecording[]): Promise<void>;
  /** Claims up to `limit` due recordings for `leaseMs`, newest first. */
  claim(holder: string, limit: number, leaseMs: number): Promise<RecordingJob[]>;
  /** Extends the claims that the holder still has to `leaseMs` from now. */
  renew(holder: string, sessionIds: readonly string[], leaseMs: number): Promise<void>;
  /** After a failed attempt: due again in `afterMs`. No effect if another holder has claimed it, or a new job was started. */
  postpone(holder: string, job: RecordingJob, failure: string, afterMs: number): Promise<void>;
  /** Returns a claim without counting the attempt, when a gateway stops. */
  release(holder: string, job: RecordingJob): Promise<void>;
  /**
   * Writes the outcome and notifies every gateway. ARCHIVED counts even if another holder has claimed the recording, because the
   * content is stored. LOST counts only for the current holder and job. Returns whether it was written. Outcomes of the same
   * moment share a transaction.
   */
  settle(holder: string, job: RecordingJob, outcome: RecordingOutcome): Promise<boolean>;
  /** True if a call has this content. */
  hasContent(sha256: string): Promise<boolean>;
  /** The recordings by session id, without entries for calls that have none. */
  bySessions(sessionIds: readonly string[]): Promise<ReadonlyMap<string, RecordingRow>>;
  /** Recordings that settled after a number, in order. */
  settledAfter(settled: number, limit: number): Promise<RecordingRow[]>;
  settledHead(): Promise<number>;
  /** Counts in the owner's turn; without an owner, at once. */
  counts(queryOwner?: QueryOwner): Promise<{ pending: number; archived: number; lost: number }>;
  /** When the call of the oldest pending recording was received; null: none is pending. */
  oldestPending(): Promise<string | null>;
  /** Up to `limit` recordings whose calls were received before an instant, and the contents that no other call has. */
  listExpired(receivedBefore: string, limit: number): Promise<ExpiredRecordings>;
  /** Call it after their files are deleted, because afterwards no row names the files. */
  delete(sessionIds: readonly string[]): Promise<void>;
}

function countByStatus(db: Kysely<Tables>) {
  const count = db.selectFrom("recordings").select((eb) => ["status", eb.fn.countAll<number>().as("count")]);
  return count.groupBy("status").execute();
}

const columns = [
  "session_id",
  "revision",
  "received_at",
  "status",
  "url",
  "failure",
  "sha256",
  "content_type",
  "bytes",
  "archived_at",
  "lost_at",
  "settled",
] as const;

/** Outcomes in one transaction: more than a gateway's downloads in flight. */
const MAX_SETTLED_TOGETHER = 100;

export function createRecordingStore(database: Database): RecordingStore {
  const { db, kind } = database;
  const erasedKeys = createErasedKeys();
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
    isRefusal,
    maxBatch: MAX_SETTLED_TOGETHER,
    maxQueued: 10 * MAX_SETTLED_TOGETHER,
    sizeOf: () => 1,
    maxQueuedSize: Infinity,
  });

  return {
    add: (recordings) =>
      guarded(async () => {
        // A statement must not write a row twice, so only the latest revision of a call counts.
        const latest = new Map(
          recordings.toSorted((a, b) => a.revision - b.revision).map((recording) => [recording.sessionId, recording]),
        );
        for (const erased of await erasedKeys.findErased(db, "call", [...latest.keys()])) latest.delete(erased);
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
        const claimed = await db
          .updateTable("recordings")
          .set((eb) => ({ holder, due_at: inMs(leaseMs), attempts: eb("attempts", "+", 1) }))
          .where("session_id", "in", due)
          .returning(["session_id", "revision", "received_at", "url", "attempts"])
          .execute();
        return claimed.map(jobOf).toSorted((a, b) => (a.receivedAt < b.receivedAt ? 1 : -1));
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
        // PostgreSQL refuses texts with a NUL, and no session id has one.
        const ids = sessionIds.filter((id) => !id.includes("\0"));
        if (ids.length === 0) return new Map();
        const found = await db.selectFrom("recordings").select(columns).where("session_id", "in", ids).execute();
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
    counts: (queryOwner) =>
      guarded(async () => {
        const rows = await (queryOwner ? database.scan(queryOwner, ["recordings"], countByStatus) : countByStatus(db));
        const of = (status: RecordingStatus) => rows.find((row) => row.status === status)?.count ?? 0;
        return { pending: of("PENDING"), archived: of("ARCHIVED"), lost: of("LOST") };
      }),
    oldestPending: () =>
      guarded(async () => {
        const pending = db.selectFrom("recordings").select("received_at").where("status", "=", "PENDING");
        return (await pending.orderBy("received_at").limit(1).executeTakeFirst())?.received_at ?? null;
      }),
    listExpired: (receivedBefore, limit) => guarded(() => listExpiredRecordings(database, receivedBefore, limit)),
    delete: (sessionIds) =>
      guarded(async () => {
        await deleteRecordings(db, sessionIds);
      }),
  };
}

/** Releases all claims. Only for a gateway that is alone on its database: every other holder has ended. */
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
    revision: row.revision,
    receivedAt: row.received_at,
    status: row.status as RecordingStatus,
    url: row.url,
    failure: row.failure,
    sha256: row.sha256,
    contentType: row.content_type,
    bytes: row.bytes,
    archivedAt: row.archived_at,
    lostAt: row.lost_at,
    settled: row.settled,
  };
}
