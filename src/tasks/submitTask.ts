// Submits a new task. The idempotency key and a digest of the input are on disk before the request is sent, and the request is
// sent once (submissionSender.ts).
import { releaseOf } from "../util/bodies/bodyTurn.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import type { Submission } from "../store/tasks/submissionRow.ts";
import type { SubmissionStore } from "../store/tasks/submissionStore.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { CorrelationTokens } from "./correlationToken.ts";
import { untilChosen } from "./callAgain/untilChosen.ts";
import type { PreparedTask, TaskPreparation } from "./prepareTask.ts";
import type { SubmissionSender } from "./submissionSender.ts";
import { refused, type SubmitError, type SubmitResult } from "./submitResult.ts";
import type { Submitter, TaskRules } from "./taskRules.ts";
import type { CreateTaskInput } from "./validateCreateTask.ts";

/** Expected outcomes are data. Throws STORE_UNAVAILABLE before the request is sent, never after it. */
export type SubmitTask = (viewer: Submitter, input: CreateTaskInput) => Promise<SubmitResult>;

export interface SubmitTaskDeps {
  upstream: Pick<Upstream, "writeTask">;
  submissions: Pick<SubmissionStore, "claim" | "release">;
  rules: Pick<TaskRules, "quota">;
  preparation: TaskPreparation;
  sender: Pick<SubmissionSender, "send">;
  /** Null: no tokens are sent, and the created task is found by comparison only. */
  tokens: CorrelationTokens | null;
  slices: TimeSlices;
}

/** Why a claim sends nothing: another submission has the key, a limit refuses, or people have to be chosen again. */
type Refusal = { holder: Submission } | { errors: SubmitError[] } | "changed";

export function createSubmitTask(deps: SubmitTaskDeps): SubmitTask {
  const { upstream, submissions, rules, preparation, sender, tokens, slices } = deps;

  /** The limits decide here, because other requests of the viewer may have been counted since they were examined. */
  async function claim(viewer: Submitter, { submission, callAgain }: PreparedTask): Promise<Refusal | null> {
    const { numberCount, submittedAt: countedAt } = submission;
    const quota = rules.quota(viewer, { numberCount, countedAt });
    const claim = await submissions.claim(submission, quota, callAgain);
    if (claim.claimed) return null;
    if (claim.holder) return { holder: claim.holder };
    return claim.usage ? { errors: quota.refusalsOf(claim.usage) } : "changed";
  }

  /** Null: the people have to be chosen again. */
  async function trySubmit(viewer: Submitter, input: CreateTaskInput): Promise<SubmitResult | null> {
    const { task, result } = await preparation.prepare(viewer, input);
    if (!task) return result;
    const { submission, allowed } = task;
    // The body is prepared before the claim, so that the request follows the claim at once.
    const request = tokens ? await slices.run(viewer.name, tokens.attach(allowed, submission.id)) : allowed;
    const body = await slices.run(viewer.name, upstream.writeTask(request));
    // The input is not needed any more: another large body may be parsed while the service answers.
    releaseOf(input.numbers)?.();
    const attempt = await sender.send<Refusal>(submission, body, {
      take: () => claim(viewer, task),
      takeBack: () => submissions.release(submission.id),
    });
    if (attempt.kind === "sent") return attempt.result;
    if (attempt.kind === "busy") throw new Error("another holder has the lease of a new submission");
    const { refusal } = attempt;
    if (refusal === "changed") return null;
    if ("errors" in refusal) return refused(refusal.errors);
    return preparation.replay(refusal.holder, submission.inputSha256);
  }

  return (viewer, input) => untilChosen(() => trySubmit(viewer, input));
}
