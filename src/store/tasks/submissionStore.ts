// Tasks sent through this gateway: what was asked, by whom, and what is known of the outcome. Whatever changes one wakes
// the other gateways.
import { sql, type Kysely, type Selectable } from "kysely";
import type { Database } from "../database.ts";
import { createErasedKeys, type ErasedKeys } from "../log/erasedKeys.ts";
import { guarded } from "../storeError.ts";
import type { SubmissionsTable, Tables } from "../tables.ts";

export const submissionStatuses = ["PENDING", "ACCEPTED", "UNCONFIRMED", "REJECTED", "RESOLVED"] as const;
export type SubmissionStatus = (typeof submissionStatuses)[number];

/** Its task may exist, and is not known yet. */
export const openStatuses = ["PENDING", "ACCEPTED", "UNCONFIRMED"] as const satisfies readonly SubmissionStatus[];

/** How its task was found: by its mark in an event, or by comparing a task with it. */
export const taskMatches = ["MARK", "COMPARISON"] as const;
export type TaskMatch = (typeof taskMatches)[number];

export interface Submission {
  id: string;
  viewer: string;
  idempotencyKey: string;
  inputSha256: string;
  status: SubmissionStatus;
  name: string;
  assistantId: string;
  numberCount: number;
  submittedAt: string;
  /** Null unless it is RESOLVED. */
  taskId: string | null;
  /** Null unless it is RESOLVED, and where an older version resolved it. */
  matchedBy: TaskMatch | null;
  /** Its numbers were sent with a mark. */
  hasToken: boolean;
}

/** A place in the list, newest first. */
export type SubmissionPosition = Pick<Submission, "submittedAt" | "id">;

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface SubmissionStore {
  /** Takes the viewer's key for this submission, on disk when it resolves; or gives the submission that has it. */
  claim(submission: Submission): Promise<Claim>;
  /** What is known now, from PENDING or UNCONFIRMED; what is RESOLVED or REJECTED stays as it is. */
  settle(id: string, status: Exclude<SubmissionStatus, "PENDING" | "RESOLVED">): Promise<void>;
  /**
   * Its task is known by its mark, which stands over a comparison. Nothing is changed unless it is `resolved`, or a
   * comparison is confirmed.
   */
  resolve(id: string, taskId: string): Promise<TaskResolution>;
  /** Frees the key: for a submission of which nothing was sent. */
  release(id: string): Promise<void>;
  byId(id: string): Promise<Submission | null>;
  byKey(viewer: string, idempotencyKey: string): Promise<Submission | null>;
  /** Newest first; `after`: only those behind that place. */
  page(request: { after: SubmissionPosition | null; limit: number }): Promise<Submission[]>;
  /** Whether there is one whose task is still to be found. */
  hasOpen(): Promise<boolean>;
  /** Whether one was sent without a mark whose task is still to be found, or was found by comparison: another may fit too. */
  hasWithoutToken(): Promise<boolean>;
  /** Deletes up to `limit` that were submitted before that instant; how many it were. Their keys are free again. */
  purge(submittedBefore: string, limit: number): Promise<number>;
}

export type Claim = { claimed: true } | { claimed: false; holder: Submission };

export type TaskResolution =
  | "resolved"
  /** By this very task. */
  | "known"
  /** It has another task already, or was refused. */
  | "contradicted"
  /** No longer, or never, a submission of this database. */
  | "unknown";

