// The tasks that were seen in the log. Each is compared once with the submissions whose task is not known.
import { sql, type Selectable, type Transaction } from "kysely";
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";
import { openStatuses } from "./submissionRow.ts";
import { eraseInput } from "./submissionStore.ts";
import type { SubmissionsTable, Tables } from "../tables.ts";

/** The facts that a task and its submission share. */
export interface TaskFacts {
  taskId: string;
  name: string;
  assistantId: string;
  total: number;
  /** The submission was sent between these instants, both included: RFC 3339 in UTC. */
  submittedFrom: string;
  submittedUntil: string;
  /** Clocks differ, so a submission that was sent later, up to this instant, may fit the task too. */
  submittedUntilWithClockError: string;
}

/**
 * The open submissions with which a seen task must still be compared. "withoutToken": only those that were sent without a
 * correlation token, because the task's variables came back without one.
 */
export type Candidates = "none" | "withoutToken" | "any";

export type Comparison =
  /** Only this submission fits. It is resolved now. */
  | { kind: "found"; submissionId: string }
  /** No submission is certain to be the task's. The task is never compared again. */
  | { kind: "none" }
  /** The only submission that fits is still being sent without a token, and its outcome decides. The task still waits. */
  | { kind: "beingSent" };

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface TaskComparisonStore {
  /** Stores each task once. A known task never gets more candidates. */
  add(taskIds: readonly string[], seen: { at: string; candidates: Candidates }): Promise<void>;
  /** The tasks that are still to be compared; the one that was seen first comes first. */
  listWaiting(limit: number): Promise<string[]>;
  /**
   * Resolves the only open submission that fits the facts. A submission without a token must be ACCEPTED, and if a second task
   * fits it, neither is its task: the earlier match is revoked.
   */
  compare(facts: TaskFacts): Promise<Comparison>;
  /** Deletes up to `limit` tasks that were seen before an instant. Returns their number. */
  purge(seenBefore: string, limit: number): Promise<number>;
}

export function createTaskComparisonStore({ db, notify }: Database): TaskComparisonStore {
  return {
    add: (taskIds, { at, candidates }) =>
      guarded(async () => {
        if (taskIds.length === 0) return;
        const waits = WAITS[candidates];
        // Always in the same order, so that two gateways cannot deadlock.
        const rows = taskIds.toSorted().map((task_id) => ({ task_id, met_at: at, waits }));
        const lower = sql<number>`case when excluded.waits < met_tasks.waits then excluded.waits else met_tasks.waits end`;
        const insert = db.insertInto("met_tasks").values(rows);
        await insert.onConflict((conflict) => conflict.column("task_id").doUpdateSet({ waits: lower })).execute();
      }),
    listWaiting: (limit) =>
      guarded(async () => {
        const waiting = db.selectFrom("met_tasks").select("task_id").where("waits", ">", WAITS.none);
        return (await waiting.orderBy("met_at").limit(limit).execute()).map(({ task_id }) => task_id);
      }),
    compare: (facts) =>
      guarded(async () => {
        const { comparison, isChanged } = await db.transaction().execute((trx) => compare(trx, facts));
        if (isChanged) await notify();
        return comparison;
      }),
    purge: (seenBefore, limit) =>
      guarded(async () => {
        const old = db.selectFrom("met_tasks").select("task_id").where("met_at", "<", seenBefore).limit(limit);
        const purged = db.deleteFrom("met_tasks").where("task_id", "in", old);
        return Number((await purged.executeTakeFirst()).numDeletedRows);
      }),
  };
}

/** When the request was sent: of an approved proposal later than it was submitted. */
const SENT_AT = sql<string>`coalesce(sent_at, submitted_at)`;

/** Values of the column `waits`. */
const WAITS: Record<Candidates, number> = { none: 0, withoutToken: 1, any: 2 };

