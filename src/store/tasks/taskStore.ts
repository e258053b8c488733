// Stores the tasks that gateways have seen. Many gateways write the same tasks, so a write never loses newer values.
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";

/** Instants are RFC 3339 text in UTC with milliseconds, which sorts by time. */
export interface KnownTask {
  taskId: string;
  /** The last known activity. */
  activeAt: string;
  /** When a gateway last saw the task. */
  seenAt: string;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface TaskStore {
  /** Each task may occur once. The latest instants stay, in any order of calls. */
  save(tasks: readonly KnownTask[]): Promise<void>;
  /**
   * Last active first; of equal times the greater id as text. `after`: only tasks after this position. `taskIds`: only these.
   * `submittedBy`: only tasks that this viewer submitted (submittedTaskStore.ts).
   */
  page(request: {
    after: TaskPosition | null;
    limit: number;
    taskIds?: readonly string[] | null;
    submittedBy?: string | null;
  }): Promise<KnownTask[]>;
  /** Deletes up to `limit` tasks that were last seen before an instant. Returns their number. */
  purge(seenBefore: string, limit: number): Promise<number>;
}

export type TaskPosition = Pick<KnownTask, "activeAt" | "taskId">;

const columns = ["task_id as taskId", "active_at as activeAt", "seen_at as seenAt"] as const;

export function createTaskStore({ db }: Database): TaskStore {
  return {
    save: (tasks) =>
      guarded(async () => {
        if (tasks.length === 0) return;
        const rows = tasks.map(({ taskId, activeAt, seenAt }) => ({
          task_id: taskId,
          active_at: activeAt,
          seen_at: seenAt,
        }));
        // Always in the order of ids, so that two gateways cannot deadlock.
        rows.sort((a, b) => (a.task_id < b.task_id ? -1 : 1));
        await db
          .insertInto("known_tasks")
          .values(rows)
          .onConflict((conflict) =>
            conflict.column("task_id").doUpdateSet((eb) => {
              const later = (column: "active_at" | "seen_at") =>
                eb
                  .case()
                  .when(eb.ref(`excluded.${column}`), ">", eb.ref(`known_tasks.${column}`))
                  .then(eb.ref(`excluded.${column}`))
                  .else(eb.ref(`known_tasks.${column}`))
                  .end();
              return { active_at: later("active_at"), seen_at: later("seen_at") };
            }),
          )
          .execute();
      }),
    page: ({ after, limit, taskIds = null, submittedBy = null }) =>
      guarded(() =>
        db
          .selectFrom("known_tasks")
          .select(columns)
          .$if(after !== null, (query) =>
            query.where((eb) =>
              eb(
                eb.refTuple("active_at", "task_id"),
                "<",
                eb.tuple((after as TaskPosition).activeAt, (after as TaskPosition).taskId),
              ),
            ),
          )
          .$if(taskIds !== null, (query) =>
            query.where((eb) =>
              eb.or(
                (taskIds as readonly string[]).length === 0 ? [] : [eb("task_id", "in", taskIds as readonly string[])],
              ),
            ),
          )
          .$if(submittedBy !== null, (query) =>
            query.where("task_id", "in", (eb) =>
              eb
                .selectFrom("submissions")
                .select("submissions.task_id")
                .where("viewer", "=", submittedBy)
                .where("matched_by", "=", "MARK")
                .$castTo<{ task_id: string }>(),
            ),
          )
          .orderBy("active_at", "desc")
          .orderBy("task_id", "desc")
          .limit(limit)
          .execute(),
      ),
    purge: (seenBefore, limit) =>
      guarded(async () => {
        const old = db.selectFrom("known_tasks").select("task_id").where("seen_at", "<", seenBefore).limit(limit);
        return Number(
          (await db.deleteFrom("known_tasks").where("task_id", "in", old).executeTakeFirst()).numDeletedRows,
        );
      }),
  };
}
