// Where an export of the known tasks gets its pages.
import { useSwitchboard } from "switchboard-client/react";
import { BYTE_ORDER_MARK } from "../../../data/csvCell.ts";
import { csvLine, wallTimeHead, wallTimeOf, type CsvRow } from "../../../data/csvFile.ts";
import { useTexts } from "../../../locale/Locale.tsx";
import type { ExportSource } from "../../../ui/export/useExport.ts";
import { taskListDocument } from "../documents.ts";
import { funnelOf } from "../funnelOf.ts";
import { texts } from "../texts/texts.ts";
import { createTaskPages } from "./taskPages.ts";
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

export function useTasksExport(): () => ExportSource<ListedTask> {
  const client = useSwitchboard();
  const words = useTexts(texts);
  return () => ({
    name: "tasks",
    kind: "csv",
    head: BYTE_ORDER_MARK + csvLine(Object.keys(CELLS)),
    line: (task) => csvLine(Object.values(CELLS).map((of) => of(task, words))),
    ask: createTaskPages<ListedTask>(async (after, signal) => {
      const { tasks } = await client.query(taskListDocument, { after }, { signal });
      if (!tasks) throw new Error("The gateway answered without a list and without an error.");
      return tasks;
    }),
  });
}
