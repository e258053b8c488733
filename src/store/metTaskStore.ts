// The tasks that were met in the log, each compared once with the submissions whose task is not known.
import type { Database } from "./database.ts";
import { guarded } from "./storeError.ts";
import { openStatuses } from "./submission.ts";

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

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface MetTaskStore {
  /**
   * Remembers each task once. `waits`: it is still to be compared, unless it was met before; else it need not be, or not
   * any more.
   */
  meet(taskIds: readonly string[], met: { at: string; waits: boolean }): Promise<void>;
  /** Those still to be compared, longest met first. */
  waiting(limit: number): Promise<string[]>;
  /**
   * Resolves the one open submission that the facts fit, and gives its id; null, and nothing is resolved, where there is
   * none or more than one, or where the task is another submission's already. The task is compared then, for ever.
   */
  compare(facts: TaskFacts): Promise<string | null>;
  /** Deletes up to `limit` that were met before that instant; how many it were. */
  purge(metBefore: string, limit: number): Promise<number>;
}

export function createMetTaskStore({ db, wake }: Database): MetTaskStore {
  return {
    meet: (taskIds, { at, waits }) =>
      guarded(async () => {
        if (taskIds.length === 0) return;
        // In one order, or two gateways could wait for each other.
        const rows = taskIds.toSorted().map((task_id) => ({ task_id, met_at: at, waits: Number(waits) }));
        const insert = db.insertInto("met_tasks").values(rows);
        const keep = waits
          ? insert.onConflict((conflict) => conflict.column("task_id").doNothing())
          : insert.onConflict((conflict) =>
              conflict.column("task_id").doUpdateSet({ waits: 0 }).where("met_tasks.waits", "=", 1),
            );
        await keep.execute();
      }),
    waiting: (limit) =>
      guarded(async () => {
        const rows = db.selectFrom("met_tasks").select("task_id").where("waits", "=", 1).orderBy("met_at").limit(limit);
        return (await rows.execute()).map(({ task_id }) => task_id);
      }),
    compare: (facts) =>
      guarded(async () => {
        const resolved = await db.transaction().execute(async (trx) => {
          // Both in one statement, which sees one moment: a submission that resolves meanwhile must not leave its twin
          // as the only one while its task does not count as taken yet.
          const fitting = await trx
            .selectFrom("submissions")
            .select(["id", "task_id", "submitted_at"])
            .where((eb) =>
              eb.or([
                eb("task_id", "=", facts.taskId),
                eb.and([
                  eb("status", "in", openStatuses),
                  eb("name", "=", facts.name),
                  eb("assistant_id", "=", facts.assistantId),
                  eb("number_count", "=", facts.total),
                  eb("submitted_at", ">=", facts.submittedFrom),
                  eb("submitted_at", "<=", facts.rivalsTo),
                ]),
              ]),
            )
            .limit(2)
            .execute();
          await trx.updateTable("met_tasks").set({ waits: 0 }).where("task_id", "=", facts.taskId).execute();
          const [only, second] = fitting;
          if (!only || second || only.task_id !== null || only.submitted_at > facts.submittedTo) return null;
          const update = trx
            .updateTable("submissions")
            .set({ status: "RESOLVED", task_id: facts.taskId })
            .where("id", "=", only.id)
            .where("status", "in", openStatuses);
          return (await update.executeTakeFirst()).numUpdatedRows > 0n ? only.id : null;
        });
        if (resolved !== null) await wake();
        return resolved;
      }),
    purge: (metBefore, limit) =>
      guarded(async () => {
        const old = db.selectFrom("met_tasks").select("task_id").where("met_at", "<", metBefore).limit(limit);
        const purged = db.deleteFrom("met_tasks").where("task_id", "in", old);
        return Number((await purged.executeTakeFirst()).numDeletedRows);
      }),
  };
}
