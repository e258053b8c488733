// Reads a list page by page and writes each page before it asks for the next one, so that memory stays flat. It waits out what
// passes, stops at what does not, and can go on where it stopped.
import { askPatiently } from "../../data/askPatiently.ts";
import type { ExportFile } from "../../data/exportFile.ts";

export interface ExportPage<Row> {
  /** Null: the list does not tell. */
  totalCount: number | null;
  driftDetected: boolean;
  pageInfo: { endCursor: string | null; hasNextPage: boolean };
  nodes: readonly Row[];
}

export interface ExportList<Row> {
  /** The page behind this cursor; null is the first one. Rejects with a SwitchboardError. */
  ask: (after: string | null, signal: AbortSignal) => Promise<ExportPage<Row>>;
  /** The first line of the file; empty: it has none. */
  head: string;
  line: (row: Row) => string;
}

export interface ExportProgress {
  /** Whether the first line of the file was written. */
  hasHead: boolean;
  /** Pages and their rows that were written. */
  pages: number;
  rows: number;
  /** As the list counted them last. Null before the first page, and where the list does not tell. */
  total: number | null;
  hasDrifted: boolean;
  /** The list may have more rows behind this cursor. */
  after: string | null;
  /** Epoch milliseconds of the next try, where one failed. */
  waitingUntil: number | null;
}

export interface ExportDeps<Row> {
  list: ExportList<Row>;
  file: Pick<ExportFile, "write">;
  signal: AbortSignal;
  onProgress: (progress: ExportProgress) => void;
}

export const EXPORT_START: ExportProgress = {
  hasHead: false,
  pages: 0,
  rows: 0,
  total: null,
  hasDrifted: false,
  after: null,
  waitingUntil: null,
};

/** Resolves when every row is written. Throws a SwitchboardError, the file's error, or the signal's reason. */
export async function exportPages<Row>(from: ExportProgress, deps: ExportDeps<Row>): Promise<ExportProgress> {
  const { list, file, signal, onProgress } = deps;
  let progress = from;
  const report = (changed: Partial<ExportProgress>) => onProgress((progress = { ...progress, ...changed }));
  if (!from.hasHead && list.head !== "") await file.write(list.head);
  report({ hasHead: true });
  for (;;) {
    const page = await askPatiently(
      () => list.ask(progress.after, signal),
      signal,
      (waitingUntil) => report({ waitingUntil }),
    );
    signal.throwIfAborted();
    if (page.nodes.length > 0) await file.write(page.nodes.map(list.line).join(""));
    report({
      pages: progress.pages + 1,
      rows: progress.rows + page.nodes.length,
      total: page.totalCount,
      hasDrifted: progress.hasDrifted || page.driftDetected,
      after: page.pageInfo.endCursor,
      waitingUntil: null,
    });
    if (!page.pageInfo.hasNextPage || page.pageInfo.endCursor === null) return progress;
  }
}
