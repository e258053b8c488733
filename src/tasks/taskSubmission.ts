// Everything that sends a task: at once, or after it was proposed and approved.
import type { Viewer } from "../auth/scopes.ts";
import type { Logger } from "../logger.ts";
import type { Store } from "../store/store.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { Signal } from "../util/signal.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import type { ExamineTask } from "./callAgain/examineTask.ts";
import type { CorrelationTokens } from "./correlationToken.ts";
import { createTaskPreparation } from "./prepareTask.ts";
import { createApproveTask, type ApproveTask } from "./proposals/approveTask.ts";
import { createDeclineTask, type DeclineTask } from "./proposals/declineTask.ts";
import { createProposers } from "./proposals/proposer.ts";
import { createProposeTask, type ProposeTask } from "./proposals/proposeTask.ts";
import { createSubmissionSender } from "./submissionSender.ts";
import { createSubmissionService, type SubmissionService } from "./submissionService.ts";
import { createSubmitTask, type SubmitTask } from "./submitTask.ts";
import type { SubmittedTasks } from "./submittedTasks.ts";
import type { TaskRules } from "./taskRules.ts";

export interface TaskSubmission {
  submitTask: SubmitTask;
  proposeTask: ProposeTask;
  approveTask: ApproveTask;
  declineTask: DeclineTask;
  submissions: SubmissionService;
}

export interface TaskSubmissionDeps {
  store: Pick<Store, "submissions" | "proposals" | "callAgain" | "leases">;
  upstream: Pick<Upstream, "writeTask" | "createTask" | "getTask">;
  rules: Pick<TaskRules, "quota">;
  examineTask: ExamineTask;
  /** Null: no tokens are sent, and the created task is found by comparison only. */
  tokens: CorrelationTokens | null;
  /** Whether the tasks of submissions are searched. */
  correlates: boolean;
  /** The viewer whose key has this name now. */
  viewerOfKey: (name: string) => Viewer | null;
  /** A text that changes with TOKEN_POLICY_FILE. */
  policyVersion: () => string;
  submittedTasks: Pick<SubmittedTasks, "isOf">;
  /** Called with the lines of an approved task that the service accepted. */
  addLines: (lineIds: readonly string[]) => void;
  /** Notified when a submission may have changed, here or on another gateway. */
  changes: Signal;
  /** How long a repeated request waits for another gateway that is sending the first one. */
  pendingTimeoutMs: number;
  /** How often a watched submission is read, in case a notification was lost. */
  pollMs?: number;
  slices: TimeSlices;
  clock: () => number;
  /** For what expires. */
  cautiousClock: () => number;
  log: Logger;
}

export function createTaskSubmission(deps: TaskSubmissionDeps): TaskSubmission {
  const { store, tokens, viewerOfKey, policyVersion, ...shared } = deps;
  const { submissions, proposals, callAgain } = store;
  const submissionService = createSubmissionService({ ...shared, ...store, clock: deps.cautiousClock });
  const sender = createSubmissionSender({ ...shared, submissions, submissionService });
  const preparation = createTaskPreparation({ ...shared, submissions, sender, sendsTokens: tokens !== null });
  const proposers = createProposers({ viewerOfKey, policyVersion });
  const parts = {
    ...shared,
    submissions,
    proposals,
    callAgain,
    submissionService,
    sender,
    preparation,
    proposers,
    tokens,
  };
  return {
    submissions: submissionService,
    submitTask: createSubmitTask(parts),
    proposeTask: createProposeTask(parts),
    approveTask: createApproveTask(parts),
    declineTask: createDeclineTask(parts),
  };
}
