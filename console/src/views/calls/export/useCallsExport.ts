// Where an export of calls gets its pages: the filtered list, and for CSV the names of its tasks and assistants.
import { useSwitchboard } from "switchboard-client/react";
import { useNameLearner } from "../../../data/useNames.ts";
import { useSession } from "../../../session/SessionProvider.tsx";
import type { ExportPage } from "../../../ui/export/exportPages.ts";
import type { ExportSource } from "../../../ui/export/useExport.ts";
import type { CallLogFilter } from "../callsSearch.ts";
import { exportDocument } from "../documents.ts";
import { PAGE_SIZE } from "../useCallPages.ts";
import { EXPORT_ROWS, type ExportedCall, type ExportKind, type ExportNames } from "./exportRows.ts";

export function useCallsExport(): (kind: ExportKind, filter: CallLogFilter) => ExportSource<ExportedCall> {
  const client = useSwitchboard();
  const { holds } = useSession();
  const { learned, learnTaskNames } = useNameLearner();
  return (kind, filter) => {
    const people = holds("people:read");
    /** They know what the page that was asked for last needs. */
    const names: ExportNames = {
      task: (taskId) => learned.current.tasks.get(taskId) ?? null,
      assistant: (assistantId) => learned.current.assistants.get(assistantId) ?? null,
    };
    const { head, line } = EXPORT_ROWS[kind];
    return {
      name: "calls",
      kind,
      head,
      line: (call) => line(call, names),
      async ask(after, signal): Promise<ExportPage<ExportedCall>> {
        const variables = { first: PAGE_SIZE, after, filter, people };
        const { callLogs } = await client.query(exportDocument, variables, { signal });
        if (!callLogs) throw new Error("The gateway answered without a list and without an error.");
        // JSON lines have what the graph says, and no names.
        const taskIds = kind === "csv" ? callLogs.nodes.map(({ taskId }) => taskId) : [];
        await learnTaskNames(taskIds, signal);
        return callLogs;
      },
    };
  };
}
