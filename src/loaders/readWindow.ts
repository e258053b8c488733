// Reads a window of the call log (offset and count) from a service that knows only page numbers. The position of a row comes from
// the page numbers in the response, because the service may return smaller pages than requested. Limitation: a service that
// hides its page size is not detected if its page is exactly as long as the list's last page would be in our size.
import { contractError } from "../upstream/serviceResponse.ts";
import { MAX_PAGE_SIZE, type CallLogPage, type CallLogQuery, type CallLogRecord } from "../upstream/upstream.ts";
import { textHash } from "../util/text/textHash.ts";
import { pageAt, pageStart, planPages, type PagePosition } from "./pagePlan.ts";

export type CallLogFilter = Omit<CallLogQuery, "pageIndex" | "pageSize">;
export type LoadPage = (query: CallLogQuery) => Promise<CallLogPage>;

export interface CallLogWindow {
  /** Fewer than requested only where the list ends. */
  rows: readonly CallLogRecord[];
  total: number;
  /** The list moved between the requests, or shows a call twice: rows may be missing or repeated. */
  moved: boolean;
  /** The whole pages that the window was cut from; the positions of their rows are certain. */
  pages: CallLogPage[];
  /** The service's largest page size, as far as this window shows it. */
  maxPageSize: number;
}

