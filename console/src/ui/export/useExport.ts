// One export of a list at a time: its state for the page, and what a user can do with it.
import { useEffect, useRef, useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { openExportFile, type ExportFile } from "../../data/exportFile.ts";
import { EXPORT_START, exportPages, type ExportList, type ExportProgress } from "./exportPages.ts";

export type ExportState =
  | { name: "none" }
  | { name: "running"; progress: ExportProgress }
  /** `code` null: the file could not be written. The rows so far are kept until the user decides. */
  | { name: "stopped"; progress: ExportProgress; code: string | null }
  | { name: "saved"; progress: ExportProgress; file: string; isWhole: boolean }
  | { name: "cancelled" };

export interface ExportSource<Row> extends ExportList<Row> {
  /** The file's name begins with it. */
  name: string;
  /** Its ending. */
  kind: "csv" | "jsonl";
}

export interface Exporting {
  state: ExportState;
  isBusy: boolean;
  start<Row>(source: ExportSource<Row>): void;
  /** Ends it and keeps nothing. */
  discard(): void;
  /** Goes on behind the last row that was written. */
  resume(): void;
  /** Keeps the rows that were written. */
  saveRows(): void;
  close(): void;
}

interface Job {
  /** Goes on from its progress. */
  run(): Promise<ExportProgress>;
  file: ExportFile;
  leaving: AbortController;
  progress: ExportProgress;
}

const TYPES = { csv: "text/csv", jsonl: "application/x-ndjson" };

export function useExport(): Exporting {
  const job = useRef<Job | null>(null);
  const isOpening = useRef(false);
  const [state, setState] = useState<ExportState>({ name: "none" });
  const isBusy = state.name === "running" || state.name === "stopped";

  async function begin<Row>(source: ExportSource<Row>): Promise<void> {
    const { name, kind } = source;
    const at = new Date().toISOString().slice(0, 16).replaceAll(":", "");
    try {
      const file = await openExportFile(`${name}-${at}Z.${kind}`, TYPES[kind]);
      if (!file) return;
      const leaving = new AbortController();
      const { signal } = leaving;
      const onProgress = (progress: ExportProgress) => {
        made.progress = progress;
        if (!signal.aborted) setState({ name: "running", progress });
      };
      const run = () => exportPages(made.progress, { list: source, file, signal, onProgress });
      const made: Job = { run, file, leaving, progress: EXPORT_START };
      job.current = made;
      await go(made);
    } catch {
      setState({ name: "stopped", progress: EXPORT_START, code: null });
    }
  }
  async function go(made: Job): Promise<void> {
    setState({ name: "running", progress: made.progress });
    try {
      await made.run();
      await save(made, true);
    } catch (error) {
      if (made.leaving.signal.aborted) return;
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
    start(source) {
      // The place of the file may still be chosen.
      if (isOpening.current) return;
      isOpening.current = true;
      void begin(source).finally(() => (isOpening.current = false));
    },
    discard() {
      void drop();
      setState({ name: "cancelled" });
    },
    resume() {
      if (job.current) void go(job.current);
    },
    saveRows() {
      const made = job.current;
      if (!made) return;
      save(made, false).catch(() => setState({ name: "stopped", progress: made.progress, code: null }));
    },
    close: () => setState({ name: "none" }),
  };
}
