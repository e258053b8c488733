// A submission, and how a row of the database holds it.
import type { Selectable } from "kysely";
import type { SubmissionsTable } from "../tables.ts";

export const submissionStatuses = ["PENDING", "ACCEPTED", "UNCONFIRMED", "REJECTED", "RESOLVED"] as const;
export type SubmissionStatus = (typeof submissionStatuses)[number];

/** Statuses in which the task may exist but is not known yet. */
export const openStatuses = ["PENDING", "ACCEPTED", "UNCONFIRMED"] as const satisfies readonly SubmissionStatus[];

/** How a submission's task was found: by its correlation token in an event, or by comparison. */
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
  /** The numbers that were sent. */
  numberCount: number;
  /** Numbers of the input that were not sent, because they are in the never-call list. */
  leftOutCount: number;
  submittedAt: string;
  /** Null unless RESOLVED. */
  taskId: string | null;
  /** Null unless RESOLVED, and if an older version of the gateway resolved it. */
  matchedBy: TaskMatch | null;
  /** True if its numbers were sent with a correlation token. */
  hasToken: boolean;
}

export function rowOf(submission: Submission): Selectable<SubmissionsTable> {
  return {
    id: submission.id,
    viewer: submission.viewer,
    idempotency_key: submission.idempotencyKey,
    input_sha256: submission.inputSha256,
    status: submission.status,
    name: submission.name,
    assistant_id: submission.assistantId,
    number_count: submission.numberCount,
    left_out: submission.leftOutCount,
    submitted_at: submission.submittedAt,
    task_id: submission.taskId,
    matched_by: submission.matchedBy,
    marked: Number(submission.hasToken),
  };
}

export function submissionOf(row: Selectable<SubmissionsTable>): Submission {
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
    leftOutCount: row.left_out,
    submittedAt: row.submitted_at,
    taskId: row.task_id,
    matchedBy: taskMatches.find((known) => known === row.matched_by) ?? null,
    hasToken: row.marked === 1,
  };
}
