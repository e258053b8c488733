// Plans which pages of a list hold a window of rows: one page, or two that overlap. If both show the same rows in the overlap,
// the list has not moved between the two requests.
import { MAX_PAGE_SIZE } from "../upstream/upstream.ts";

export interface PagePosition {
  /** From 1. */
  pageIndex: number;
  /** 1 to MAX_PAGE_SIZE. */
  pageSize: number;
}

const SIZES = Array.from({ length: MAX_PAGE_SIZE }, (_, index) => index + 1);

/**
 * The pages for the rows from `offset` (from 0) to before `offset + count`; `count` is at most 101, a page and the row before
 * it. Returns the smallest single page, else the two with the fewest rows. The earlier one comes first, because the list may
 * end in it.
 */
export function planPages(offset: number, count: number): PagePosition[] {
  const end = offset + count;
  const single = SIZES.find((size) => pageIndexOf(offset, size) === pageIndexOf(end - 1, size));
  return single === undefined ? overlappingPages(offset, end) : [pageAt(offset, single)];
}

/** Tries all sizes of the later page, which holds the window's end, and finds the smallest earlier page that reaches into it. */
function overlappingPages(offset: number, end: number): PagePosition[] {
  let best: PagePosition[] = [];
  let fewestRows = Infinity;
  for (const size of SIZES) {
    const later = pageAt(end - 1, size);
    const earlierSize = SIZES.find(
      (other) => other >= fewestRows - size || pageEnd(pageAt(offset, other)) > pageStart(later),
    );
    if (earlierSize === undefined || earlierSize + size >= fewestRows) continue;
    fewestRows = earlierSize + size;
    best = [pageAt(offset, earlierSize), later];
  }
  return best;
}

/** The page of this size that holds the row at `position` (from 0). */
export function pageAt(position: number, pageSize: number): PagePosition {
  return { pageIndex: pageIndexOf(position, pageSize), pageSize };
}

/** From 1. */
export function pageIndexOf(position: number, pageSize: number): number {
  return Math.floor(position / pageSize) + 1;
}

/** The position of the page's first row, from 0. */
export function pageStart({ pageIndex, pageSize }: PagePosition): number {
  return (pageIndex - 1) * pageSize;
}

/** The position after the page's last row. */
export function pageEnd(page: PagePosition): number {
  return pageStart(page) + page.pageSize;
}
