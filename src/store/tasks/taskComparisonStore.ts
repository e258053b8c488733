// The tasks that were met in the log, each compared once with the submissions whose task is not known.
import { sql, type Transaction } from "kysely";
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";
import { openStatuses } from "./submissionStore.ts";
import type { Tables } from "../tables.ts";

/** What a task and its submission both tell. */
export interface TaskFacts {
  taskId: string;
  name: string;
  assistantId: string;
  total: number;
  /** The submission was made in this stretch, both ends included: RFC 3339 in UTC. */
  submittedFrom: string;
  submittedTo: string;
  /** One that was made later than that, up to here, may be the task's all the same: clocks differ. */
  rivalsTo: string;
}

/**
 * Whether a task is still to be compared: with every open submission, or, as its variables came back without a mark, with those
 * that were sent without one.
 */
export type WaitsFor = boolean | "unmarked";

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface TaskComparisonStore {
  /** Remembers each task once. One that was met before waits no more than it did, and never for more submissions. */
  add(taskIds: readonly string[], met: { at: string; waits: WaitsFor }): Promise<void>;
  /** Those still to be compared, longest met first. */
  listWaiting(limit: number): Promise<string[]>;
  /**
   * Resolves the one open submission that the facts fit, and gives its id; null, and nothing is resolved, where there is
   * none or more than one, or where the task is another submission's already. The task is compared then, for ever. Of a
   * submission without a mark only ACCEPTED is sure to have a task; where a second task fits such a one, neither is its.
   * Undefined while such a one is being sent: the task still waits.
   */
  compare(facts: TaskFacts): Promise<string | null | undefined>;
  /** Deletes up to `limit` that were met before that instant; how many it were. */
  purge(metBefore: string, limit: number): Promise<number>;
}

export function createTaskComparisonStore({ db, notifyOthers: wake }: Database): TaskComparisonStore {
  return {
    add: (taskIds, { at, waits }) =>
      guarded(async () => {
        if (taskIds.length === 0) return;
        // In one order, or two gateways could wait for each other.
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
        if (resolved.isChanged) await wake();
        return resolved.submissionId;
      }),
    purge: (metBefore, limit) =>
      guarded(async () => {
        const old = db.selectFrom("met_tasks").select("task_id").where("met_at", "<", metBefore).limit(limit);
        const purged = db.deleteFrom("met_tasks").where("task_id", "in", old);
        return Number((await purged.executeTakeFirst()).numDeletedRows);
      }),
  };
}

const [NOT, UNMARKED, ANY] = [0, 1, 2];
const rankOf = (waits: WaitsFor) => (waits === "unmarked" ? UNMARKED : waits ? ANY : NOT);

async function compare(trx: Transaction<Tables>, facts: TaskFacts) {
  const { taskId } = facts;
  const met = await trx.selectFrom("met_tasks").select("waits").where("task_id", "=", taskId).executeTakeFirst();
  const isUnmarked = met?.waits === UNMARKED;
  // All in one statement, which sees one moment: a submission that resolves meanwhile must not leave its twin as the only
  // one while its task does not count as taken yet.
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
  const isEarly = fitting.length === 1 && fitting[0]?.marked === 0 && fitting[0].status === "PENDING";
  if (isEarly) return { submissionId: undefined, isChanged: false };
  await trx.updateTable("met_tasks").set({ waits: NOT }).where("task_id", "=", taskId).execute();
  if (fitting.some(({ task_id }) => task_id === taskId)) return NOTHING;
  const doubtful = fitting.filter(({ task_id }) => task_id !== null).map(({ id }) => id);
  if (doubtful.length > 0) return { submissionId: null, isChanged: await takeBack(trx, doubtful) };
  const [only, second] = fitting;
  if (!only || second || only.submitted_at > facts.submittedTo) return NOTHING;
  const isSure = only.marked === 1 || (only.status === "ACCEPTED" && only.matched_by === null);
  if (!isSure) return NOTHING;
  const update = trx
    .updateTable("submissions")
    .set({ status: "RESOLVED", task_id: taskId, matched_by: "COMPARISON" })
    .where("id", "=", only.id)
    .where("status", "in", openStatuses);
  const isResolved = (await update.executeTakeFirst()).numUpdatedRows > 0n;
  return isResolved ? { submissionId: only.id, isChanged: true } : NOTHING;
}

const NOTHING = { submissionId: null, isChanged: false };

/** Another task fits as well: that the first is the submission's was never certain. */
async function takeBack(trx: Transaction<Tables>, ids: readonly string[]): Promise<boolean> {
  const update = trx
    .updateTable("submissions")
    .set({ status: "ACCEPTED", task_id: null, matched_by: "CONTRADICTED" })
    .where("id", "in", ids)
    .where("matched_by", "=", "COMPARISON");
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}
