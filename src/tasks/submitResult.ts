// The outcomes of createTask, as data.
import type { Submission } from "../store/tasks/submissionRow.ts";
import type { CreateTaskOutcome } from "../upstream/upstream.ts";
import type { LimitState } from "./usageLimits.ts";
import type { InputError } from "./validateCreateTask.ts";

export interface SubmitError extends InputError {
  code:
    | "INVALID_INPUT"
    | "NOT_ALLOWED"
    | "DO_NOT_CALL"
    | "LIMIT_EXCEEDED"
    | "IDEMPOTENCY_CONFLICT"
    | "REJECTED"
    | "UNAVAILABLE";
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

export function resultOf(submission: Submission, replayed: boolean): SubmitResult {
  return { submission, replayed, errors: submission.status === "REJECTED" ? [rejected] : [] };
}

export function refused(errors: SubmitError[]): SubmitResult {
  return { submission: null, replayed: false, errors };
}

export function statusOf(outcome: Exclude<CreateTaskOutcome, { kind: "unavailable" }>) {
  if (outcome.kind === "accepted") return "ACCEPTED";
  return outcome.kind === "rejected" ? "REJECTED" : "UNCONFIRMED";
}
