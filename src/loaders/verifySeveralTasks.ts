// Learns how many tasks the service accepts in one filter: some services use only the first of several. A response with rows of
// several tasks proves it. Until then, the list of several tasks is compared with the tasks' own lists.
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../upstream/upstream.ts";
import { filterIgnoredError } from "./contradictingRows.ts";
import { resultOrAbort } from "./proof.ts";
import { createProofs, type Proofs } from "./proofs.ts";
import { createVerifiedLists, type VerifiedLists } from "./verifiedLists.ts";

export interface SeveralTasksVerifier {
  /** Whether the service is known to accept this many tasks in one filter. */
  isProven(count: number): boolean;
  /** False after several wrong responses in a row: then tasks are better requested one by one. */
  isWorthCombining(): boolean;
  /** Learns from the rows of a response. `taskIds` are in the order of the request. */
  observe(taskIds: readonly string[], rows: readonly Pick<CallLogRecord, "taskId">[]): void;
  /** Call it when a response lacks a task that has calls. */
  contradict(): void;
  /**
   * Whether the page's total differs from what `compare` finds. It is not called for a total that was right a short time ago, nor
   * where a comparison that was in flight proves that the service accepts as many tasks.
   */
  isContradictedBy(
    compare: () => Promise<boolean>,
    query: CallLogQuery,
    page: CallLogPage,
    signal: AbortSignal,
  ): Promise<boolean>;
}

export const SEVERAL_TASKS = "several tasks";
/** More than one, because a call that is added between two requests looks like a contradiction. */
const MAX_CONTRADICTIONS = 3;

/** For the life of the process. */
export function createSeveralTasksVerifier(
  proofs: Proofs = createProofs(),
  lists: VerifiedLists = createVerifiedLists(),
): SeveralTasksVerifier {
  const proof = proofs.of(SEVERAL_TASKS);
  const isProven = (count: number) => count <= 1 || proof.isProven(count);
  return {
    isProven,
    isWorthCombining: () => proof.contradictions() < MAX_CONTRADICTIONS,
    observe(taskIds, rows) {
      const shown = new Set(rows.map(({ taskId }) => taskId));
      const [first, last] = [taskIds[0], taskIds.at(-1)];
      // A service that uses only some of the tasks leaves out those at one end of the filter.
      const isWhole = first !== last && shown.has(first as string) && shown.has(last as string);
      const count = isWhole ? taskIds.length : taskIds.filter((taskId) => shown.has(taskId)).length;
      if (count > 1) proof.confirm(count);
    },
    contradict: proof.contradict,
    async isContradictedBy(compare, query, { total }, signal) {
      const inFlight = proof.checkInFlight();
      if (inFlight !== null) await resultOrAbort(inFlight, signal);
      if (isProven(query.taskIds.length)) return false;
      return lists.isWrong({ check: "tasks", query, total }, signal, async (onRight) => {
        const isWrong = await proof.run(compare());
        if (!isWrong) onRight();
        return isWrong;
      });
    },
  };
}

/**
 * Loads a page of several tasks. Unless the service is known to accept that many, the page's total is compared with the sum of
 * the tasks' own totals, which costs one request for each task. Throws UPSTREAM_FILTER_IGNORED where they differ twice; once
 * is not enough, because a call may be added between two requests. `read` loads a page; with `isFresh`, not from the cache.
 * `signal`: aborted when the caller stops waiting for the list.
 */
export async function checkSeveralTasks(
  read: (query: CallLogQuery, isFresh: boolean) => Promise<CallLogPage>,
  verifier: SeveralTasksVerifier,
  query: CallLogQuery,
  signal: AbortSignal,
): Promise<CallLogPage> {
  const { taskIds } = query;
  for (const isFresh of [false, true]) {
    const page = await read(query, isFresh);
    verifier.observe(taskIds, page.rows);
    if (verifier.isProven(taskIds.length)) return page;
    const isOther = async () => {
      const single = await Promise.all(
        taskIds.map(async (taskId) => {
          const { total } = await read({ ...query, taskIds: [taskId], pageIndex: 1, pageSize: 10 }, isFresh);
          return { taskId, total };
        }),
      );
      if (single.reduce((sum, { total }) => sum + total, 0) !== page.total) return true;
      verifier.observe(
        taskIds,
        single.filter(({ total }) => total > 0),
      );
      return false;
    };
    if (!(await verifier.isContradictedBy(isOther, query, page, signal))) return page;
  }
  verifier.contradict();
  throw filterIgnoredError("taskIds");
}
