// Proposals: submissions that are sent only after another viewer approved them. Each step adds its entry to the audit log in the
// same transaction, and notifies the other gateways.
import { sql } from "kysely";
import type { Actor } from "../audit/auditStore.ts";
import type { Database, DatabaseKind } from "../database.ts";
import { createErasedKeys } from "../events/erasedKeys.ts";
import { guarded } from "../storeError.ts";
import type { ProposalSummary, Submission } from "./submissionRow.ts";
import {
  approve,
  audit,
  declineProposal,
  expire,
  takeBack,
  type Approval,
  type ApproveResult,
} from "./proposalWrites.ts";
import { addCallAgain, CampaignChanged, type NewCallAgain } from "./callAgainWrites.ts";
import { lockWaiting, waitingOf, type Waiting } from "./waitingProposals.ts";
import { QuotaRefusal, type Quota } from "./quota.ts";
import { takeKey } from "./takeKey.ts";

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface ProposalStore {
  /** Stores a submission with the status PROPOSED under its viewer's key. It does not count towards its viewer's usage. */
  add(submission: Submission, proposal: NewProposal): Promise<Added>;
  /** Null: the proposal is decided, or unknown. */
  inputOf(id: string): Promise<StoredInput | null>;
  /** The first line of its input, so that a long list of numbers is not read. Null as `inputOf`. */
  headOf(id: string): Promise<string | null>;
  /**
   * Makes a proposal PENDING, and counts it towards the usage of the viewer that proposed it. Only one caller succeeds, and none
   * after the proposal expired.
   */
  approve(approval: Approval, quota: Quota): Promise<ApproveResult>;
  /**
   * Makes an approved submission PROPOSED again, because nothing was sent. Does nothing unless this attempt approved it last. If its
   * input was erased meanwhile, it becomes DECLINED.
   */
  takeBack(id: string, attempt: string): Promise<void>;
  /** False: it does not wait any more. */
  decline(id: string, by: Actor, reason: string | null): Promise<boolean>;
  /** Makes a proposal EXPIRED if its time is over. False: it is not, or the proposal does not wait any more. */
  expire(id: string, now: string): Promise<boolean>;
  /** The ids of up to `limit` proposals whose time is over, but whose status may not be EXPIRED yet. */
  listDue(now: string, limit: number): Promise<string[]>;
}

export interface NewProposal {
  expiresAt: string;
  summary: ProposalSummary;
  /** JSON. */
  policy: string;
  input: string;
  /** What the proposals of one viewer that wait may be together. */
  maxWaiting: Waiting;
  /** The people that it calls again. */
  callAgain?: NewCallAgain | null;
}

export type Added =
  | { added: true }
  /** The submission that has the key. */
  | { added: false; holder: Submission }
  /** The proposals of the viewer that wait would be too many, or too large. */
  | { added: false; holder: null; exceeded: keyof Waiting }
  /** The people that it calls again must be chosen again. */
  | { added: false; holder: null; exceeded: null };

export interface StoredInput {
  input: string;
  policy: string;
}

export function createProposalStore({ db, kind, notify }: Database): ProposalStore {
  const erasedKeys = createErasedKeys();

  const tryToAdd = (submission: Submission, proposal: NewProposal): Promise<Added | null> =>
    db.transaction().execute(async (trx) => {
      const taken = await takeKey(trx, erasedKeys, submission);
      if (taken !== "taken") return taken && { added: false, holder: taken };
      const { maxWaiting, expiresAt, callAgain, ...stored } = proposal;
      const { viewer } = submission;
      const before = await waitingOf(trx, viewer);
      // Without the lock, so that a viewer at its limit writes nothing.
      refuseBeyond(maxWaiting, { count: before.count + 1, bytes: before.bytes + Buffer.byteLength(stored.input) });
      const summary = JSON.stringify(stored.summary);
      const row = { ...stored, submission_id: submission.id, expires_at: expiresAt, summary };
      await trx.insertInto("task_proposals").values(row).execute();
      const by = { actor: submission.viewer, at: submission.submittedAt };
      await audit(trx, "TASK_PROPOSED", by, submission);
      // As late as possible: other proposals of the viewer wait for the commit.
      await lockWaiting(trx, kind, viewer);
      refuseBeyond(maxWaiting, await waitingOf(trx, viewer));
      if (callAgain) await addCallAgain(trx, kind, submission.id, callAgain);
      return { added: true };
    });

  return {
    add: (submission, proposal) =>
      guarded(async () => {
        for (;;) {
          const added = await tryToAdd(submission, proposal).catch(addedOfError);
          if (added?.added) await notify();
          if (added) return added;
        }
      }),
    inputOf: (id) =>
      guarded(async () => {
        const row = db.selectFrom("task_proposals").select(["input", "policy"]).where("submission_id", "=", id);
        const { input, policy } = (await row.executeTakeFirst()) ?? {};
        return input == null || policy === undefined ? null : { input, policy };
      }),
    headOf: (id) =>
      guarded(async () => {
        const query = db.selectFrom("task_proposals").select(firstLine(kind).as("head"));
        const row = await query.where("submission_id", "=", id).executeTakeFirst();
        return row?.head ?? null;
      }),
    approve: (approval, quota) =>
      guarded(async () => {
        const result = await db
          .transaction()
          .execute((trx) => approve(trx, kind, approval, quota))
          .catch(refusalOf);
        if (result === "approved") await notify();
        return result;
      }),
    takeBack: (id, attempt) =>
      guarded(async () => {
        if (await db.transaction().execute((trx) => takeBack(trx, id, attempt))) await notify();
      }),
    decline: (id, by, reason) =>
      guarded(async () => {
        const isDeclined = await db.transaction().execute((trx) => declineProposal(trx, id, by, reason));
        if (isDeclined) await notify();
        return isDeclined;
      }),
    expire: (id, now) =>
      guarded(async () => {
        const isExpired = await db.transaction().execute((trx) => expire(trx, id, now));
        if (isExpired) await notify();
        return isExpired;
      }),
    listDue: (now, limit) =>
      guarded(async () => {
        const waiting = db
          .selectFrom("task_proposals")
          .innerJoin("submissions", "id", "submission_id")
          .select("id")
          .where("status", "=", "PROPOSED");
        const due = waiting.where("input", "is not", null).where("expires_at", "<=", now);
        return (await due.orderBy("expires_at").limit(limit).execute()).map(({ id }) => id);
      }),
  };
}

const firstLine = (kind: DatabaseKind) =>
  kind === "postgres"
    ? sql<string | null>`split_part(input, chr(10), 1)`
    : sql<string | null>`substr(input, 1, instr(input || char(10), char(10)) - 1)`;

/** Rolls the transaction back. */
class TooMuchWaits extends Error {
  readonly exceeded: keyof Waiting;
  constructor(exceeded: keyof Waiting) {
    super("Too many proposals wait.");
    this.exceeded = exceeded;
  }
}

function refuseBeyond(limits: Waiting, { count, bytes }: Waiting): void {
  if (count > limits.count) throw new TooMuchWaits("count");
  if (bytes > limits.bytes) throw new TooMuchWaits("bytes");
}

function addedOfError(error: unknown): Added {
  if (error instanceof TooMuchWaits) return { added: false, holder: null, exceeded: error.exceeded };
  if (error instanceof CampaignChanged) return { added: false, holder: null, exceeded: null };
  throw error;
}

function refusalOf(error: unknown): ApproveResult {
  if (error instanceof CampaignChanged) return "changed";
  if (error instanceof QuotaRefusal) return { usage: error.usage };
  throw error;
}
