// Reads any window of the call log, offset..offset+count, over a list that knows only page numbers. Rows are placed by what
// the answer says of its page, for the service may give smaller pages than it was asked for. Not noticed here: a list that
// moves between two requests, and, on the list's last page, a size that the service conceals.
import { CodedError } from "../errors.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../upstream/upstream.ts";

export type CallLogFilter = Omit<CallLogQuery, "pageIndex" | "pageSize">;

export interface CallLogWindow {
  /** Fewer than asked for only where the list ends. */
  rows: CallLogRecord[];
  total: number;
}

type Load = (query: CallLogQuery) => Promise<CallLogPage>;

/** The service's largest page (section 4.1). */
const LARGEST_PAGE = 100;

/**
 * `offset` from 0, `count` from 1 to 100. One request where one page holds the window, else two; more where the service
 * gives smaller pages. Throws UPSTREAM_CONTRACT where its pages fit neither our size nor its own, and what `load` throws.
 */
export async function readWindow(
  load: Load,
  filter: CallLogFilter,
  offset: number,
  count: number,
): Promise<CallLogWindow> {
  checkWindow(offset, count);
  const asked = smallestPage(offset, count);
  const first = await load({ ...filter, pageIndex: pageOf(offset, asked), pageSize: asked });
  const { total } = first;
  // Beyond the end some services tell of another page: nothing of it is looked at.
  if (total <= offset) return { rows: [], total };

  const size = sizeOf(first);
  const pages = await Promise.all(indexesOf(offset, Math.min(offset + count, total), size).map(readPage));
  return { rows: pages.flatMap((page) => rowsWithin(page, offset, count)), total };

  async function readPage(pageIndex: number): Promise<CallLogPage> {
    if (isPage(first, pageIndex, size)) return first;
    const page = await load({ ...filter, pageIndex, pageSize: size });
    if (!isPage(page, pageIndex, size)) throw unplaceable();
    return page;
  }
}

/** The smallest size of which one page holds the whole window; where no page does, two of the window's own size do. */
function smallestPage(offset: number, count: number): number {
  const sizes = Array.from({ length: LARGEST_PAGE - count + 1 }, (_, more) => count + more);
  return sizes.find((size) => pageOf(offset, size) === pageOf(offset + count - 1, size)) ?? count;
}

/** The size of the service's pages: what it tells, or, where a page before the last is shorter, what it gives. */
function sizeOf(page: CallLogPage): number {
  const size = page.rows.length < rowsDue(page) ? page.rows.length : page.pageSize;
  if (size < 1 || size > LARGEST_PAGE) throw unplaceable();
  return size;
}

/** True where the rows' places in the list are certain. */
function isPage(page: CallLogPage, pageIndex: number, pageSize: number): boolean {
  const isOurs = page.pageIndex === pageIndex && page.pageSize === pageSize;
  return isOurs && page.rows.length >= rowsDue(page) && page.rows.length <= pageSize;
}

function rowsDue(page: CallLogPage): number {
  return Math.min(page.pageSize, Math.max(0, page.total - startOf(page)));
}

function rowsWithin(page: CallLogPage, offset: number, count: number): CallLogRecord[] {
  const start = startOf(page);
  return page.rows.slice(Math.max(0, offset - start), Math.max(0, offset + count - start));
}

/** The pages, from 1, that hold the positions from `start` to before `end`. */
function indexesOf(start: number, end: number, size: number): number[] {
  const first = pageOf(start, size);
  return Array.from({ length: pageOf(end - 1, size) - first + 1 }, (_, at) => first + at);
}

function pageOf(position: number, size: number): number {
  return Math.floor(position / size) + 1;
}

function startOf({ pageIndex, pageSize }: CallLogPage): number {
  return (pageIndex - 1) * pageSize;
}

function checkWindow(offset: number, count: number): void {
  if (!Number.isSafeInteger(offset) || offset < 0) throw new RangeError("A window's offset is a whole number from 0.");
  if (!Number.isSafeInteger(count) || count < 1 || count > LARGEST_PAGE) {
    throw new RangeError(`A window has 1 to ${LARGEST_PAGE} rows.`);
  }
}

function unplaceable(): CodedError {
  return new CodedError("UPSTREAM_CONTRACT", "The service's pages do not add up: see pageIndex, pageSize and total.");
}
