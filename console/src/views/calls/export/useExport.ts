// One export at a time: its state for the page, and what a user can do with it.
import { useEffect, useRef, useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import type { ConsoleExportQueryVariables } from "../../../gql/graphql.ts";
import { useSession } from "../../../session/SessionProvider.tsx";
import { useNameLearner } from "../../../data/useNames.ts";
import type { CallLogFilter } from "../callsSearch.ts";
import { exportDocument } from "../documents.ts";
import { PAGE_SIZE } from "../useCallPages.ts";
import { EXPORT_START, exportCalls, type ExportDeps, type ExportPage, type ExportProgress } from "./exportCalls.ts";
import { openExportFile } from "../../../data/exportFile.ts";
import { EXPORT_ROWS, type ExportKind } from "./exportRows.ts";

export type ExportState =
  | { name: "none" }
  | { name: "running"; progress: ExportProgress }
  /** `code` null: the file could not be written. The rows so far are kept until the user decides. */
  | { name: "stopped"; progress: ExportProgress; code: string | null }
  | { name: "saved"; progress: ExportProgress; file: string; isWhole: boolean }
  | { name: "cancelled" };

export interface Exporting {
  state: ExportState;
  isBusy: boolean;
  start(kind: ExportKind, filter: CallLogFilter): void;
  /** Ends it and keeps nothing. */
  discard(): void;
  /** Goes on behind the last row that was written. */
  resume(): void;
  /** Keeps the rows that were written. */
  saveRows(): void;
  close(): void;
}

type Job = Omit<ExportDeps, "signal"> & { leaving: AbortController; progress: ExportProgress };

export function useExport(): Exporting {
  const client = useSwitchboard();
  const { holds } = useSession();
  const { learned, learnTaskNames } = useNameLearner();
  const job = useRef<Job | null>(null);
  const [state, setState] = useState<ExportState>({ name: "none" });
  const isBusy = state.name === "running" || state.name === "stopped";

  async function ask(variables: ConsoleExportQueryVariables, signal: AbortSignal): Promise<ExportPage> {
    const { callLogs } = await client.query(exportDocument, variables, { signal });
    if (!callLogs) throw new Error("The gateway answered without a list and without an error.");
    return callLogs;
  }
  async function askNamed(variables: ConsoleExportQueryVariables, signal: AbortSignal): Promise<ExportPage> {
    const page = await ask(variables, signal);
    await learnTaskNames(
      page.nodes.map(({ taskId }) => taskId),
      signal,
    );
    return page;
  }
  async function begin(kind: ExportKind, filter: CallLogFilter): Promise<void> {
    const rows = EXPORT_ROWS[kind];
    const at = new Date().toISOString().slice(0, 16).replaceAll(":", "");
    try {
      const file = await openExportFile(`calls-${at}Z.${kind}`, rows.type);
      if (!file) return;
      const leaving = new AbortController();
      const made: Job = {
        ask: (after, signal) =>
          // JSON lines have what the graph says, and no names.
          (kind === "csv" ? askNamed : ask)({ first: PAGE_SIZE, after, filter, people: holds("people:read") }, signal),
        rows,
        names: {
          task: (taskId) => learned.current.tasks.get(taskId) ?? null,
          assistant: (assistantId) => learned.current.assistants.get(assistantId) ?? null,
        },
        file,
        leaving,
        progress: EXPORT_START,
        onProgress(progress) {
          made.progress = progress;
          if (!leaving.signal.aborted) setState({ name: "running", progress });
        },
      };
      job.current = made;
      await run(made);
    } catch {
      setState({ name: "stopped", progress: EXPORT_START, code: null });
    }
  }
  async function run(made: Job): Promise<void> {
    const { signal } = made.leaving;
    setState({ name: "running", progress: made.progress });
    try {
      await exportCalls(made.progress, { ...made, signal });
      await save(made, true);
    } catch (error) {
      if (signal.aborted) return;
      const { code = null } = error as Partial<Pick<SwitchboardError, "code">>;
      setState({ name: "stopped", progress: made.progress, code: typeof code === "string" ? code : null });
    }
  }
  async function save(made: Job, isWhole: boolean): Promise<void> {
    await made.file.save();
    job.current = null;
    setState({ name: "saved", progress: made.progress, file: made.file.name, isWhole });
  }
  async function drop(): Promise<void> {
    const made = job.current;
    job.current = null;
    made?.leaving.abort();
    await made?.file.discard().catch(() => undefined);
  }
  // A view that is left ends its export; a page that is closed asks first.
  useEffect(() => () => void drop(), []);
  useEffect(() => {
    if (!isBusy) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isBusy]);

  return {
    state,
    isBusy,
    start: (kind, filter) => void begin(kind, filter),
    discard() {
      void drop();
      setState({ name: "cancelled" });
    },
    resume() {
      if (job.current) void run(job.current);
    },
    saveRows() {
      const made = job.current;
      if (!made) return;
      save(made, false).catch(() => setState({ name: "stopped", progress: made.progress, code: null }));
    },
    close: () => setState({ name: "none" }),
  };
}
