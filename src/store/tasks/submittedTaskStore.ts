// Which viewer created which task: the submissions whose task is known by its correlation token. A task that was found by
// comparison does not count, because a comparison may be wrong and is revoked then.
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface SubmittedTaskStore {
  /** The viewers that submitted these tasks. Nearly every task has one at most. */
  submittersOf(taskIds: readonly string[]): Promise<{ taskId: string; viewer: string }[]>;
  /** The IDs of the viewer's tasks, at most `limit`, in the order of their text. */
  tasksOf(viewer: string, limit: number): Promise<string[]>;
}

export function createSubmittedTaskStore({ db }: Database): SubmittedTaskStore {
  const proven = () => db.selectFrom("submissions").where("matched_by", "=", "MARK").where("task_id", "is not", null);
  return {
    submittersOf: (taskIds) =>
      guarded(async () => {
        if (taskIds.length === 0) return [];
        const rows = await proven().where("task_id", "in", taskIds).select(["task_id", "viewer"]).execute();
        return rows.map(({ task_id, viewer }) => ({ taskId: task_id as string, viewer }));
      }),
    tasksOf: (viewer, limit) =>
      guarded(async () => {
        const own = proven().where("viewer", "=", viewer).select("task_id").distinct();
        const rows = await own.orderBy("task_id").limit(limit).execute();
        return rows.map(({ task_id }) => task_id as string);
      }),
  };
}
