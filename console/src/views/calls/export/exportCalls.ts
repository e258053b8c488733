// Reads the filtered list page by page and writes each page before it asks for the next one, so that memory stays flat. It
// waits out what passes, stops at what does not, and can go on where it stopped.
import type { ExportFile } from "../../../data/exportFile.ts";
import type { ExportedCall, ExportRows } from "./exportRows.ts";

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

/** What a SwitchboardError tells of another try. */
interface Waitable {
  retryable?: boolean;
  /** Seconds. */
  retryAfter?: number | undefined;
}

const TRIES = 5;
const LONGEST_WAIT_MS = 60_000;

/** Resolves when every row is written. Throws a SwitchboardError, the file's error, or the signal's reason. */
export async function exportCalls(from: ExportProgress, deps: ExportDeps): Promise<ExportProgress> {
  const { rows, file, signal, onProgress } = deps;
  let progress = from;
  const report = (changed: Partial<ExportProgress>) => onProgress((progress = { ...progress, ...changed }));
  if (from.total === null && rows.head !== "") await file.write(rows.head);
  for (;;) {
    const page = await askPage(progress.after, deps, (waitingUntil) => report({ waitingUntil }));
    signal.throwIfAborted();
    if (page.nodes.length > 0) await file.write(page.nodes.map(rows.line).join(""));
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

async function askPage(
  after: string | null,
  { ask, signal }: ExportDeps,
  onWait: (until: number) => void,
): Promise<ExportPage> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await ask(after, signal);
    } catch (error) {
      const wait = waitMs(error as Waitable, failures);
      if (wait === null) throw error;
      onWait(Date.now() + wait);
      await pause(wait, signal);
    }
  }
}

/** Null: trying again does not help, or would take too long. */
function waitMs({ retryable, retryAfter }: Waitable, failures: number): number | null {
  if (!retryable && retryAfter === undefined) return null;
  const ms = Math.max((retryAfter ?? 0) * 1000, 1000 * 2 ** failures);
  return failures + 1 < TRIES && ms <= LONGEST_WAIT_MS ? ms : null;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
