// createTask for a viewer with tasks:propose: the submission waits as PROPOSED until another viewer decides, for 24 hours at most.
import type { Viewer } from "../../auth/scopes.ts";
import { epochMsOf, instantOf } from "../../format/instant.ts";
import type { ProposalStore } from "../../store/tasks/proposalStore.ts";
import type { Submission } from "../../store/tasks/submissionRow.ts";
import { releaseOf } from "../../util/bodies/bodyTurn.ts";
import { DAY_MS } from "../../util/durations.ts";
import type { Signal } from "../../util/signal.ts";
import type { TimeSlices } from "../../util/timeSlices.ts";
import { countByCountry } from "../check/countByCountry.ts";
import { untilChosen } from "../callAgain/untilChosen.ts";
import type { TaskPreparation } from "../prepareTask.ts";
import { refused, resultOf, type SubmitError, type SubmitResult } from "../submitResult.ts";
import type { CreateTaskInput } from "../validateCreateTask.ts";
import { summaryOf, writeProposalInput } from "./proposalInput.ts";
import type { Proposers } from "./proposer.ts";

/** Nothing is sent or counted. Expected outcomes are data. Throws STORE_UNAVAILABLE if the database fails. */
export type ProposeTask = (viewer: Viewer, input: CreateTaskInput) => Promise<SubmitResult>;

export interface ProposeTaskDeps {
  proposals: Pick<ProposalStore, "add">;
  preparation: TaskPreparation;
  proposers: Pick<Proposers, "policyOf">;
  /** Notified when a proposal was stored. */
  changes: Signal;
  slices: TimeSlices;
}

const EXPIRES_AFTER_MS = DAY_MS;
const MIB = 1024 * 1024;
/** Proposals of one viewer. An input may have 16 MiB, and each is kept until it is decided. */
export const MAX_WAITING = { count: 100, bytes: 64 * MIB };

export function createProposeTask(deps: ProposeTaskDeps): ProposeTask {
  const { proposals, preparation, proposers, changes, slices } = deps;

  /** Null: the people have to be chosen again. */
  async function tryToPropose(viewer: Viewer, input: CreateTaskInput): Promise<SubmitResult | null> {
    const { task, result } = await preparation.prepare(viewer, input);
    if (!task) return result;
    const expiresAt = instantOf(epochMsOf(task.submission.submittedAt) + EXPIRES_AFTER_MS);
    const countries = await slices.run(viewer.name, countByCountry(task.allowed.numbers));
    const summary = summaryOf(task, countries);
    const text = await slices.run(viewer.name, writeProposalInput(task, { callsAgain: task.callAgain !== null }));
    releaseOf(input.numbers)?.();
    const undecided = { decidedAt: null, decidedBy: null, declineReason: null };
    const proposal = { expiresAt, summary, ...undecided };
    const submission: Submission = { ...task.submission, status: "PROPOSED", proposal };
    const policy = proposers.policyOf(viewer);
    const { callAgain } = task;
    const stored = { expiresAt, summary, policy, input: text, maxWaiting: MAX_WAITING, callAgain };
    const added = await proposals.add(submission, stored);
    if (added.added) {
      changes.notify();
      return resultOf(submission, false);
    }
    if (added.holder) return preparation.replay(added.holder, submission.inputSha256);
    return added.exceeded && refused([TOO_MUCH[added.exceeded]]);
  }

  return (viewer, input) => untilChosen(() => tryToPropose(viewer, input));
}

const refusal = (what: string): SubmitError => ({
  code: "TOO_MANY_PROPOSALS",
  message: `${what}. Nothing was stored; propose it when some are decided.`,
  path: [],
});
const TOO_MUCH = {
  count: refusal(`${MAX_WAITING.count} proposals of this viewer wait already`),
  bytes: refusal(
    `With this one, the proposals of this viewer that wait would have more than ${MAX_WAITING.bytes / MIB} MiB`,
  ),
};
