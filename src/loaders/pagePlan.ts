// Which pages to ask for: one that holds a window of the list, else two that overlap. Where the two show the same rows in
// the overlap, the list has not moved between them, as far as the window goes.

export interface PagePosition {
  /** From 1. */
  pageIndex: number;
  /** 1 to 100. */
  pageSize: number;
}

/** The service's largest page (service.md, section 4.1). */
export const LARGEST_PAGE = 100;
const SIZES = Array.from({ length: LARGEST_PAGE }, (_, less) => less + 1);

/**
 * For the positions from `offset` (from 0) to before `offset + count` (up to 101: a page, and the row before it). The
 * smallest single page, else the two with the fewest rows, the earlier one first: the list may end in it.
 */
export function planPages(offset: number, count: number): PagePosition[] {
  const end = offset + count;
  const single = SIZES.find((size) => pageIndexOf(offset, size) === pageIndexOf(end - 1, size));
  return single === undefined ? overlapping(offset, end) : [pageAt(offset, single)];
}

/** By trial: a window's end fixes the later page of each size, and the earlier one has to reach into it. */
function overlapping(offset: number, end: number): PagePosition[] {
  let best: PagePosition[] = [];
  let fewest = Infinity;
  for (const size of SIZES) {
    const later = pageAt(end - 1, size);
    const reach = SIZES.find((other) => other >= fewest - size || pageEnd(pageAt(offset, other)) > pageStart(later));
    if (reach === undefined || reach + size >= fewest) continue;
    fewest = reach + size;
    best = [pageAt(offset, reach), later];
  }
  return best;
}

export function pageAt(position: number, pageSize: number): PagePosition {
  return { pageIndex: pageIndexOf(position, pageSize), pageSize };
}

/** From 1. */
export function pageIndexOf(position: number, size: number): number {
  return Math.floor(position / size) + 1;
}

export function pageStart({ pageIndex, pageSize }: PagePosition): number {
  return (pageIndex - 1) * pageSize;
}

export function pageEnd(page: PagePosition): number {
  return pageStart(page) + page.pageSize;
}
