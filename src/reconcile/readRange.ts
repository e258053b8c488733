// Reads a range of the call log, page by page, while the list moves: its order is not known, and rows come, go and change
// their places between two requests.
//
// What comes pushes rows back, so that they are met twice. What goes lets others move up, over the edge of a page that
// was read already: such a row is missed. It shows in a total that shrank, or in fewer rows than there were at first, and
// then all is read again. What does not show is one row that goes while another comes between the same two requests, and
// what comes where it was read already. Both are found by a later search: each overlaps the one before it, so that a row
// is looked for again for as long as the overlap is.
import type { CallLogPage, CallLogRecord } from "../upstream/upstream.ts";

const MOST_PASSES = 3;

export interface RangeReader {
  /** The page of this index, from 1, each time of the same range and size. */
  loadPage(pageIndex: number): Promise<CallLogPage>;
  /** Each page's rows as they come; a row may come again, and otherwise than before. */
  addRows(rows: readonly CallLogRecord[]): Promise<void>;
  /** Whether a page of so many rows may be all that a page holds: others may be behind it, whatever its total says. */
  mayBeFull(rows: number): boolean;
  /** Rows above which the range is not read; only the first page was asked for then. */
  maxRows?: number;
}

/** `doubtful`: its pages did not add up, however often they were read, and calls may be missing. Requests go one after the other. */
export type RangeResult = "whole" | "doubtful" | "tooLong";

/** A stretch of time, in epoch milliseconds, and the rows above which it is not read. */
export type ReadTimeRange = (from: number, to: number, mostRows?: number) => Promise<RangeResult>;

export async function readRange(reader: RangeReader): Promise<RangeResult> {
  const met = new Set<string>();
  for (let count = 1; count <= MOST_PASSES; count += 1) {
    const before = met.size;
    const pass = await readOnce(reader);
    if (pass === "tooLong") return "tooLong";
    for (const key of pass.keys) met.add(key);
    const { keys, read, firstTotal, shrank } = pass;
    if (!shrank && keys.size >= firstTotal) return "whole";
    // Nothing moves, and reading on finds no more. Where as many rows came, sessions stand in two of them.
    if (!shrank && count > 1 && met.size === before) return read >= firstTotal ? "whole" : "doubtful";
  }
  return "doubtful";
}

interface Pass {
  keys: ReadonlySet<string>;
  /** Rows that came, those that came twice counted twice. */
  read: number;
  /** Rows in the range when the reading began. */
  firstTotal: number;
  shrank: boolean;
}

async function readOnce({
  loadPage: load,
  addRows: take,
  mayBeFull,
  maxRows: mostRows = Infinity,
}: RangeReader): Promise<Pass | "tooLong"> {
  const keys = new Set<string>();
  const totals: number[] = [];
  let read = 0;
  let pagesWithoutNews = 0;
  for (let pageIndex = 1; ; pageIndex += 1) {
    const { rows, total } = await load(pageIndex);
    totals.push(total);
    if (pageIndex === 1 && total > mostRows) return "tooLong";
    const before = keys.size;
    for (const row of rows) keys.add(row.sessionId ?? JSON.stringify(row));
    await take(rows);

    read += rows.length;
    pagesWithoutNews = keys.size === before ? pagesWithoutNews + 1 : 0;
    // A total that is less than what was read is wrong, and no end. Beyond its end a list may give its last page for ever.
    const isFull = mayBeFull(rows.length);
    const isEnd = (read === total && !isFull) || rows.length === 0 || pagesWithoutNews === 2;
    if (isEnd) return { keys, read, firstTotal: totals[0] as number, shrank: totals.some(isLessThanBefore) };
  }
}

function isLessThanBefore(total: number, index: number, totals: readonly number[]): boolean {
  return index > 0 && total < (totals[index - 1] as number);
}
