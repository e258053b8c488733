// Submissions: tasks that were sent through the gateway, who sent them, and their outcome. Each change notifies the other
// gateways.
import { sql, type Kysely } from "kysely";
import { addCallAgain, CampaignChanged, type NewCallAgain } from "./callAgainWrites.ts";
import { addAuditEvent, removeSubmissionEvent, type NewAuditEvent } from "../audit/auditStore.ts";
import type { Database, DatabaseKind } from "../database.ts";
import { createErasedKeys, type ErasedKeys } from "../events/erasedKeys.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";
import {
  openStatuses,
  selectSubmissions,
  submissionOf,
  type Submission,
  type SubmissionPage,
  type SubmissionStatus,
} from "./submissionRow.ts";
import type { InputDigests } from "./inputDigest.ts";
import { purgeSubmissions } from "./purgeSubmissions.ts";
import { takeKey } from "./takeKey.ts";
import { countWithin, QuotaRefusal, type Quota } from "./quota.ts";
import { giveBackUsage, type Usage } from "./usageStore.ts";

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface SubmissionStore {
  /**
   * Claims the viewer's key for this submission and adds its entry to the audit log, on disk when it resolves. Otherwise returns the
   * submission that has the key. A new submission counts towards its viewer's usage in the same transaction, unless the quota
   * refuses it: then nothing is stored. `callAgain`: whom it calls again; nothing is stored either where that is not true any more.
   */
  claim(submission: Submission, quota: Quota, callAgain?: NewCallAgain | null): Promise<Claim>;
  /** Changes the status from PENDING or UNCONFIRMED. Others stay. Erases the input of a proposal. */
  settle(id: string, status: "ACCEPTED" | "UNCONFIRMED" | "REJECTED"): Promise<void>;
  /**
   * Sets the task that a correlation token names. A token overrides a comparison. Changes nothing unless the result is `resolved`.
   */
  resolve(id: string, taskId: string): Promise<TaskResolution>;
  /**
   * Deletes a submission that created nothing, its entry in the audit log and its usage, so that its key is free: its claim failed, no
   * connection opened, or the service answered 429.
   */
  release(id: string): Promise<void>;
  byId(id: string): Promise<Submission | null>;
  byKey(viewer: string, idempotencyKey: string): Promise<Submission | null>;
  /** Whether a submission's digest is of the input with this SHA-256. */
  hasInput(submission: Submission, sha256: string): boolean;
  /** Newest first. */
  page(request: SubmissionPage): Promise<Submission[]>;
  /** How many there are of each status that occurs. */
  counts(): Promise<{ status: string; count: number }[]>;
  /** Up to `limit` that are PENDING, the earliest sent first. */
  listPending(limit: number): Promise<{ id: string; sentAt: string }[]>;
  /** True if a submission's task is still to be found. */
  hasOpen(): Promise<boolean>;
  /** True if a submission without a token has no task yet, or one by comparison, which another task may still contradict. */
  hasWithoutToken(): Promise<boolean>;
  /**
   * Deletes up to `limit` that were submitted and sent before an instant and do not wait for an approval, and frees their keys. Those that
   * call people again stay while the log has calls of their tasks. Returns the number of deleted ones.
   */
  purge(submittedBefore: string, limit: number): Promise<number>;
  /** Makes up to `limit` digests of inputs from before an instant unguessable (inputDigest.ts). Returns their number. */
  keyDigests(submittedBefore: string, limit: number): Promise<number>;
}

/** Statuses in which the outcome of the request is not known. */
export const UNSETTLED = ["PENDING", "UNCONFIRMED"] as const;

export type Claim =
  | { claimed: true }
  | { claimed: false; holder: Submission }
  /** `usage`: what the viewer would have used with this submission. */
  | { claimed: false; holder: null; usage: Usage }
  /** The people that it calls again must be chosen again. */
  | { claimed: false; holder: null; usage: null };

export type TaskResolution =
  | "resolved"
  /** It has this task already. */
  | "known"
  /** It has another task, or was rejected. */
  | "contradicted"
  /** This database has no such submission. */
  | "unknown";

