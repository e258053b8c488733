// The tasks that were seen in the log. Each is compared once with the submissions whose task is not known.
import { sql, type Transaction } from "kysely";
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";
import { openStatuses } from "./submissionStore.ts";
import type { Tables } from "../tables.ts";

/** The facts that a task and its submission share. */
export interface TaskFacts {
  taskId: string;
  name: string;
  assistantId: string;
  total: number;
  /** The submission was made between these instants, both included: RFC 3339 in UTC. */
  submittedFrom: string;
  submittedTo: string;
  /** Clocks differ, so a submission that was made later, up to this instant, may fit the task too. */
  rivalsTo: string;
}

/**
 * With which open submissions a task must still be compared: all, none, or only those that were sent without a correlation token,
 * because the task's variables came back without one.
 */
export type WaitsFor = boolean | "unmarked";

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface TaskComparisonStore {
  /** Stores each task once. A known task never gets more submissions to compare with. */
  add(taskIds: readonly string[], seen: { at: string; waits: WaitsFor }): Promise<void>;
  /** The tasks that are still to be compared, oldest first. */
  listWaiting(limit: number): Promise<string[]>;
  /**
   * Resolves the only open submission that fits the facts, and returns its id. Null if none or several fit, or if the task belongs
   * to another submission; the task is then never compared again. A submission without a token must be ACCEPTED, and if a second
   * task fits it, neither is its task. Undefined while such a submission is being sent: the task still waits.
   */
  compare(facts: TaskFacts): Promise<string | null | undefined>;
  /** Deletes up to `limit` tasks that were seen before an instant. Returns their number. */
  purge(seenBefore: string, limit: number): Promise<number>;
}

export function createTaskComparisonStore({ db, notify }: Database): TaskComparisonStore {
  return {
    add: (taskIds, { at, waits }) =>
      guarded(async () => {
        if (taskIds.length === 0) return;
        // Always in the same order, so that two gateways cannot deadlock.
        const value = rankOf(waits);
        const rows = taskIds.toSorted().map((task_id) => ({ task_id, met_at: at, waits: value }));
        const lower = sql<number>`case when excluded.waits < met_tasks.waits then excluded.waits else met_tasks.waits end`;
        const insert = db.insertInto("met_tasks").values(rows);
        await insert.onConflict((conflict) => conflict.column("task_id").doUpdateSet({ waits: lower })).execute();
      }),
    listWaiting: (limit) =>
      guarded(async () => {
        const rows = db.selectFrom("met_tasks").select("task_id").where("waits", ">", 0).orderBy("met_at").limit(limit);
        return (await rows.execute()).map(({ task_id }) => task_id);
      }),
    compare: (facts) =>
      guarded(async () => {
        const resolved = await db.transaction().execute((trx) => compare(trx, facts));
        if (resolved.isChanged) await notify();
        return resolved.submissionId;
      }),
    purge: (seenBefore, limit) =>
      guarded(async () => {
        const old = db.selectFrom("met_tasks").select("task_id").where("met_at", "<", seenBefore).limit(limit);
        const purged = db.deleteFrom("met_tasks").where("task_id", "in", old);
        return Number((await purged.executeTakeFirst()).numDeletedRows);
      }),
  };
}

/** Values of the column `waits`. */
const [NOT, WITHOUT_TOKEN, ANY] = [0, 1, 2];
const rankOf = (waits: WaitsFor) => (waits === "unmarked" ? WITHOUT_TOKEN : waits ? ANY : NOT);

async function compare(trx: Transaction<Tables>, facts: TaskFacts) {
  const { taskId } = facts;
  const met = await trx.selectFrom("met_tasks").select("waits").where("task_id", "=", taskId).executeTakeFirst();
  const isUnmarked = met?.waits === WITHOUT_TOKEN;
  // One statement sees one moment. With two, a submission could be resolved between them, and its twin would look unique.
  const fitting = await trx
    .selectFrom("submissions")
    .select(["id", "task_id", "submitted_at", "status", "marked", "matched_by"])
    .where((eb) => {
      const isOpen = eb("status", "in", openStatuses);
      const isCompared = eb.and([eb("matched_by", "=", "COMPARISON"), eb("marked", "=", 0)]);
      const looksAlike = eb.and([
        eb("name", "=", facts.name),
        eb("assistant_id", "=", facts.assistantId),
        eb("number_count", "=", facts.total),
        eb("submitted_at", ">=", facts.submittedFrom),
        eb("submitted_at", "<=", facts.rivalsTo),
        eb.or([isOpen, isCompared]),
        ...(isUnmarked ? [eb("marked", "=", 0)] : []),
      ]);
      return eb.or([eb("task_id", "=", taskId), looksAlike]);
    })
    .execute();
  const isBeingSent = fitting.length === 1 && fitting[0]?.marked === 0 && fitting[0].status === "PENDING";
  if (isBeingSent) return { submissionId: undefined, isChanged: false };
  await trx.updateTable("met_tasks").set({ waits: NOT }).where("task_id", "=", taskId).execute();
  if (fitting.some(({ task_id }) => task_id === taskId)) return UNRESOLVED;
  const contradicted = fitting.filter(({ task_id }) => task_id !== null).map(({ id }) => id);
  if (contradicted.length > 0) return { submissionId: null, isChanged: await revokeComparisons(trx, contradicted) };
  const [only, second] = fitting;
  if (!only || second || only.submitted_at > facts.submittedTo) return UNRESOLVED;
  const isSure = only.marked === 1 || (only.status === "ACCEPTED" && only.matched_by === null);
  if (!isSure) return UNRESOLVED;
  const update = trx
    .updateTable("submissions")
    .set({ status: "RESOLVED", task_id: taskId, matched_by: "COMPARISON" })
    .where("id", "=", only.id)
    .where("status", "in", openStatuses);
  const isResolved = (await update.executeTakeFirst()).numUpdatedRows > 0n;
  return isResolved ? { submissionId: only.id, isChanged: true } : UNRESOLVED;
}

const UNRESOLVED = { submissionId: null, isChanged: false };

/** Another task fits too, so the earlier comparison was not certain. */
async function revokeComparisons(trx: Transaction<Tables>, ids: readonly string[]): Promise<boolean> {
  const update = trx
    .updateTable("submissions")
    .set({ status: "ACCEPTED", task_id: null, matched_by: "CONTRADICTED" })
    .where("id", "in", ids)
    .where("matched_by", "=", "COMPARISON");
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}
