// One sending of a task, and what can be known of it.
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
  isMarked: boolean;
}
