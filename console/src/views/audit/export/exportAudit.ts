// Writes the whole audit log as CSV, page by page, so that memory stays flat.
import { askPatiently } from "../../../data/askPatiently.ts";
import { BYTE_ORDER_MARK } from "../../../data/csvCell.ts";
import { csvLine, wallTimeOf } from "../../../data/csvFile.ts";
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
  const { when, what } = titles;
  await file.write(BYTE_ORDER_MARK + csvLine([when, "at", "actor", what, "action", "count", "subjectId"]));
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
      return csvLine([wallTimeOf(at), at, actor, wordsOf(entry), action, count, subjectId]);
    });
    if (lines.length > 0) await file.write(lines.join(""));
    rows += lines.length;
    onProgress({ rows, waitingUntil: null });
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage || after === null) return rows;
  }
}
