// Approves a proposal and sends it once, however often and on however many gateways it is approved. The limits of the viewer that
// proposed it and the never-call list are applied again, as they are now.
import { randomUUID } from "node:crypto";
import type { Viewer } from "../../auth/scopes.ts";
import { CodedError } from "../../errors.ts";
import { instantOf } from "../../format/instant.ts";
import type { CallAgainStore } from "../../store/tasks/callAgainStore.ts";
import type { ProposalStore } from "../../store/tasks/proposalStore.ts";
import type { Approval } from "../../store/tasks/proposalWrites.ts";
import type { Submission } from "../../store/tasks/submissionRow.ts";
import type { TaskRecord, Upstream } from "../../upstream/upstream.ts";
import type { Signal } from "../../util/signal.ts";
import type { TimeSlices } from "../../util/timeSlices.ts";
import type { ExamineTask } from "../callAgain/examineTask.ts";
import { untilChosen } from "../callAgain/untilChosen.ts";
import type { CorrelationTokens } from "../correlationToken.ts";
import type { Attempt, SubmissionSender } from "../submissionSender.ts";
import type { SubmissionService } from "../submissionService.ts";
import { refused, resultOf, unavailable, type SubmitError, type SubmitResult } from "../submitResult.ts";
import type { SubmittedTasks } from "../submittedTasks.ts";
import type { Submitter, TaskRules } from "../taskRules.ts";
import { notProposed, ownProposal } from "./decisionErrors.ts";
import { readProposalInput } from "./proposalInput.ts";
import type { Proposer, Proposers } from "./proposer.ts";

/**
 * `viewer`: the approver. Expected outcomes are data; a proposal that a limit, the never-call list or the service refuses for now waits
 * on. Throws FORBIDDEN for an agent, and STORE_UNAVAILABLE before the request is sent, never after it.
 */
export type ApproveTask = (viewer: Pick<Viewer, "name" | "isAgent">, id: string) => Promise<SubmitResult>;

export interface ApproveTaskDeps {
  upstream: Pick<Upstream, "writeTask" | "getTask">;
  proposals: Pick<ProposalStore, "inputOf" | "approve" | "takeBack">;
  submissionService: Pick<SubmissionService, "byId">;
  sender: SubmissionSender;
  rules: Pick<TaskRules, "quota">;
  examineTask: ExamineTask;
  callAgain: Pick<CallAgainStore, "sourceOf">;
  proposers: Pick<Proposers, "current">;
  submittedTasks: Pick<SubmittedTasks, "isOf">;
  /** Null: no tokens are sent. */
  tokens: CorrelationTokens | null;
  /** Called with the lines of a task that the service accepted. */
  addLines: (lineIds: readonly string[]) => void;
  /** Notified when a submission may have changed, here or on another gateway. */
  changes: Signal;
  slices: TimeSlices;
  clock: () => number;
}

/** Why a claim sends nothing: a limit refuses, it was decided meanwhile, or people have to be chosen again. */
type Refusal = { errors: SubmitError[] } | "decided" | "changed";

/** How long an approval waits for another gateway before it reads the proposal again. */
const POLL_MS = 200;

