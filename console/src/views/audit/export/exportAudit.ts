// Writes the whole audit log as CSV, page by page, so that memory stays flat.
import { askPatiently } from "../../../data/askPatiently.ts";
import { BYTE_ORDER_MARK, csvCell } from "../../../data/csvCell.ts";
import type { ExportFile } from "../../../data/exportFile.ts";
import type { AuditEntryFragment } from "../../../gql/graphql.ts";

export interface AuditPage {
  nodes: readonly AuditEntryFragment[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

export interface AuditExportProgress {
  /** Written to the file. */
  rows: number;
  /** Epoch milliseconds of the next try, where one failed. */
  waitingUntil: number | null;
}

export interface AuditExportDeps {
  /** The page behind this cursor; null is the newest. Rejects with a SwitchboardError. */
  ask: (after: string | null) => Promise<AuditPage>;
  file: Pick<ExportFile, "write">;
  /** What the entry says, in words. */
  wordsOf: (entry: AuditEntryFragment) => string;
  /** The names of the columns: the time in the viewer's zone, and the words. */
  titles: { when: string; what: string };
  signal: AbortSignal;
  onProgress: (progress: AuditExportProgress) => void;
}

/** Resolves with the number of rows. Throws a SwitchboardError, the file's error, or the signal's reason. */
export async function exportAudit(deps: AuditExportDeps): Promise<number> {
  const { ask, file, wordsOf, titles, signal, onProgress } = deps;
  const line = (cells: readonly (string | number | null)[]) => `${cells.map(csvCell).join()}\r\n`;
  const { when, what } = titles;
  await file.write(BYTE_ORDER_MARK + line([when, "at", "actor", what, "action", "count", "subjectId"]));
  let rows = 0;
  for (let after: string | null = null; ;) {
    const place: string | null = after;
    const page: AuditPage = await askPatiently(
      () => ask(place),
      signal,
      (waitingUntil) => onProgress({ rows, waitingUntil }),
    );
    signal.throwIfAborted();
    const lines = page.nodes.map((entry) => {
      const { at, actor, action, count, subjectId } = entry;
      return line([wallTimeOf(at), at, actor, wordsOf(entry), action, count, subjectId]);
    });
    if (lines.length > 0) await file.write(lines.join(""));
    rows += lines.length;
    onProgress({ rows, waitingUntil: null });
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage || after === null) return rows;
  }
}

/** 2026-11-20 09:30:00 in the viewer's zone, which spreadsheets read as a time. */
function wallTimeOf(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":")}`;
}
