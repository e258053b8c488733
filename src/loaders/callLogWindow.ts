// Reads any window of the call log, offset..offset+count, over a list that knows only page numbers. Rows are placed by what
// the answer says of its page, for the service may give smaller pages than it was asked for. Not noticed here: a size that
// the service conceals, where one of its pages happens to be as long as the list's last page would be in our size.
import { CodedError } from "../errors.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../upstream/upstream.ts";
import { LARGEST_PAGE, pageAt, planPages, pageStart, type PagePosition } from "./pagePlan.ts";

export type CallLogFilter = Omit<CallLogQuery, "pageIndex" | "pageSize">;
export type LoadPage = (query: CallLogQuery) => Promise<CallLogPage>;

export interface CallLogWindow {
  /** Fewer than asked for only where the list ends. */
  rows: readonly CallLogRecord[];
  total: number;
  /** The list moved between the requests for the window, or shows a call twice: rows may be missing or twice. */
  moved: boolean;
  /** The pages it was cut out of, whole: their rows' places are certain. */
  pages: CallLogPage[];
  /** The service's largest page, as far as this window tells. */
  maxPageSize: number;
}

/**
 * `offset` from 0, `count` from 1 to 101. One request where one page holds the window, else two; more where the service
 * gives smaller pages. Throws UPSTREAM_CONTRACT where its pages fit neither our size nor its own, and what `load` throws.
 */
export async function readWindow(
  load: LoadPage,
  filter: CallLogFilter,
  offset: number,
  count: number,
): Promise<CallLogWindow> {
  checkWindow(offset, count);
  const [plan, other] = planPages(offset, count) as [PagePosition, PagePosition?];
  const first = await load({ ...filter, ...plan });
  const { total } = first;
  const end = Math.min(offset + count, total);
  const largest = first.pageSize > 0 && first.pageSize < plan.pageSize ? first.pageSize : LARGEST_PAGE;
  // Beyond the end some services tell of another page: nothing of it is looked at.
  if (total <= offset) return { rows: [], total, moved: false, pages: [], maxPageSize: largest };
  const size = await otherSize(first, plan);
  if (size !== null) return readAligned(size);
  if (covers(first, offset, end)) return cut([first], false);

  if (!other) return readAligned(plan.pageSize);
  const second = placed(await load({ ...filter, ...other }), other);
  const smaller = await otherSize(second, other);
  return smaller === null ? cut([first, second], !isSeamless(first, second)) : readAligned(smaller);

  /** The size of the service's own pages, where it is not the one that was asked for. */
  async function otherSize(page: CallLogPage, place: PagePosition): Promise<number | null> {
    if (!isPageAt(page, place)) return sizeOf(page);
    if (page.rows.length <= rowsDue(page)) return null;
    // More rows than are left behind the pages before it: those are smaller, whatever is told, as the first one shows, or
    // else the total is wrong.
    const shown = page.pageIndex > 1 ? sizeOf(await load({ ...filter, ...place, pageIndex: 1 })) : place.pageSize;
    if (shown >= place.pageSize) throw unplaceable();
    return shown;
  }

  /** Pages of the service's own size, side by side: without an overlap, only a total or a row tells that the list moved. */
  async function readAligned(size: number): Promise<CallLogWindow> {
    const indexes = indexesOf(offset, end, size);
    const pages = await Promise.all(indexes.map((pageIndex) => readPage({ pageIndex, pageSize: size })));
    return cut(pages, pages.some((page) => page.total !== total) || hasRepeats(pages));
  }

  async function readPage(place: PagePosition): Promise<CallLogPage> {
    if (isPageAt(first, place)) return first;
    const page = placed(await load({ ...filter, ...place }), place);
    if (!isPageAt(page, place)) throw unplaceable();
    return page;
  }

  function cut(pages: CallLogPage[], moved: boolean): CallLogWindow {
    const rows: CallLogRecord[] = [];
    for (const page of pages) rows.push(...rowsWithin(page, offset + rows.length, offset + count));
    return {
      rows,
      total: pages.at(-1)?.total ?? total,
      moved: moved || hasDuplicateCall(rows),
      pages,
      maxPageSize: largest,
    };
  }
}