export function createSubmissionStore({ db, kind, notify }: Database, digests: InputDigests): SubmissionStore {
  const erased = createErasedKeys();
  const rows = () => selectSubmissions(db);

  /** Resolves an open submission, or one that was resolved by comparison. */
  async function resolve(id: string, taskId: string): Promise<boolean> {
    const isResolved = await db.transaction().execute(async (trx) => {
      const query = trx
        .updateTable("submissions")
        .set({ status: "RESOLVED", task_id: taskId, matched_by: "MARK" })
        .where("id", "=", id)
        .where((eb) => eb.or([eb("status", "in", openStatuses), eb("matched_by", "=", "COMPARISON")]));
      const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) await eraseInput(trx, id);
      return numUpdatedRows > 0n;
    });
    if (isResolved) await notify();
    return isResolved;
  }
  async function settle(id: string, status: SubmissionStatus): Promise<void> {
    const isChanged = await db.transaction().execute(async (trx) => {
      const query = trx.updateTable("submissions").set({ status }).where("id", "=", id);
      const { numUpdatedRows } = await query.where("status", "in", UNSETTLED).executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) await eraseInput(trx, id);
      return numUpdatedRows > 0n;
    });
    if (isChanged) await notify();
  }

  return {
    claim: (submission, quota, callAgain = null) =>
      guarded(async () => {
        for (;;) {
          const claim = await tryToClaim({ db, kind }, erased, { submission, quota, callAgain }).catch(claimOfRefusal);
          if (claim) return claim;
        }
      }),
    settle: (id, status) => guarded(() => settle(id, status)),
    resolve: (id, taskId) =>
      guarded(async () => {
        if (await resolve(id, taskId)) return "resolved";
        const row = await rows().where("id", "=", id).executeTakeFirst();
        if (!row) return "unknown";
        return row.task_id === taskId ? "known" : "contradicted";
      }),
    release: (id) =>
      guarded(async () => {
        await db.transaction().execute(async (trx) => {
          const unsent = trx.deleteFrom("submissions").where("id", "=", id);
          const deleted = unsent.where("status", "in", UNSETTLED).returning(["viewer", "number_count", "submitted_at"]);
          const submission = await deleted.executeTakeFirst();
          if (!submission) return;
          const { viewer, number_count: numberCount, submitted_at: at } = submission;
          await giveBackUsage(trx, { viewer, numberCount, at });
          await removeSubmissionEvent(trx, { actor: viewer, action: "TASK_SUBMITTED", subject: id });
        });
        await notify();
      }),
    byId: (id) =>
      guarded(async () => {
        // PostgreSQL refuses texts with a NUL, and no id has one.
        if (id.includes("\0")) return null;
        const row = await rows().where("id", "=", id).executeTakeFirst();
        return row ? submissionOf(row) : null;
      }),
    byKey: (viewer, idempotencyKey) =>
      guarded(async () => {
        const keys = [idempotencyKey, await erased.hashOf(db, "key", idempotencyKey)];
        const own = rows().where("viewer", "=", viewer).where("idempotency_key", "in", keys);
        const row = await own.executeTakeFirst();
        return row ? submissionOf(row) : null;
      }),
    page: ({ after, limit, viewer, sourceTaskId }) =>
      guarded(async () => {
        const isAfter = sql<boolean>`(submitted_at, id) < (${after?.submittedAt ?? ""}, ${after?.id ?? ""})`;
        const own = rows().$if(viewer !== undefined, (query) => query.where("viewer", "=", viewer as string));
        const again = own.$if(sourceTaskId !== undefined, (query) =>
          query.where("source_task_id", "=", sourceTaskId ?? ""),
        );
        const page = again.$if(after !== null, (query) => query.where(isAfter));
        const found = await page.orderBy("submitted_at", "desc").orderBy("id", "desc").limit(limit).execute();
        return found.map(submissionOf);
      }),
    counts: () =>
      guarded(() => {
        const count = db.selectFrom("submissions").select((eb) => ["status", eb.fn.countAll<number>().as("count")]);
        return count.groupBy("status").execute();
      }),
    listPending: (limit) =>
      guarded(() => {
        const sentAt = sql<string>`coalesce(sent_at, submitted_at)`;
        // The first condition is the one of an index.
        const open = db.selectFrom("submissions").where("status", "in", openStatuses).where("status", "=", "PENDING");
        return open
          .select(["id", sentAt.as("sentAt")])
          .orderBy(sentAt)
          .orderBy("id")
          .limit(limit)
          .execute();
      }),
    hasOpen: () =>
      guarded(async () => {
        const open = db.selectFrom("submissions").select("id").where("status", "in", openStatuses).limit(1);
        return (await open.executeTakeFirst()) !== undefined;
      }),
    hasWithoutToken: () =>
      guarded(async () => {
        const withoutToken = db.selectFrom("submissions").select("id").where("marked", "=", 0).limit(1);
        const found = withoutToken.where((eb) => {
          const isOpen = eb.and([eb("status", "in", openStatuses), eb("matched_by", "is", null)]);
          return eb.or([isOpen, eb("matched_by", "=", "COMPARISON")]);
        });
        return (await found.executeTakeFirst()) !== undefined;
      }),
    hasInput: ({ inputSha256 }, sha256) => digests.isSame(inputSha256, sha256),
    keyDigests: (submittedBefore, limit) => guarded(() => digests.keyBefore(db, submittedBefore, limit)),
    purge: (submittedBefore, limit) => guarded(() => purgeSubmissions(db, submittedBefore, limit)),
  };
}

/** Null: another submission had the key and freed it meanwhile. */
function tryToClaim(
  { db, kind }: { db: Kysely<Tables>; kind: DatabaseKind },
  erasedKeys: ErasedKeys,
  { submission, quota, callAgain }: { submission: Submission; quota: Quota; callAgain: NewCallAgain | null },
): Promise<Claim | null> {
  return db.transaction().execute(async (trx) => {
    const taken = await takeKey(trx, erasedKeys, submission);
    if (taken !== "taken") return taken && { claimed: false, holder: taken };
    await countWithin(trx, submission, quota);
    await addAuditEvent(trx, auditEventOf(submission));
    if (callAgain) await addCallAgain(trx, kind, submission.id, callAgain);
    return { claimed: true };
  });
}

/** Removes the numbers of a proposal. Call it inside the transaction that ends the need for them. */
export async function eraseInput(trx: Kysely<Tables>, id: string): Promise<void> {
  await trx.updateTable("task_proposals").set({ input: null }).where("submission_id", "=", id).execute();
}

function claimOfRefusal(error: unknown): Claim {
  if (error instanceof QuotaRefusal) return { claimed: false, holder: null, usage: error.usage };
  if (error instanceof CampaignChanged) return { claimed: false, holder: null, usage: null };
  throw error;
}

function auditEventOf({ id, viewer, submittedAt, numberCount }: Submission): NewAuditEvent {
  return { at: submittedAt, actor: viewer, action: "TASK_SUBMITTED", subject: id, count: numberCount };
}