/**
 * `offset` from 0, `count` from 1 to 101. It takes one request if one page holds the window, else two, and more if the service
 * returns smaller pages. Throws UPSTREAM_CONTRACT if the pages fit neither our size nor the service's own, and what `load`
 * throws.
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
  const largest = first.pageSize > 0 && first.pageSize < plan.pageSize ? first.pageSize : MAX_PAGE_SIZE;
  // Beyond the end some services return another page, so its rows are not used.
  if (total <= offset) return { rows: [], total, moved: false, pages: [], maxPageSize: largest };
  const size = await ownSize(first, plan);
  if (size !== null) return readAligned(size);
  if (covers(first, offset, end)) return cut([first], false);

  if (!other) return readAligned(plan.pageSize);
  const second = emptyBeyondEnd(await load({ ...filter, ...other }), other);
  const smaller = await ownSize(second, other);
  return smaller === null ? cut([first, second], !overlapsMatch(first, second)) : readAligned(smaller);

  /** The service's own page size; null: it is the requested one. */
  async function ownSize(page: CallLogPage, position: PagePosition): Promise<number | null> {
    if (!isPageAt(page, position)) return pageSizeOf(page);
    if (page.rows.length <= expectedRows(page)) return null;
    // The page has more rows than the total leaves for it. So the pages before it are smaller than reported, which the first
    // page shows, or the total is wrong.
    const isLater = page.pageIndex > 1;
    const size = isLater ? pageSizeOf(await load({ ...filter, ...position, pageIndex: 1 })) : position.pageSize;
    if (size >= position.pageSize) throw inconsistentPages();
    return size;
  }

  /** Reads pages of the service's own size. They do not overlap, so only a changed total or a repeated row shows a move. */
  async function readAligned(size: number): Promise<CallLogWindow> {
    const indexes = pageIndexes(offset, end, size);
    const pages = await Promise.all(indexes.map((pageIndex) => readPage({ pageIndex, pageSize: size })));
    return cut(pages, pages.some((page) => page.total !== total) || hasRepeats(pages));
  }

  async function readPage(position: PagePosition): Promise<CallLogPage> {
    if (isPageAt(first, position)) return first;
    const page = emptyBeyondEnd(await load({ ...filter, ...position }), position);
    if (!isPageAt(page, position)) throw inconsistentPages();
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

/** Whether the response is the requested page, so that the positions of its rows are certain. */
export function isPageAt(page: CallLogPage, { pageIndex, pageSize }: PagePosition): boolean {
  const isRequested = page.pageIndex === pageIndex && page.pageSize === pageSize;
  return isRequested && page.rows.length >= expectedRows(page) && page.rows.length <= pageSize;
}

/** The page, but without rows if it is beyond the end by now: some services return another page's rows there. */
function emptyBeyondEnd(page: CallLogPage, position: PagePosition): CallLogPage {
  return page.total <= pageStart(position) ? { ...page, ...position, rows: [] } : page;
}

/** The window cut from one of these pages, without a request; null where none holds it. */
export function windowWithin(pages: readonly CallLogPage[], offset: number, count: number): CallLogWindow | null {
  const page = pages.find((each) => covers(each, offset, Math.min(offset + count, each.total)));
  if (page === undefined) return null;
  const rows = rowsWithin(page, offset, offset + count);
  return { rows, total: page.total, moved: hasDuplicateCall(rows), pages: [page], maxPageSize: MAX_PAGE_SIZE };
}

/** Rows without a session ID are not compared: two calls may look the same. */
export function hasDuplicateCall(rows: readonly CallLogRecord[]): boolean {
  const mask = (4 << (32 - Math.clz32(rows.length))) - 1;
  /** Numbers of rows, from 1, by the hash of their IDs; 0: the place is free. */
  const table = new Uint32Array(mask + 1);
  for (let index = 0; index < rows.length; index += 1) {
    const { sessionId } = rows[index] as CallLogRecord;
    if (sessionId === null) continue;
    let place = textHash(sessionId) & mask;
    for (let number = table[place]; number; number = table[place]) {
      if (rows[number - 1]?.sessionId === sessionId) return true;
      place = (place + 1) & mask;
    }
    table[place] = index + 1;
  }
  return false;
}

/** Identifies a row: its session ID, or all its fields where it has none. */
export function rowKey(row: CallLogRecord): string {
  return row.sessionId === null ? `row ${rowContent(row)}` : `session ${row.sessionId}`;
}

/** What tells a row without a session ID from others. A recording's address may be signed anew for each answer. */
export function rowContent(row: CallLogRecord): string {
  return JSON.stringify({ ...row, recordFile: row.recordFile?.split("?", 1)[0] ?? null });
}

function rowsWithin(page: CallLogPage, from: number, to: number): CallLogRecord[] {
  const start = pageStart(page);
  // Copied first, because slicing a frozen array takes V8 sixty times as long.
  return [...page.rows].slice(Math.max(0, from - start), Math.max(0, to - start));
}

/** The service's page size: the reported one, or the number of rows where a page before the last is shorter. */
function pageSizeOf(page: CallLogPage): number {
  const size = page.rows.length < expectedRows(page) ? page.rows.length : page.pageSize;
  if (size < 1 || size > MAX_PAGE_SIZE) throw inconsistentPages();
  return size;
}

/** How many rows the page must have by the list's total. */
function expectedRows(page: CallLogPage): number {
  return Math.min(page.pageSize, Math.max(0, page.total - pageStart(page)));
}

function covers(page: CallLogPage, from: number, to: number): boolean {
  return pageStart(page) <= from && to <= pageStart(page) + page.rows.length;
}

/** Whether two overlapping pages show the same rows in the overlap: the list has not moved between them. */
function overlapsMatch(earlier: CallLogPage, later: CallLogPage): boolean {
  const [start, end] = [pageStart(later), pageStart(earlier) + earlier.rows.length];
  const [inEarlier, inLater] = [rowsWithin(earlier, start, end), rowsWithin(later, start, end)];
  return (
    inEarlier.length > 0 && inEarlier.every((row, index) => inLater[index] && rowKey(row) === rowKey(inLater[index]))
  );
}

function hasRepeats(pages: readonly CallLogPage[]): boolean {
  const keys = pages.flatMap(({ rows }) => rows.map(rowKey));
  return pages.length > 1 && new Set(keys).size < keys.length;
}

/** The indexes, from 1, of the pages that hold the rows from `start` to before `end`. */
function pageIndexes(start: number, end: number, size: number): number[] {
  const [first, last] = [pageAt(start, size).pageIndex, pageAt(end - 1, size).pageIndex];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function checkWindow(offset: number, count: number): void {
  if (!Number.isSafeInteger(offset) || offset < 0) {
    throw new RangeError(`A window's offset must be a whole number from 0, got ${offset}.`);
  }
  if (!Number.isSafeInteger(count) || count < 1 || count > MAX_PAGE_SIZE + 1) {
    throw new RangeError(`A window must have 1 to ${MAX_PAGE_SIZE + 1} rows, got ${count}.`);
  }
}

function inconsistentPages() {
  return contractError("The service's pages contradict each other: see pageIndex, pageSize and total.");
}
