// Goes on behind a row of the call log, wherever the row is by now. A list that moved has its row in another place: it is
// looked for in what was read, then in the pages around, and where it is in none of them, that is told.
import type { CallLogPage, CallLogRecord } from "../upstream/upstream.ts";
import {
  isPageAt,
  readWindow,
  windowWithin,
  type CallLogFilter,
  type CallLogWindow,
  type LoadPage,
} from "./callLogWindow.ts";
import { pageAt, pageStart } from "./pagePlan.ts";

/** The row that a reader stands behind, as its list was when it was read. */
export interface Anchor {
  /** Rows before and including it. */
  offset: number;
  total: number;
  /** What `nameOf` gave for it. */
  row: string;
}

export interface CallLogSlice {
  rows: readonly CallLogRecord[];
  total: number;
  /** Rows before the first of them. */
  offset: number;
  /** The list moved in a way that could not be followed: rows may be missing or twice. */
  drift: boolean;
}

/**
 * `count` from 1 to 100. The row is part of the window that is asked for, which costs a request more only where no page
 * holds both; where the list moved, at most six more for its pages' own size. Throws as readWindow does.
 */
export async function readAfter(
  load: LoadPage,
  filter: CallLogFilter,
  anchor: Anchor,
  count: number,
  nameOf: (row: CallLogRecord) => string,
): Promise<CallLogSlice> {
  const expected = anchor.offset - 1;
  const window = await readWindow(load, filter, expected, count + 1);
  const inPlace = sliceBehind(window, expected);
  if (isAnchor(window.rows[0])) return inPlace;

  const inSight = placeIn(window.pages);
  const pages = inSight === null ? await pagesAround(window) : window.pages;
  const found = inSight ?? placeIn(pages);
  if (found === null) return { ...inPlace, drift: true };
  const again = windowWithin(pages, found, count + 1) ?? (await readWindow(load, filter, found, count + 1));
  const slice = sliceBehind(again, found);
  return { ...slice, drift: slice.drift || !isAnchor(again.rows[0]) || isJump(found - expected, again.total) };

  function isAnchor(row: CallLogRecord | undefined): boolean {
    return row !== undefined && nameOf(row) === anchor.row;
  }

  /** Null where it is not there, and where it cannot be told from its equals. */
  function placeIn(pages: readonly CallLogPage[]): number | null {
    const places = pages.flatMap((page) =>
      page.rows.flatMap((row, at) => (isAnchor(row) ? [pageStart(page) + at] : [])),
    );
    const [place, other] = new Set(places);
    return place === undefined || other !== undefined ? null : place;
  }

  /** The page before, the page behind, and the page where the row is if the list only grew or shrank before it. */
  async function pagesAround({ total, maxPageSize: size }: CallLogWindow): Promise<CallLogPage[]> {
    const shifted = expected + total - anchor.total;
    const places = [expected, expected - size, expected + size, shifted].filter((at) => at >= 0 && at < total);
    const asked = new Map(places.map((at) => [pageAt(at, size).pageIndex, pageAt(at, size)]));
    const around = [...asked.values()].map(async (place) => {
      const page = await load({ ...filter, ...place });
      return isPageAt(page, place) ? [page] : [];
    });
    return (await Promise.all(around)).flat();
  }

  /** True where neither rows that came nor rows that went explain it alone: then some may have crossed the anchor. */
  function isJump(shift: number, total: number): boolean {
    const growth = total - anchor.total;
    return shift > 0 ? growth < shift : growth > shift;
  }
}

/** Without the row it stands behind. */
function sliceBehind({ rows, total, moved }: CallLogWindow, place: number): CallLogSlice {
  return { rows: rows.slice(1), total, offset: place + 1, drift: moved };
}
