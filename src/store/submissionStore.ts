// Tasks sent through this gateway: what was asked, by whom, and what is known of the outcome.
import type { Kysely, Selectable } from "kysely";
import { guarded } from "./storeError.ts";
import type { SubmissionsTable, Tables } from "./tables.ts";

export const submissionStatuses = ["PENDING", "ACCEPTED", "UNCONFIRMED", "REJECTED"] as const;
export type SubmissionStatus = (typeof submissionStatuses)[number];

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
}

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface SubmissionStore {
  /** Takes the viewer's key for this submission, on disk when it resolves; or gives the submission that has it. */
  claim(submission: Submission): Promise<{ claimed: true } | { claimed: false; holder: Submission }>;
  settle(id: string, status: Exclude<SubmissionStatus, "PENDING">): Promise<void>;
  /** Frees the key: for a submission of which nothing was sent. */
  release(id: string): Promise<void>;
  byId(id: string): Promise<Submission | null>;
  /** What was submitted before that instant and is still being sent was left by a process that ended: UNCONFIRMED. */
  settleAbandoned(submittedBefore: string): Promise<number>;
}

export function createSubmissionStore(db: Kysely<Tables>): SubmissionStore {
  return {
    claim: (submission) =>
      guarded(() =>
        db.transaction().execute(async (trx) => {
          const taken = await trx
            .insertInto("submissions")
            .values(rowOf(submission))
            .onConflict((conflict) => conflict.columns(["viewer", "idempotency_key"]).doNothing())
            .returning("id")
            .executeTakeFirst();
          if (taken) return { claimed: true };
          const holder = await trx
            .selectFrom("submissions")
            .selectAll()
            .where("viewer", "=", submission.viewer)
            .where("idempotency_key", "=", submission.idempotencyKey)
            .executeTakeFirstOrThrow();
          return { claimed: false, holder: submissionOf(holder) };
        }),
      ),
    settle: (id, status) =>
      guarded(async () => {
        await db.updateTable("submissions").set({ status }).where("id", "=", id).execute();
      }),
    release: (id) =>
      guarded(async () => {
        await db.deleteFrom("submissions").where("id", "=", id).execute();
      }),
    byId: (id) =>
      guarded(async () => {
        const row = await db.selectFrom("submissions").selectAll().where("id", "=", id).executeTakeFirst();
        return row ? submissionOf(row) : null;
      }),
    settleAbandoned: (submittedBefore) =>
      guarded(async () => {
        const abandoned = db
          .updateTable("submissions")
          .set({ status: "UNCONFIRMED" })
          .where("status", "=", "PENDING")
          .where("submitted_at", "<", submittedBefore);
        return Number((await abandoned.executeTakeFirst()).numUpdatedRows);
      }),
  };
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
  };
}
