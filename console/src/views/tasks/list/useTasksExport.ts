// Where an export of the known tasks gets its pages.
import { useSwitchboard } from "switchboard-client/react";
import { BYTE_ORDER_MARK } from "../../../data/csvCell.ts";
import { csvLine, wallTimeHead, wallTimeOf, type CsvRow } from "../../../data/csvFile.ts";
import { useTexts } from "../../../locale/Locale.tsx";
import type { ExportSource } from "../../../ui/export/useExport.ts";
import { taskListDocument } from "../documents.ts";
import { funnelOf } from "../funnelOf.ts";
import { texts } from "../texts/texts.ts";
import type { ListedTask } from "./useTaskList.ts";

/** In the order of the columns. */
const CELLS: Record<string, (task: ListedTask, words: typeof texts.en) => CsvRow[number]> = {
  taskId: ({ taskId }) => taskId,
  name: ({ name }) => name,
  status: ({ status }) => status,
  createdAt: ({ createdAt }) => createdAt,
  total: ({ total }) => total,
  progress: ({ progress }) => progress,
  numbersCalled: ({ callStats }) => callStats?.numbersCalled,
  numbersReached: ({ callStats }) => callStats?.numbersReached,
  // The service is further than the calls that this gateway received.
  isAtLeast: (task) => funnelOf(task).isPartial,
  unread: ({ unread }) => unread.map(({ field, text }) => `${field}: ${text}`).join("; "),
  statusText: ({ status }, words) => status && words.status[status],
  [wallTimeHead("createdAt")]: ({ createdAt }) => wallTimeOf(createdAt),
};

/** As often the first page is read again, while it has tasks that are new to the file. */
const TOP_TRIES = 5;

export function useTasksExport(): () => ExportSource<ListedTask> {
  const client = useSwitchboard();
  const words = useTexts(texts);
  return () => {
    const written = new Set<string>();
    async function read(after: string | null, signal: AbortSignal) {
      const { tasks } = await client.query(taskListDocument, { after }, { signal });
      if (!tasks) throw new Error("The gateway answered without a list and without an error.");
      // Null: the service no longer has it.
      return { ...tasks, nodes: tasks.nodes.filter((task) => task !== null) };
    }
    /** The last active task is the first: one that became active left the pages that were to come, and stands on top. */
    async function addMoved(nodes: ListedTask[], signal: AbortSignal): Promise<{ driftDetected: boolean }> {
      const known = new Set([...written, ...nodes.map(({ taskId }) => taskId)]);
      for (let tries = 0; tries < TOP_TRIES; tries += 1) {
        const moved = (await read(null, signal)).nodes.filter(({ taskId }) => !known.has(taskId));
        if (moved.length === 0) return { driftDetected: false };
        for (const task of moved) known.add(task.taskId);
        nodes.push(...moved);
      }
      return { driftDetected: true };
    }
    return {
      name: "tasks",
      kind: "csv",
      head: BYTE_ORDER_MARK + csvLine(Object.keys(CELLS)),
      line: (task) => csvLine(Object.values(CELLS).map((of) => of(task, words))),
      async ask(after, signal) {
        const page = await read(after, signal);
        const nodes = page.nodes.filter(({ taskId }) => !written.has(taskId));
        const isLast = after !== null && !page.pageInfo.hasNextPage;
        const { driftDetected } = isLast ? await addMoved(nodes, signal) : { driftDetected: false };
        for (const { taskId } of nodes) written.add(taskId);
        return { nodes, pageInfo: page.pageInfo, totalCount: null, driftDetected };
      },
    };
  };
}