/** `isChanged`: a submission has changed. */
async function compare(
  trx: Transaction<Tables>,
  facts: TaskFacts,
): Promise<{ comparison: Comparison; isChanged: boolean }> {
  const { taskId } = facts;
  const verdict = judge(facts, await findFitting(trx, facts));
  if (verdict.kind === "beingSent") return { comparison: verdict, isChanged: false };
  await trx.updateTable("met_tasks").set({ waits: WAITS.none }).where("task_id", "=", taskId).execute();
  if (verdict.kind === "fits" && (await resolve(trx, verdict.submissionId, taskId)))
    return { comparison: { kind: "found", submissionId: verdict.submissionId }, isChanged: true };
  const isRevoked = verdict.kind === "contradicts" && (await revokeComparisons(trx, verdict.submissionIds));
  return { comparison: { kind: "none" }, isChanged: isRevoked };
}

type FittingRow = Pick<Selectable<SubmissionsTable>, "id" | "task_id" | "status" | "marked" | "matched_by"> & {
  sent_at: string;
};

/** The submissions that could be the task's: those that have it, and candidates with the same facts. */
async function findFitting(trx: Transaction<Tables>, facts: TaskFacts): Promise<FittingRow[]> {
  const { taskId } = facts;
  const seen = await trx.selectFrom("met_tasks").select("waits").where("task_id", "=", taskId).executeTakeFirst();
  const needsTokenless = seen?.waits === WAITS.withoutToken;
  // One statement sees one moment. With two, a submission could be resolved between them, and an equal one would look unique.
  return trx
    .selectFrom("submissions")
    .select(["id", "task_id", "status", "marked", "matched_by", SENT_AT.as("sent_at")])
    .where((eb) => {
      const isOpen = eb("status", "in", openStatuses);
      const isRevocable = eb.and([eb("matched_by", "=", "COMPARISON"), eb("marked", "=", 0)]);
      const hasFacts = eb.and([
        eb("name", "=", facts.name),
        eb("assistant_id", "=", facts.assistantId),
        eb("number_count", "=", facts.total),
        eb(SENT_AT, ">=", facts.submittedFrom),
        eb(SENT_AT, "<=", facts.submittedUntilWithClockError),
        eb.or([isOpen, isRevocable]),
        ...(needsTokenless ? [eb("marked", "=", 0)] : []),
      ]);
      return eb.or([eb("task_id", "=", taskId), hasFacts]);
    })
    .execute();
}

type Verdict =
  | { kind: "beingSent" }
  | { kind: "none" }
  | { kind: "fits"; submissionId: string }
  /** These submissions were matched to other tasks by comparison, and this task fits them too. */
  | { kind: "contradicts"; submissionIds: string[] };

function judge({ taskId, submittedUntil }: TaskFacts, fitting: readonly FittingRow[]): Verdict {
  const [only, second] = fitting;
  if (!only) return { kind: "none" };
  const hasToken = only.marked === 1;
  if (!second && !hasToken && only.status === "PENDING") return { kind: "beingSent" };
  if (fitting.some(({ task_id }) => task_id === taskId)) return { kind: "none" };
  const submissionIds = fitting.filter(({ task_id }) => task_id !== null).map(({ id }) => id);
  if (submissionIds.length > 0) return { kind: "contradicts", submissionIds };
  if (second || only.sent_at > submittedUntil) return { kind: "none" };
  const isCertain = hasToken || (only.status === "ACCEPTED" && only.matched_by === null);
  return isCertain ? { kind: "fits", submissionId: only.id } : { kind: "none" };
}

/** False: the submission was resolved or rejected meanwhile. */
async function resolve(trx: Transaction<Tables>, id: string, taskId: string): Promise<boolean> {
  const update = trx
    .updateTable("submissions")
    .set({ status: "RESOLVED", task_id: taskId, matched_by: "COMPARISON" })
    .where("id", "=", id)
    .where("status", "in", openStatuses);
  const isResolved = (await update.executeTakeFirst()).numUpdatedRows > 0n;
  if (isResolved) await eraseInput(trx, id);
  return isResolved;
}

/** Another task fits too, so the earlier comparison was not certain. */
async function revokeComparisons(trx: Transaction<Tables>, ids: readonly string[]): Promise<boolean> {
  const update = trx
    .updateTable("submissions")
    .set({ status: "ACCEPTED", task_id: null, matched_by: "CONTRADICTED" })
    .where("id", "in", ids)
    .where("matched_by", "=", "COMPARISON");
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}
