// Declines a proposal: nothing is sent, and its numbers are erased.
import { instantOf } from "../../format/instant.ts";
import type { ProposalStore } from "../../store/tasks/proposalStore.ts";
import type { Signal } from "../../util/signal.ts";
import type { SubmissionService } from "../submissionService.ts";
import { refused, resultOf, type SubmitResult } from "../submitResult.ts";
import { approved, notProposed } from "./decisionErrors.ts";

/** A repetition gives the same result. Throws STORE_UNAVAILABLE if the database fails. */
export type DeclineTask = (viewer: { name: string }, id: string, reason: string | null) => Promise<SubmitResult>;

export interface DeclineTaskDeps {
  proposals: Pick<ProposalStore, "decline">;
  submissionService: Pick<SubmissionService, "byId">;
  /** Notified when a proposal was declined. */
  changes: Signal;
  clock: () => number;
}

export function createDeclineTask({ proposals, submissionService, changes, clock }: DeclineTaskDeps): DeclineTask {
  return async ({ name }, id, reason) => {
    // Reading it expires it, if its time is over.
    const before = await submissionService.byId(id);
    if (!before?.proposal) return refused([notProposed]);
    const isDeclined = await proposals.decline(id, { actor: name, at: instantOf(clock()) }, reason);
    if (isDeclined) changes.notify();
    const submission = await submissionService.byId(id);
    if (!submission) return refused([notProposed]);
    if (submission.status === "DECLINED") return { submission, replayed: !isDeclined, errors: [] };
    return submission.status === "EXPIRED"
      ? resultOf(submission, false)
      : { submission, replayed: false, errors: [approved] };
  };
}