/** True where the rows' places in the list are certain. */
export function isPageAt(page: CallLogPage, { pageIndex, pageSize }: PagePosition): boolean {
  const isAsked = page.pageIndex === pageIndex && page.pageSize === pageSize;
  return isAsked && page.rows.length >= rowsDue(page) && page.rows.length <= pageSize;
}

/** A page that is beyond the end by now has no rows, whatever it shows. */
function placed(page: CallLogPage, place: PagePosition): CallLogPage {
  return page.total <= pageStart(place) ? { ...page, ...place, rows: [] } : page;
}

/** The window as one of these pages holds it, and no request more; null where none does. */
export function windowWithin(pages: readonly CallLogPage[], offset: number, count: number): CallLogWindow | null {
  const page = pages.find((each) => covers(each, offset, Math.min(offset + count, each.total)));
  if (page === undefined) return null;
  const rows = rowsWithin(page, offset, offset + count);
  return { rows, total: page.total, moved: hasDuplicateCall(rows), pages: [page], maxPageSize: LARGEST_PAGE };
}

/** Rows without a session id may be alike and two calls all the same. */
export function hasDuplicateCall(rows: readonly CallLogRecord[]): boolean {
  const met = new Set<string>();
  for (const { sessionId } of rows) {
    if (sessionId === null) continue;
    if (met.has(sessionId)) return true;
    met.add(sessionId);
  }
  return false;
}

/** A row's own name: its session id, or all that it shows. */
export function rowKey(row: CallLogRecord): string {
  return row.sessionId === null ? `row ${JSON.stringify(row)}` : `session ${row.sessionId}`;
}

function rowsWithin(page: CallLogPage, from: number, to: number): CallLogRecord[] {
  const start = pageStart(page);
  // A copy is cut: V8 goes through a frozen list, as this one is, sixty times as slowly.
  return [...page.rows].slice(Math.max(0, from - start), Math.max(0, to - start));
}

/** The size of the service's pages: what it tells, or, where a page before the last is shorter, what it gives. */
function sizeOf(page: CallLogPage): number {
  const size = page.rows.length < rowsDue(page) ? page.rows.length : page.pageSize;
  if (size < 1 || size > LARGEST_PAGE) throw unplaceable();
  return size;
}

function rowsDue(page: CallLogPage): number {
  return Math.min(page.pageSize, Math.max(0, page.total - pageStart(page)));
}

function covers(page: CallLogPage, from: number, to: number): boolean {
  return pageStart(page) <= from && to <= pageStart(page) + page.rows.length;
}

/** Rows that were together before the seam are together behind it. */
function isSeamless(earlier: CallLogPage, later: CallLogPage): boolean {
  const [start, end] = [pageStart(later), pageStart(earlier) + earlier.rows.length];
  const [before, behind] = [rowsWithin(earlier, start, end), rowsWithin(later, start, end)];
  return before.length > 0 && before.every((row, at) => behind[at] && rowKey(row) === rowKey(behind[at]));
}

function hasRepeats(pages: readonly CallLogPage[]): boolean {
  const names = pages.flatMap(({ rows }) => rows.map(rowKey));
  return pages.length > 1 && new Set(names).size < names.length;
}

/** The pages, from 1, that hold the positions from `start` to before `end`. */
function indexesOf(start: number, end: number, size: number): number[] {
  const [first, last] = [pageAt(start, size).pageIndex, pageAt(end - 1, size).pageIndex];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function checkWindow(offset: number, count: number): void {
  if (!Number.isSafeInteger(offset) || offset < 0) throw new RangeError("A window's offset is a whole number from 0.");
  if (!Number.isSafeInteger(count) || count < 1 || count > LARGEST_PAGE + 1) {
    throw new RangeError(`A window has 1 to ${LARGEST_PAGE + 1} rows.`);
  }
}

function unplaceable(): CodedError {
  return new CodedError("UPSTREAM_CONTRACT", "The service's pages do not add up: see pageIndex, pageSize and total.");
}
