// The pages of the known tasks, each task once. The last active task is the first of the list: one that becomes active while the list is
// read leaves the pages that are to come, and stands on top.
import type { ExportPage } from "../../../ui/export/exportPages.ts";

export interface TaskPage<Task> {
  /** Null: the service no longer has it. */
  nodes: readonly (Task | null)[];
  pageInfo: { endCursor: string | null; hasNextPage: boolean };
}

type Read<Task> = (after: string | null, signal: AbortSignal) => Promise<TaskPage<Task>>;

/** As often the list is read again, while that brings tasks that are new. */
const PASSES = 4;

/** For one export. The page that failed can be asked for again. */
export function createTaskPages<Task extends { taskId: string }>(read: Read<Task>) {
  const given = new Set<string>();
  async function missedBy(
    known: Set<string>,
    signal: AbortSignal,
  ): Promise<{ missed: Task[]; driftDetected: boolean }> {
    const missed: Task[] = [];
    for (let pass = 0; pass < PASSES; pass += 1) {
      const before = missed.length;
      for (let after: string | null = null, hasMore = true; hasMore;) {
        const page = await read(after, signal);
        const fresh = page.nodes.filter((task) => task !== null).filter(({ taskId }) => !known.has(taskId));
        for (const { taskId } of fresh) known.add(taskId);
        missed.push(...fresh);
        ({ endCursor: after, hasNextPage: hasMore } = page.pageInfo);
      }
      if (missed.length === before) return { missed, driftDetected: false };
    }
    return { missed, driftDetected: true };
  }
  return async (after: string | null, signal: AbortSignal): Promise<ExportPage<Task>> => {
    const { nodes, pageInfo } = await read(after, signal);
    const listed = nodes.filter((task) => task !== null).filter(({ taskId }) => !given.has(taskId));
    const isLast = after !== null && !pageInfo.hasNextPage;
    const known = new Set([...given, ...listed.map(({ taskId }) => taskId)]);
    const { missed, driftDetected } = isLast ? await missedBy(known, signal) : { missed: [], driftDetected: false };
    const all = [...listed, ...missed];
    for (const { taskId } of all) given.add(taskId);
    return { nodes: all, pageInfo, totalCount: null, driftDetected };
  };
}