export function createSubmissionStore({ db, notifyOthers: wake }: Database): SubmissionStore {
  const forgotten = createErasedKeys();
  const rows = () => db.selectFrom("submissions").selectAll();

  /** By the mark: from whatever is not settled for good. */
  async function resolve(id: string, taskId: string): Promise<boolean> {
    const query = db
      .updateTable("submissions")
      .set({ status: "RESOLVED", task_id: taskId, matched_by: "MARK" })
      .where("id", "=", id)
      .where((eb) => eb.or([eb("status", "in", openStatuses), eb("matched_by", "=", "COMPARISON")]));
    const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) await wake();
    return numUpdatedRows > 0n;
  }
  async function update(id: string, change: { status: SubmissionStatus }, from: readonly string[]) {
    const query = db.updateTable("submissions").set(change).where("id", "=", id).where("status", "in", from);
    const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) await wake();
    return numUpdatedRows > 0n;
  }

  return {
    claim: (submission) =>
      guarded(async () => {
        for (;;) {
          const claim = await tryToClaim(db, forgotten, submission);
          if (claim) return claim;
        }
      }),
    settle: (id, status) =>
      guarded(async () => {
        await update(id, { status }, ["PENDING", "UNCONFIRMED"]);
      }),
    resolve: (id, taskId) =>
      guarded(async () => {
        if (await resolve(id, taskId)) return "resolved";
        const row = await rows().where("id", "=", id).executeTakeFirst();
        if (!row) return "unknown";
        return row.task_id === taskId ? "known" : "contradicted";
      }),
    release: (id) =>
      guarded(async () => {
        const unsent = db.deleteFrom("submissions").where("id", "=", id);
        await unsent.where("status", "in", ["PENDING", "UNCONFIRMED"]).execute();
        await wake();
      }),
    byId: (id) =>
      guarded(async () => {
        // PostgreSQL refuses to be asked for a NUL, and no submission has one.
        if (id.includes("\0")) return null;
        const row = await rows().where("id", "=", id).executeTakeFirst();
        return row ? submissionOf(row) : null;
      }),
    byKey: (viewer, idempotencyKey) =>
      guarded(async () => {
        const keys = [idempotencyKey, await forgotten.hashOf(db, "key", idempotencyKey)];
        const own = rows().where("viewer", "=", viewer).where("idempotency_key", "in", keys);
        const row = await own.executeTakeFirst();
        return row ? submissionOf(row) : null;
      }),
    page: ({ after, limit }) =>
      guarded(async () => {
        const place = sql<boolean>`(submitted_at, id) < (${after?.submittedAt ?? ""}, ${after?.id ?? ""})`;
        const page = rows().$if(after !== null, (query) => query.where(place));
        const found = await page.orderBy("submitted_at", "desc").orderBy("id", "desc").limit(limit).execute();
        return found.map(submissionOf);
      }),
    hasOpen: () =>
      guarded(async () => {
        const open = db.selectFrom("submissions").select("id").where("status", "in", openStatuses).limit(1);
        return (await open.executeTakeFirst()) !== undefined;
      }),
    hasWithoutToken: () =>
      guarded(async () => {
        const unmarked = db.selectFrom("submissions").select("id").where("marked", "=", 0).limit(1);
        const found = unmarked.where((eb) => {
          const isOpen = eb.and([eb("status", "in", openStatuses), eb("matched_by", "is", null)]);
          return eb.or([isOpen, eb("matched_by", "=", "COMPARISON")]);
        });
        return (await found.executeTakeFirst()) !== undefined;
      }),
    purge: (submittedBefore, limit) =>
      guarded(async () => {
        const old = db.selectFrom("submissions").select("id").where("submitted_at", "<", submittedBefore).limit(limit);
        const purged = db.deleteFrom("submissions").where("id", "in", old);
        return Number((await purged.executeTakeFirst()).numDeletedRows);
      }),
  };
}

/** Null: another had the key and has freed it meanwhile. */
function tryToClaim(db: Kysely<Tables>, forgotten: ErasedKeys, submission: Submission): Promise<Claim | null> {
  return db.transaction().execute(async (trx) => {
    const holderOf = (key: string) =>
      trx
        .selectFrom("submissions")
        .selectAll()
        .where("viewer", "=", submission.viewer)
        .where("idempotency_key", "=", key)
        .executeTakeFirst();
    const taken = await trx
      .insertInto("submissions")
      .values(rowOf(submission))
      .onConflict((conflict) => conflict.columns(["viewer", "idempotency_key"]).doNothing())
      .returning("id")
      .executeTakeFirst();
    // A key that held a person's number may have been made unreadable: looked for behind the insert, which waits for it.
    const erased = await holderOf(await forgotten.hashOf(trx, "key", submission.idempotencyKey));
    if (taken && !erased) return { claimed: true };
    if (taken) await trx.deleteFrom("submissions").where("id", "=", taken.id).execute();
    const holder = erased ?? (await holderOf(submission.idempotencyKey));
    return holder ? { claimed: false, holder: submissionOf(holder) } : null;
  });
}

function rowOf(submission: Submission): Selectable<SubmissionsTable> {
  return {
    id: submission.id,
    viewer: submission.viewer,
    idempotency_key: submission.idempotencyKey,
    input_sha256: submission.inputSha256,
    status: submission.status,
    name: submission.name,
    assistant_id: submission.assistantId,
    number_count: submission.numberCount,
    submitted_at: submission.submittedAt,
    task_id: submission.taskId,
    matched_by: submission.matchedBy,
    marked: Number(submission.hasToken),
  };
}

function submissionOf(row: Selectable<SubmissionsTable>): Submission {
  const status = submissionStatuses.find((known) => known === row.status);
  if (!status) throw new Error(`submission ${row.id} has an unknown status`);
  return {
    id: row.id,
    viewer: row.viewer,
    idempotencyKey: row.idempotency_key,
    inputSha256: row.input_sha256,
    status,
    name: row.name,
    assistantId: row.assistant_id,
    numberCount: row.number_count,
    submittedAt: row.submitted_at,
    taskId: row.task_id,
    matchedBy: taskMatches.find((known) => known === row.matched_by) ?? null,
    hasToken: row.marked === 1,
  };
}
