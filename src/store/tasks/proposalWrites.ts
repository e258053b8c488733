// What happens to a proposal in one transaction. Each step locks the submission's row first, then that of its proposal.
import { sql, type Transaction } from "kysely";
import { addAuditEvent, removeSubmissionEvent, type Actor, type AuditAction } from "../audit/auditStore.ts";
import type { DatabaseKind } from "../database.ts";
import type { Tables } from "../tables.ts";
import { updateCallAgain, type ChangedCallAgain } from "./callAgainWrites.ts";
import type { Submission } from "./submissionRow.ts";
import { eraseInput, UNSETTLED } from "./submissionStore.ts";
import { countWithin, type Quota } from "./quota.ts";
import { giveBackUsage, type Usage } from "./usageStore.ts";

export interface Approval {
  id: string;
  /** Differs for each approval. */
  attempt: string;
  by: Actor;
  /** What is sent after the limits and the never-call list were applied again. */
  numberCount: number;
  leftOutCount: number;
  hasToken: boolean;
  /** The people that it still calls again. */
  callAgain?: ChangedCallAgain | null;
}

export type ApproveResult =
  | "approved"
  /** It does not wait any more. */
  | "decided"
  /** The people that it calls again must be chosen again. It waits on. */
  | "changed"
  /** The quota refuses it; `usage` is what the viewer would have used with it. It waits on. */
  | { usage: Usage };

type Trx = Transaction<Tables>;

export async function approve(trx: Trx, kind: DatabaseKind, approval: Approval, quota: Quota): Promise<ApproveResult> {
  const { id, attempt, by, numberCount, leftOutCount, hasToken, callAgain } = approval;
  const { at, actor } = by;
  const isWaiting = sql<boolean>`exists (
    select 1 from task_proposals where submission_id = ${id} and input is not null and expires_at > ${at})`;
  const sent = { number_count: numberCount, left_out: leftOutCount, marked: Number(hasToken), sent_at: at };
  const updated = await trx
    .updateTable("submissions")
    .set({ status: "PENDING", ...sent })
    .where("id", "=", id)
    .where("status", "=", "PROPOSED")
    .where(isWaiting)
    .returning("viewer")
    .executeTakeFirst();
  if (!updated) return "decided";
  await countWithin(trx, { viewer: updated.viewer, numberCount }, quota);
  const decision = { attempt, decided_at: at, decided_by: actor };
  await trx.updateTable("task_proposals").set(decision).where("submission_id", "=", id).execute();
  await audit(trx, "TASK_APPROVED", by, { id, numberCount });
  if (callAgain) await updateCallAgain(trx, kind, id, callAgain);
  return "approved";
}

export async function takeBack(trx: Trx, id: string, attempt: string): Promise<boolean> {
  const isLatest = sql<boolean>`exists (
    select 1 from task_proposals where submission_id = ${id} and attempt = ${attempt})`;
  // First, so that forgetPhone waits for this transaction before it erases the input.
  const taken = await trx
    .updateTable("submissions")
    .set({ status: "PROPOSED" })
    .where("id", "=", id)
    .where("status", "in", UNSETTLED)
    .where(isLatest)
    .returning(["viewer", "number_count", "submitted_at", "sent_at"])
    .executeTakeFirst();
  if (!taken) return false;
  const proposal = trx.selectFrom("task_proposals").select(["input", "decided_by"]).where("submission_id", "=", id);
  const { input, decided_by: approver } = await proposal.executeTakeFirstOrThrow();
  const { viewer, number_count: numberCount, submitted_at, sent_at } = taken;
  await giveBackUsage(trx, { viewer, numberCount, at: sent_at ?? submitted_at });
  await removeSubmissionEvent(trx, { actor: approver ?? "", action: "TASK_APPROVED", subject: id });
  const isErased = input === null;
  const now = { status: isErased ? "DECLINED" : "PROPOSED", sent_at: null };
  await trx.updateTable("submissions").set(now).where("id", "=", id).execute();
  const decision = isErased ? { decline_reason: ERASED_MEANWHILE } : { decided_at: null };
  await trx
    .updateTable("task_proposals")
    .set({ attempt: null, decided_by: null, ...decision })
    .where("submission_id", "=", id)
    .execute();
  if (isErased) await audit(trx, "TASK_DECLINED", { actor: viewer, at: sent_at ?? submitted_at }, { id, numberCount });
  return true;
}

const ERASED_MEANWHILE = "Its numbers were erased while it was approved. Nothing was sent.";

/**
 * Erases the input of proposals that hold a person's number. Those that wait become DECLINED. Call it inside the transaction of the
 * erasure. Returns the number of declined ones.
 */
export async function eraseProposals(trx: Trx, ids: readonly string[], by: Actor): Promise<number> {
  let declined = 0;
  for (const id of ids) {
    // Locks the row also while it is not PROPOSED: an approval that is taken back makes it PROPOSED again.
    await trx
      .updateTable("submissions")
      .set((eb) => ({ status: eb.ref("status") }))
      .where("id", "=", id)
      .execute();
    if (await declineProposal(trx, id, by, ERASED)) declined += 1;
    else await eraseInput(trx, id);
  }
  return declined;
}

const ERASED = "A phone number of the task was erased.";

/** False: it does not wait any more. Call it inside a transaction. */
export async function declineProposal(trx: Trx, id: string, by: Actor, reason: string | null): Promise<boolean> {
  const declined = await end(trx, id, "DECLINED");
  if (!declined) return false;
  const decision = { decided_at: by.at, decided_by: by.actor, decline_reason: reason };
  await trx.updateTable("task_proposals").set(decision).where("submission_id", "=", id).execute();
  await audit(trx, "TASK_DECLINED", by, { id, numberCount: declined.number_count });
  return true;
}

export async function expire(trx: Trx, id: string, at: string): Promise<boolean> {
  const due = trx.selectFrom("task_proposals").select("submission_id").where("submission_id", "=", id);
  if (!(await due.where("expires_at", "<=", at).executeTakeFirst())) return false;
  const expired = await end(trx, id, "EXPIRED");
  if (!expired) return false;
  await trx.updateTable("task_proposals").set({ decided_at: at }).where("submission_id", "=", id).execute();
  await audit(trx, "TASK_EXPIRED", { actor: expired.viewer, at }, { id, numberCount: expired.number_count });
  return true;
}

async function end(trx: Trx, id: string, status: "DECLINED" | "EXPIRED") {
  const query = trx.updateTable("submissions").set({ status }).where("id", "=", id).where("status", "=", "PROPOSED");
  const ended = await query.returning(["viewer", "number_count"]).executeTakeFirst();
  if (ended) await eraseInput(trx, id);
  return ended;
}

export function audit(
  trx: Trx,
  action: AuditAction,
  by: Actor,
  { id, numberCount }: Pick<Submission, "id" | "numberCount">,
) {
  return addAuditEvent(trx, { ...by, action, subject: id, count: numberCount });
}
