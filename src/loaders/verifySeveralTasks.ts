// Knows how many tasks at once the service takes in a filter: some take only the first of several. Rows of several tasks in
// one answer prove it; what is not proven is compared with the tasks' own lists.
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../upstream/upstream.ts";
import { filterIgnoredError } from "./filterIgnored.ts";

export interface SeveralTasksVerifier {
  /** Whether the service is known to take so many tasks at once. */
  isProven(count: number): boolean;
  /** Whether tasks are worth asking for together: the answers to such questions were not wrong again and again. */
  isWorthCombining(): boolean;
  /** To be called with rows that came for these tasks, in the order they were asked for. */
  observe(taskIds: readonly string[], rows: readonly Pick<CallLogRecord, "taskId">[]): void;
  /** To be called where such an answer left out a task that has calls. */
  contradict(): void;
}

/** One may be a call that came between two requests. */
const MOST_CONTRADICTIONS = 3;

/** For the life of a process. */
export function createSeveralTasksVerifier(): SeveralTasksVerifier {
  let proven = 1;
  let contradictions = 0;
  return {
    isProven: (count) => count <= proven,
    isWorthCombining: () => contradictions < MOST_CONTRADICTIONS,
    observe(taskIds, rows) {
      const shown = new Set(rows.map(({ taskId }) => taskId));
      const [first, last] = [taskIds[0], taskIds.at(-1)];
      // A service that takes only so many, from either end, leaves out the other end.
      const isWhole = first !== last && shown.has(first as string) && shown.has(last as string);
      const count = isWhole ? taskIds.length : taskIds.filter((taskId) => shown.has(taskId)).length;
      if (count > 1) contradictions = 0;
      proven = Math.max(proven, count);
    },
    contradict() {
      proven = 1;
      contradictions += 1;
    },
  };
}

/**
 * The page itself, or a newer one. Where it is not proven that the service takes so many tasks at once, the total is compared
 * with the tasks' own: one request for each. Throws UPSTREAM_FILTER_IGNORED where they differ twice, for a call may come in
 * between. `read` gives a page; `isFresh`: none that is kept.
 */
export async function checkSeveralTasks(
  read: (query: CallLogQuery, isFresh: boolean) => Promise<CallLogPage>,
  several: SeveralTasksVerifier,
  query: CallLogQuery,
): Promise<CallLogPage> {
  const { taskIds } = query;
  for (const isFresh of [false, true]) {
    const page = await read(query, isFresh);
    several.observe(taskIds, page.rows);
    if (several.isProven(taskIds.length)) return page;
    const own = await Promise.all(
      taskIds.map(async (taskId) => {
        const { total } = await read({ ...query, taskIds: [taskId], pageIndex: 1, pageSize: 10 }, isFresh);
        return { taskId, total };
      }),
    );
    if (own.reduce((sum, { total }) => sum + total, 0) === page.total) {
      several.observe(
        taskIds,
        own.filter(({ total }) => total > 0),
      );
      return page;
    }
  }
  several.contradict();
  throw filterIgnoredError("taskIds");
}
