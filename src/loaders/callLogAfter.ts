// Reads the rows after a given row of the call log (a cursor), even if the list has moved since the row was read. It looks for the
// row in its old place, then on the pages around. If the row is not found, the result reports drift.
import type { CallLogPage, CallLogRecord } from "../upstream/upstream.ts";
import {
  isPageAt,
  readWindow,
  windowWithin,
  type CallLogFilter,
  type CallLogWindow,
  type LoadPage,
} from "./readWindow.ts";
import { isUnexpectedNeed } from "./checkRequests.ts";
import { pageAt, pageStart } from "./pagePlan.ts";

/** The row of a cursor, and its list at the time it was read. */
export interface Anchor {
  /** The number of rows up to and including the row. */
  offset: number;
  total: number;
  /** What `keyOf` returned for the row. */
  row: string;
}

export interface CallLogSlice {
  rows: readonly CallLogRecord[];
  total: number;
  /** The number of rows before the first one. */
  offset: number;
  /** The list moved in a way that could not be followed: rows may be missing or repeated. */
  drift: boolean;
}

/**
 * `count`: 1 to 100. The window includes the anchor's row, which costs an extra request only if no single page holds both. If
 * the list has moved, at most six more requests follow, for pages of the service's own size. Throws as readWindow does.
 */
export async function readAfter(
  load: LoadPage,
  filter: CallLogFilter,
  anchor: Anchor,
  count: number,
  keyOf: (row: CallLogRecord) => string,
): Promise<CallLogSlice> {
  const expected = anchor.offset - 1;
  const window = await readWindow(load, filter, expected, count + 1);
  const unmoved = sliceAfter(window, expected);
  if (isAnchor(window.rows[0])) return unmoved;

  try {
    return await readMoved();
  } catch (error) {
    // Nothing is counted for the search of a moved row: without spare requests it is not found.
    if (!isUnexpectedNeed(error)) throw error;
    return { ...unmoved, drift: true };
  }

  async function readMoved(): Promise<CallLogSlice> {
    const inWindow = anchorPosition(window.pages);
    const pages = inWindow === null ? await loadPagesAround(window) : window.pages;
    const found = inWindow ?? anchorPosition(pages);
    if (found === null) return { ...unmoved, drift: true };
    const moved = windowWithin(pages, found, count + 1) ?? (await readWindow(load, filter, found, count + 1));
    const slice = sliceAfter(moved, found);
    return {
      ...slice,
      drift: slice.drift || !isAnchor(moved.rows[0]) || isUnexplained(found - expected, moved.total),
    };
  }

  function isAnchor(row: CallLogRecord | undefined): boolean {
    return row !== undefined && keyOf(row) === anchor.row;
  }

  /** Null if the anchor's row is not on these pages, or if several rows look the same. */
  function anchorPosition(pages: readonly CallLogPage[]): number | null {
    const positions = pages.flatMap((page) =>
      page.rows.flatMap((row, index) => (isAnchor(row) ? [pageStart(page) + index] : [])),
    );
    const [position, other] = new Set(positions);
    return position === undefined || other !== undefined ? null : position;
  }

  /** The pages before and after, and the page that holds the row if the list only grew or shrank before it. */
  async function loadPagesAround({ total, maxPageSize: size }: CallLogWindow): Promise<CallLogPage[]> {
    const shifted = expected + total - anchor.total;
    const candidates = [expected, expected - size, expected + size, shifted].filter((row) => row >= 0 && row < total);
    const positions = new Map(candidates.map((row) => [pageAt(row, size).pageIndex, pageAt(row, size)]));
    const loads = [...positions.values()].map(async (position) => {
      const page = await load({ ...filter, ...position });
      return isPageAt(page, position) ? [page] : [];
    });
    return (await Promise.all(loads)).flat();
  }

  /** True if neither added nor removed rows alone explain the shift: then rows may have moved across the anchor. */
  function isUnexplained(shift: number, total: number): boolean {
    const growth = total - anchor.total;
    return shift > 0 ? growth < shift : growth > shift;
  }
}

/** The rows after the first one of the window, which is the anchor's. */
function sliceAfter({ rows, total, moved }: CallLogWindow, position: number): CallLogSlice {
  return { rows: rows.slice(1), total, offset: position + 1, drift: moved };
}
