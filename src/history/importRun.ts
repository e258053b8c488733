// One import, from where it is to its end. It can be interrupted at any moment: its progress is stored after each window, and a
// window that is read again adds nothing.
import { CodedError } from "../errors.ts";
import { epochMsOf, instantOf } from "../format/instant.ts";
import { searchWindow } from "../format/searchWindow.ts";
import { createCallLogLoaders, type ListChecks } from "../loaders/callLogLoader.ts";
import { createCheckRequests } from "../loaders/checkRequests.ts";
import { checkRowsMatch, filterIgnoredError } from "../loaders/contradictingRows.ts";
import type { RangeResult } from "../loaders/readRange.ts";
import { createTimeRangeReader, type TimeRange } from "../loaders/timeRange.ts";
import type { Logger } from "../logger.ts";
import type { HistoryImport, HistoryImportStore } from "../store/events/historyImportStore.ts";
import { createRequester, type Requester } from "../upstream/requester.ts";
import { contractError } from "../upstream/serviceResponse.ts";
import { MAX_PAGE_SIZE, NO_FILTER, type CallLogPage, type CallLogQuery, type Upstream } from "../upstream/upstream.ts";
import { DAY_MS, SECOND_MS } from "../util/durations.ts";
import type { Pacer } from "../util/rates/pacer.ts";
import { createRowImporter, type ImportRowsDeps } from "./importRows.ts";

export interface ImportRunDeps extends Omit<ImportRowsDeps, "keptSince" | "checkRuns"> {
  upstream: Pick<Upstream, "listCallLogs">;
  checks: ListChecks;
  imports: HistoryImportStore;
  /** Paces requests to the service, checks and retries included. */
  pace: Pacer;
  log: Logger;
}

interface WindowRows {
  rows: number;
  /** Keys of the rows that cannot be stored. */
  leftOut: ReadonlySet<string>;
  unreadable: number;
}

/** From so many rows on a window is halved. Services stop counting, or refuse pages, beyond 1,000 or 10,000 rows. */
const MAX_ROWS = 1000;
/** A window with fewer rows than a quarter of that is followed by one of twice its length. */
const FEW_ROWS = MAX_ROWS / 4;
const FIRST_WINDOW_MS = DAY_MS;
const MAX_WINDOW_MS = 32 * DAY_MS;
/** The service's times have whole seconds. */
const MIN_WINDOW_MS = SECOND_MS;

const DOES_NOT_ADD_UP = "The pages of the service's call log do not add up: calls may be missing in it.";

/**
 * Resolves when everything is read, or the import was cancelled or is another gateway's. Throws UPSTREAM_*, STORE_UNAVAILABLE and the
 * signal's reason: a later run goes on. The error says whether that makes sense (`retryable`).
 */