export function createApproveTask(deps: ApproveTaskDeps): ApproveTask {
  const { upstream, proposals, submissionService, sender, rules, examineTask, proposers, tokens, addLines } = deps;
  const { submittedTasks, changes, slices, clock } = deps;

  /** "later": it was decided meanwhile, or another gateway is approving it. Null: its people have to be chosen again. */
  async function tryToApprove(approver: string, submission: Submission): Promise<SubmitResult | "later" | null> {
    const { id } = submission;
    const stored = await proposals.inputOf(id);
    if (!stored) return "later";
    const source = await deps.callAgain.sourceOf(id);
    const proposer = proposers.current(submission.viewer, stored.policy, { callsAgain: source !== null });
    if ("code" in proposer) return { submission, replayed: false, errors: [proposer] };
    const { request, skipsDoNotCall } = await slices.run(approver, readProposalInput(stored.input));
    // Those who were reached, erased or listed meanwhile are taken out, and nobody is added whom the approver did not see.
    const from = source && { ...source, load: () => loadFor(proposer, source.taskId) };
    const examined = await examineTask(proposer, { request, skipsDoNotCall, from, proposal: id });
    const { errors, request: allowed, leftOutCount, callAgain } = examined;
    if (errors.length > 0) return { submission, replayed: false, errors };
    const marked = tokens ? await slices.run(approver, tokens.attach(allowed, id)) : allowed;
    const body = await slices.run(approver, upstream.writeTask(marked));
    const approval: Approval = {
      id,
      attempt: randomUUID(),
      by: { actor: approver, at: instantOf(clock()) },
      numberCount: allowed.numbers.length,
      leftOutCount,
      hasToken: tokens !== null,
      callAgain,
    };
    const attempt = await sender.send<Refusal>(sentAs(submission, approval), body, {
      take: () => claim(proposer, approval),
      takeBack: () => proposals.takeBack(id, approval.attempt),
    });
    return resultOfAttempt(attempt, submission, request.option.lineIds);
  }

  /** The task as the proposer sees it now: with access it sees those that it submitted. */
  async function loadFor({ name, access }: Proposer, taskId: string): Promise<TaskRecord | null> {
    if (access?.submittedBy !== undefined && !(await submittedTasks.isOf(name, taskId))) return null;
    return upstream.getTask(taskId);
  }

  async function claim(proposer: Submitter, approval: Approval): Promise<Refusal | null> {
    const { numberCount, by } = approval;
    const quota = rules.quota(proposer, { numberCount, countedAt: by.at });
    const result = await proposals.approve(approval, quota);
    if (result === "approved") return null;
    return typeof result === "string" ? result : { errors: quota.refusalsOf(result.usage) };
  }

  function resultOfAttempt(
    attempt: Attempt<Refusal>,
    submission: Submission,
    lineIds: readonly string[],
  ): SubmitResult | "later" | null {
    if (attempt.kind === "busy") return "later";
    if (attempt.kind === "refused") {
      if (attempt.refusal === "changed") return null;
      if (attempt.refusal === "decided") return "later";
      return { submission, replayed: false, errors: attempt.refusal.errors };
    }
    const { result } = attempt;
    const { status } = result.submission ?? {};
    if (status === "ACCEPTED" || status === "RESOLVED") addLines(lineIds);
    // Nothing was sent, so that the proposal waits on.
    return result.submission ? result : { ...result, submission };
  }

  async function resultOfDecided(submission: Submission): Promise<SubmitResult> {
    const { status } = submission;
    if (status === "DECLINED" || status === "EXPIRED") return resultOf(submission, false);
    const result = await sender.outcomeOf(submission);
    if (!result?.submission) return { submission: null, replayed: false, errors: [unavailable] };
    const waitsAgain = result.submission.status === "PROPOSED";
    return waitsAgain ? { ...result, replayed: false, errors: [unavailable] } : result;
  }

  return async ({ name, isAgent }, id) => {
    if (isAgent) throw new CodedError("FORBIDDEN", "An agent never approves: a person decides.");
    const listener = changes.listen();
    try {
      for (;;) {
        listener.reset();
        const submission = await submissionService.byId(id);
        if (!submission?.proposal) return refused([notProposed]);
        if (submission.viewer === name) return { submission, replayed: false, errors: [ownProposal] };
        if (submission.status !== "PROPOSED") return await resultOfDecided(submission);
        const result = await untilChosen(() => tryToApprove(name, submission));
        if (result !== "later") return result;
        await listener.wait(POLL_MS);
      }
    } finally {
      listener.close();
    }
  };
}

/** As it is stored when its request is sent. */
function sentAs(submission: Submission, approval: Approval): Submission {
  const { by, numberCount, leftOutCount, hasToken, callAgain } = approval;
  const { proposal, calledAgain } = submission;
  const again =
    calledAgain && callAgain
      ? { ...calledAgain, leftOut: callAgain.leftOut, withoutVariables: callAgain.withoutVariables }
      : calledAgain;
  const decided = proposal && { ...proposal, decidedAt: by.at, decidedBy: by.actor };
  return {
    ...submission,
    status: "PENDING",
    numberCount,
    leftOutCount,
    hasToken,
    sentAt: by.at,
    proposal: decided,
    calledAgain: again,
  };
}
