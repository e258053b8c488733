// A submission and its proposal, and how rows of the database hold them.
import type { Kysely, Selectable } from "kysely";
import type { CallAgainTable, SubmissionsTable, Tables, TaskProposalsTable } from "../tables.ts";

export const submissionStatuses = [
  "PROPOSED",
  "DECLINED",
  "EXPIRED",
  "PENDING",
  "ACCEPTED",
  "UNCONFIRMED",
  "REJECTED",
  "RESOLVED",
] as const;
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
  /** Keyed where it is older: compare it with SubmissionStore.hasInput. */
  inputSha256: string;
  status: SubmissionStatus;
  name: string;
  assistantId: string;
  /** The numbers that were sent, or are proposed. */
  numberCount: number;
  /** Numbers of the input that are left out, because they are in the never-call list. */
  leftOutCount: number;
  submittedAt: string;
  /** When an approved proposal was sent. Null: it was sent when it was submitted, or not yet. */
  sentAt: string | null;
  /** Null unless RESOLVED. */
  taskId: string | null;
  /** Null unless RESOLVED, and if an older version of the gateway resolved it. */
  matchedBy: TaskMatch | null;
  /** True if its numbers were sent with a correlation token. */
  hasToken: boolean;
  /** Null: it was sent without an approval. */
  proposal: Proposal | null;
  /** Null: its numbers were in the input. */
  calledAgain: CalledAgain | null;
}

/** A position in the list, newest first. */
export type SubmissionPosition = Pick<Submission, "submittedAt" | "id">;

export interface SubmissionPage {
  /** Only submissions after this position. */
  after: SubmissionPosition | null;
  limit: number;
  /** Only its own. */
  viewer?: string;
  /** Only those that call people of this task again. */
  sourceTaskId?: string;
}

/** Why a person of a task is not called again. */
export const leftOutReasons = [
  "REACHED",
  "ALREADY_BEING_CALLED",
  "DO_NOT_CALL",
  "NOT_ALLOWED",
  "UNREADABLE",
  "NOT_IN_LOG",
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

export interface LeftOut {
  reason: LeftOutReason;
  people: number;
}

/** What a submission that calls people of a task again came from. */
export interface CalledAgain {
  taskId: string;
  /** A reason that nobody has is left out. */
  leftOut: LeftOut[];
  /** People of whom the log has no variables. */
  withoutVariables: number;
}

/** A proposal without its input. */
export interface Proposal {
  expiresAt: string;
  summary: ProposalSummary;
  /** Null while it waits. */
  decidedAt: string | null;
  /** The viewer that approved or declined it. */
  decidedBy: string | null;
  declineReason: string | null;
}

/** What an approver sees of the input, besides the members of Submission. It holds no phone numbers. */
export interface ProposalSummary {
  lineIds: string[];
  /** As they are written in the input. */
  periods: string[][];
  startDate: string;
  retryCount: number;
  retryIntervalSeconds: number;
  overridesAssistant: boolean;
  skipsDoNotCall: boolean;
  /** People by country code. Missing where an earlier version of the gateway stored it. */
  countries?: { countryCode: string | null; people: number }[];
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
    sent_at: submission.sentAt,
    task_id: submission.taskId,
    matched_by: submission.matchedBy,
    marked: Number(submission.hasToken),
  };
}

type ProposalColumns = Pick<
  Selectable<TaskProposalsTable>,
  "expires_at" | "summary" | "decided_at" | "decided_by" | "decline_reason"
>;
type CallAgainColumns = Pick<Selectable<CallAgainTable>, "source_task_id" | "people_left_out" | "without_variables">;
type JoinedColumns = ProposalColumns & CallAgainColumns;
export type SubmissionRow = Selectable<SubmissionsTable> & {
  [Column in keyof JoinedColumns]: JoinedColumns[Column] | null;
};

/** Submissions with their proposals and sources, for `submissionOf`. The inputs of proposals and the people are not read. */
export function selectSubmissions(db: Kysely<Tables>) {
  return db
    .selectFrom("submissions")
    .leftJoin("task_proposals", "task_proposals.submission_id", "id")
    .leftJoin("call_again", "call_again.submission_id", "id")
    .selectAll("submissions")
    .select(["expires_at", "summary", "decided_at", "decided_by", "decline_reason"])
    .select(["source_task_id", "people_left_out", "without_variables"]);
}

export function submissionOf(row: SubmissionRow): Submission {
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
    sentAt: row.sent_at,
    taskId: row.task_id,
    matchedBy: taskMatches.find((known) => known === row.matched_by) ?? null,
    hasToken: row.marked === 1,
    proposal: proposalOf(row),
    calledAgain: calledAgainOf(row),
  };
}

function calledAgainOf({
  source_task_id: taskId,
  people_left_out: leftOut,
  without_variables: withoutVariables,
}: SubmissionRow): CalledAgain | null {
  if (taskId === null || leftOut === null || withoutVariables === null) return null;
  return { taskId, leftOut: JSON.parse(leftOut) as LeftOut[], withoutVariables };
}

function proposalOf({ expires_at, summary, decided_at, decided_by, decline_reason }: SubmissionRow): Proposal | null {
  if (expires_at === null || summary === null) return null;
  return {
    expiresAt: expires_at,
    summary: JSON.parse(summary) as ProposalSummary,
    decidedAt: decided_at,
    decidedBy: decided_by,
    declineReason: decline_reason,
  };
}
