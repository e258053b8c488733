// The outcomes of createTask, approveTask and declineTask, as data.
import type { Submission, SubmissionStatus } from "../store/tasks/submissionRow.ts";
import type { CreateTaskOutcome } from "../upstream/upstream.ts";
import type { LimitState } from "./usageLimits.ts";
import type { InputError } from "./validateCreateTask.ts";

export interface SubmitError extends InputError {
  code:
    | "INVALID_INPUT"
    | "NOT_ALLOWED"
    | "DO_NOT_CALL"
    | "LIMIT_EXCEEDED"
    | "STILL_CALLING"
    | "NOBODY_TO_CALL"
    | "IDEMPOTENCY_CONFLICT"
    | "REJECTED"
    | "UNAVAILABLE"
    | "TOO_MANY_PROPOSALS"
    | "NOT_PROPOSED"
    | "OWN_PROPOSAL"
    | "APPROVED"
    | "DECLINED"
    | "EXPIRED";
  /** Only of LIMIT_EXCEEDED. */
  limit?: LimitState;
}

export interface SubmitResult {
  submission: Submission | null;
  replayed: boolean;
  errors: SubmitError[];
}

export const unavailable: SubmitError = {
  code: "UNAVAILABLE",
  message: "The service could not be reached or was overloaded. Nothing was created; try again with the same key.",
  path: [],
};
export const conflict: SubmitError = {
  code: "IDEMPOTENCY_CONFLICT",
  message: "The key was used before with another input. Nothing was sent.",
  path: ["idempotencyKey"],
};
const rejected: SubmitError = {
  code: "REJECTED",
  message: "The service refused the task. Nothing was created.",
  path: [],
};

const declined: SubmitError = {
  code: "DECLINED",
  message: "The proposed task was declined. Nothing was sent; propose it again with another key.",
  path: [],
};
const expired: SubmitError = {
  code: "EXPIRED",
  message: "Nobody approved the proposed task in time. Nothing was sent; propose it again with another key.",
  path: [],
};

/** Why the status of a submission is no success. */
const failures: Partial<Record<SubmissionStatus, SubmitError>> = {
  REJECTED: rejected,
  DECLINED: declined,
  EXPIRED: expired,
};

export function resultOf(submission: Submission, replayed: boolean): SubmitResult {
  const failure = failures[submission.status];
  return { submission, replayed, errors: failure ? [failure] : [] };
}

export function refused(errors: SubmitError[]): SubmitResult {
  return { submission: null, replayed: false, errors };
}

export function statusOf(outcome: Exclude<CreateTaskOutcome, { kind: "unavailable" }>) {
  if (outcome.kind === "accepted") return "ACCEPTED";
  return outcome.kind === "rejected" ? "REJECTED" : "UNCONFIRMED";
}
