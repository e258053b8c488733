// The tasks that the gateway knows of. Many gateways write the same ones: what is written only ever adds to what is there.
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";

/** Instants as RFC 3339 in UTC with milliseconds, so that their order is the texts'. */
export interface KnownTask {
  taskId: string;
  /** Its last activity, as far as it is known. */
  activeAt: string;
  /** When it was last met, by whatever way. */
  seenAt: string;
}

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface TaskStore {
  /** Each task once. The latest of both instants stay, in whatever order they are told. */
  save(tasks: readonly KnownTask[]): Promise<void>;
  /** Last active first; of equals the greater id (as text). `after`: only those behind that place. */
  page(request: { after: TaskPosition | null; limit: number }): Promise<KnownTask[]>;
  /** Deletes up to `limit` of those last met before that instant; how many it were. */
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
        // In the order of ids, or two gateways could wait for each other.
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
    page: ({ after, limit }) =>
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
