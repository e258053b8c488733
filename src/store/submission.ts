// One sending of a task, and what can be known of it.
export const submissionStatuses = ["PENDING", "ACCEPTED", "UNCONFIRMED", "REJECTED", "RESOLVED"] as const;
export type SubmissionStatus = (typeof submissionStatuses)[number];

/** Its task may exist, and is not known yet. */
export const openStatuses = ["PENDING", "ACCEPTED", "UNCONFIRMED"] as const satisfies readonly SubmissionStatus[];

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
}
