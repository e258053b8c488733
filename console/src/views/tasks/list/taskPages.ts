// The pages of the known tasks, each task once. The last active task is the first of the list: one that becomes active while the list is
// read leaves the pages that are to come, and stands on top.
import type { ExportPage } from "../../../ui/export/exportPages.ts";

export interface TaskPage<Task> {
  /** Null: the service no longer has it. */
  nodes: readonly (Task | null)[];
  pageInfo: { endCursor: string | null; hasNextPage: boolean };
}

type Read<Task> = (after: string | null, signal: AbortSignal) => Promise<TaskPage<Task>>;

/** As often the first page is read again, while it has tasks that are new. */
const TOP_TRIES = 5;

/** For one export. The page that failed can be asked for again. */
export function createTaskPages<Task extends { taskId: string }>(read: Read<Task>) {
  const given = new Set<string>();
  async function newOnTop(known: Set<string>, signal: AbortSignal): Promise<{ moved: Task[]; driftDetected: boolean }> {
    const moved: Task[] = [];
    for (let tries = 0; tries < TOP_TRIES; tries += 1) {
      const { nodes } = await read(null, signal);
      const fresh = nodes.filter((task) => task !== null).filter(({ taskId }) => !known.has(taskId));
      if (fresh.length === 0) return { moved, driftDetected: false };
      for (const task of fresh) known.add(task.taskId);
      moved.push(...fresh);
    }
    return { moved, driftDetected: true };
  }
  return async (after: string | null, signal: AbortSignal): Promise<ExportPage<Task>> => {
    const { nodes, pageInfo } = await read(after, signal);
    const listed = nodes.filter((task) => task !== null).filter(({ taskId }) => !given.has(taskId));
    const isLast = after !== null && !pageInfo.hasNextPage;
    const known = new Set([...given, ...listed.map(({ taskId }) => taskId)]);
    const { moved, driftDetected } = isLast ? await newOnTop(known, signal) : { moved: [], driftDetected: false };
    const all = [...listed, ...moved];
    for (const { taskId } of all) given.add(taskId);
    return { nodes: all, pageInfo, totalCount: null, driftDetected };
  };
}
