// When the last call of a task ended, as the log shows it.
import type { Database } from "../database.ts";
import { chunksOf } from "../sqlHelpers.ts";
import { guarded } from "../storeError.ts";

/**
 * The newest end of each of these tasks' calls that ended at an instant or later, without entries for tasks that have none. Throws STORE_UNAVAILABLE.
 */
export type ReadLastEnds = (taskIds: readonly string[], since: string) => Promise<ReadonlyMap<string, string>>;

export function createReadLastEnds({ db }: Database): ReadLastEnds {
  return (taskIds, since) =>
    guarded(async () => {
      const found = new Map<string, string>();
      for (const some of chunksOf(taskIds)) {
        const ended = db.selectFrom("events").where("newest", "=", 1).where("ended_at", ">=", since);
        const ends = ended.where("task_id", "in", some).groupBy("task_id");
        const rows = await ends.select((eb) => ["task_id", eb.fn.max("ended_at").as("last")]).execute();
        for (const { task_id, last } of rows) if (task_id !== null) found.set(task_id, last);
      }
      return found;
    });
}