export async function runImport(
  begun: HistoryImport,
  deps: ImportRunDeps,
  signal: AbortSignal,
): Promise<"read" | "left"> {
  const { upstream, checks, imports, pace, log } = deps;
  const { id, until, keptSince } = begun;
  const left = new AbortController();
  const requester = createRequester({
    signal: AbortSignal.any([signal, left.signal]),
    fresh: true,
    async payRateLimit() {
      await pace(signal);
      await checkRuns();
    },
  });
  async function checkRuns(): Promise<void> {
    signal.throwIfAborted();
    const running = await imports.running();
    if (running?.id !== id) left.abort(new Error("the import was cancelled"));
    left.signal.throwIfAborted();
  }
  let windowMs = FIRST_WINDOW_MS;
  /** Keys of the rows that the window before left out: windows overlap by a second or two. */
  let leftOutBefore: ReadonlySet<string> = new Set();

  async function readAll(): Promise<"read" | "left"> {
    for (let { readThrough } = begun; readThrough < until;) {
      const saved = await readWindow(readThrough);
      if (saved === null) return "left";
      ({ readThrough } = saved);
    }
    if (begun.tooOld === null) await noteTooOld();
    return "read";
  }
  /** A figure for people: where the service does not give it, it stays null. */
  async function noteTooOld(): Promise<void> {
    try {
      await imports.saveTooOld(id, await countTooOld(begun, deps, requester));
    } catch (err) {
      if (!(err instanceof CodedError && err.code.startsWith("UPSTREAM_"))) throw err;
      log.warn({ err }, "the calls before the retention could not be counted");
    }
  }
  /** Null: it is another gateway's now. */
  async function readWindow(readThrough: string): Promise<HistoryImport | null> {
    const from = epochMsOf(readThrough);
    for (;;) {
      const to = Math.min(from + windowMs, epochMsOf(until));
      const read = await readTimes({ from, to });
      if (read !== "tooLong" && read !== "incomplete") {
        if (read.rows < FEW_ROWS) windowMs = Math.min(2 * windowMs, MAX_WINDOW_MS);
        const leftOut = read.unreadable + read.leftOut.difference(leftOutBefore).size;
        leftOutBefore = read.leftOut;
        const through = Math.min(coveredThrough({ from, to }, checks.range.timeZone), epochMsOf(until));
        return imports.saveWindow(id, { from: readThrough, to: instantOf(through), leftOut });
      }
      if (!canShrink()) throw contractError(DOES_NOT_ADD_UP);
      windowMs = Math.max(Math.floor(windowMs / 2 / SECOND_MS) * SECOND_MS, MIN_WINDOW_MS);
    }
  }
  const canShrink = () => windowMs > MIN_WINDOW_MS;

  async function readTimes(range: TimeRange): Promise<WindowRows | Exclude<RangeResult, "complete">> {
    /** By the number of the page, because a list that moves is read again. */
    const unreadable = new Map<number, number>();
    let [onPage, rows] = [0, 0];
    const { timeZone } = checks.range;
    const read = createTimeRangeReader({ upstream, timeZone, onUnreadable: () => (onPage += 1) });
    const importer = createRowImporter({ ...deps, keptSince, checkRuns });
    const result = await read(range, {
      requester,
      // The calls of the shortest window are read, however many they are.
      ...(canShrink() ? { maxRows: MAX_ROWS - 1 } : {}),
      async check(query, page) {
        await checkFilters(query, page, checks, upstream, requester);
        unreadable.set(query.pageIndex, onPage);
        [onPage, rows] = [0, Math.max(rows, page.total)];
      },
      addRows: importer.addRows,
    }).catch(async (error: unknown) => {
      // The next windows may wait as long, so that people see why nothing comes.
      const isSlow = error instanceof CodedError && error.code === "UPSTREAM_TIMEOUT" && unreadable.size === 0;
      if (isSlow) await imports.saveProblem(id, error.message);
      if (canShrink() && isOfLargeWindow(error, unreadable.size)) return "tooLong" as const;
      throw error;
    });
    if (result !== "complete") return result;
    return { rows, leftOut: await importer.append(), unreadable: unreadable.values().reduce((a, b) => a + b, 0) };
  }

  try {
    return await readAll();
  } catch (error) {
    if (left.signal.aborted) return "left";
    throw error;
  }
}

/** Where clocks are set back, the query has the whole repeated hour (format/searchWindow.ts): it is not read for each window in it. */
function coveredThrough({ from, to }: TimeRange, timeZone: string): number {
  const sent = epochMsOf(searchWindow(from, to, timeZone).until);
  return sent - to > SECOND_MS ? sent : to;
}

/** Throws UPSTREAM_FILTER_IGNORED where the service does not keep to the range. */
async function checkFilters(
  query: CallLogQuery,
  page: CallLogPage,
  { range, filters }: ListChecks,
  upstream: Pick<Upstream, "listCallLogs">,
  requester: Requester,
): Promise<void> {
  checkRowsMatch(query, page, range);
  const ignored = await filters.findIgnored(createCheckRequests(upstream, requester), query, page);
  if (ignored !== null) throw filterIgnoredError(ignored);
}

/** By the total of one verified list. */
async function countTooOld(
  { since, keptSince }: HistoryImport,
  { upstream, checks }: ImportRunDeps,
  requester: Requester,
): Promise<number> {
  if (since >= keptSince) return 0;
  // The second before: both ends of a range count at some services.
  const until = instantOf(epochMsOf(keptSince) - SECOND_MS);
  const { callLogs } = createCallLogLoaders(upstream, checks, requester);
  const page = { ...NO_FILTER, since, until: until < since ? since : until, pageIndex: 1, pageSize: MAX_PAGE_SIZE };
  return (await callLogs.load(page)).total;
}

/** What a service refuses, or takes too long for, may be an early page of a shorter window. */
function isOfLargeWindow(error: unknown, pagesRead: number): boolean {
  if (!(error instanceof CodedError) || error.code === "UPSTREAM_FILTER_IGNORED") return false;
  return error.code === "UPSTREAM_TIMEOUT" || (pagesRead > 0 && error.code.startsWith("UPSTREAM_"));
}
