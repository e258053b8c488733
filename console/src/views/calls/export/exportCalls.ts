// Reads the filtered list page by page and writes each page before it asks for the next one, so that memory stays flat. It
// waits out what passes, stops at what does not, and can go on where it stopped.
import { askPatiently } from "../../../data/askPatiently.ts";
import type { ExportFile } from "../../../data/exportFile.ts";
import type { ExportedCall, ExportNames, ExportRows } from "./exportRows.ts";

export interface ExportPage {
  totalCount: number;
  driftDetected: boolean;
  pageInfo: { endCursor: string | null; hasNextPage: boolean };
  nodes: readonly ExportedCall[];
}

export interface ExportProgress {
  /** Written to the file. */
  rows: number;
  /** As the service counted them last. Null before the first page. */
  total: number | null;
  hasDrifted: boolean;
  /** The list may have more rows behind this cursor. */
  after: string | null;
  /** Epoch milliseconds of the next try, where one failed. */
  waitingUntil: number | null;
}

export interface ExportDeps {
  /** The page behind this cursor; null is the first one. Rejects with a SwitchboardError. */
  ask: (after: string | null, signal: AbortSignal) => Promise<ExportPage>;
  rows: ExportRows;
  /** They know what the page that was asked for last needs. */
  names: ExportNames;
  file: ExportFile;
  signal: AbortSignal;
  onProgress: (progress: ExportProgress) => void;
}

export const EXPORT_START: ExportProgress = {
  rows: 0,
  total: null,
  hasDrifted: false,
  after: null,
  waitingUntil: null,
};

/** Resolves when every row is written. Throws a SwitchboardError, the file's error, or the signal's reason. */
export async function exportCalls(from: ExportProgress, deps: ExportDeps): Promise<ExportProgress> {
  const { ask, rows, names, file, signal, onProgress } = deps;
  let progress = from;
  const report = (changed: Partial<ExportProgress>) => onProgress((progress = { ...progress, ...changed }));
  if (from.total === null && rows.head !== "") await file.write(rows.head);
  for (;;) {
    const page = await askPatiently(
      () => ask(progress.after, signal),
      signal,
      (waitingUntil) => report({ waitingUntil }),
    );
    signal.throwIfAborted();
    if (page.nodes.length > 0) await file.write(page.nodes.map((call) => rows.line(call, names)).join(""));
    report({
      rows: progress.rows + page.nodes.length,
      total: page.totalCount,
      hasDrifted: progress.hasDrifted || page.driftDetected,
      after: page.pageInfo.endCursor,
      waitingUntil: null,
    });
    if (!page.pageInfo.hasNextPage || page.pageInfo.endCursor === null) return progress;
  }
}
