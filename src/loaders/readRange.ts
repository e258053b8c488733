// Reads a time range of the call log page by page while the list changes. Its order is unknown, and rows appear, disappear
// and move between two requests.
//
// A new row pushes others back, so that they are read twice. A row that disappears pulls others forward, past the edge of a
// page that was read already: such a row is missed. The total then shrinks, or fewer rows come than the first total stated,
// and the range is read again. One case is not noticed: one row disappears while another appears between two requests.
// Overlapping searches find such a row later.
import { CodedError } from "../errors.ts";
import type { CallLogPage, CallLogRecord } from "../upstream/upstream.ts";

const MAX_PASSES = 3;

/** `unreadable`: rows that the service has on the page, and that were left out. */
export type ReadablePage = CallLogPage & { unreadable?: number };

export interface RangeReader {
  /** Loads a page by its index, from 1. All pages have the same range and size. */
  loadPage(pageIndex: number): Promise<ReadablePage>;
  /** Receives the rows of each page. A row may come again with other values. */
  addRows(rows: readonly CallLogRecord[]): Promise<void>;
  /** Whether a page with this number of rows may be full, so that more may follow whatever its total states. */
  mayBeFull(rows: number): boolean;
  /** A range with more rows is not read: "tooLong" after the first page. */
  maxRows?: number;
}

/** "incomplete": the pages did not add up after several passes, so calls may be missing. */
export type RangeResult = "complete" | "incomplete" | "tooLong";

/** Requests run one after the other. Throws what `loadPage` and `addRows` throw. */
export async function readRange(reader: RangeReader): Promise<RangeResult> {
  const allKeys = new Set<string>();
  for (let count = 1; count <= MAX_PASSES; count += 1) {
    const before = allKeys.size;
    const pass = await readOnce(reader);
    if (pass === "tooLong") return "tooLong";
    for (const key of pass.keys) allKeys.add(key);
    const { keys, unreadable, rowsRead, firstTotal, hasShrunk } = pass;
    if (!hasShrunk && keys.size + unreadable >= firstTotal) return "complete";
    // The list does not change and another pass finds nothing new. If enough rows came, some calls have two rows.
    if (!hasShrunk && count > 1 && allKeys.size === before) return rowsRead >= firstTotal ? "complete" : "incomplete";
  }
  return "incomplete";
}

interface Pass {
  /** A key for each different row. */
  keys: ReadonlySet<string>;
  /** Rows that were left out. They have no keys, and the total counts them. */
  unreadable: number;
  /** Rows of all pages, repeated ones included. */
  rowsRead: number;
  /** The total that the first page stated. */
  firstTotal: number;
  hasShrunk: boolean;
}

async function readOnce({ loadPage, addRows, mayBeFull, maxRows = Infinity }: RangeReader): Promise<Pass | "tooLong"> {
  const keys = new Set<string>();
  const totals: number[] = [];
  let [rowsRead, unreadable] = [0, 0];
  let pagesWithoutNewRows = 0;
  for (let pageIndex = 1; ; pageIndex += 1) {
    const { rows, total, unreadable: leftOut = 0 } = await loadPage(pageIndex);
    totals.push(total);
    if (pageIndex === 1 && total > maxRows) return "tooLong";
    const before = keys.size;
    for (const row of rows) keys.add(row.sessionId ?? JSON.stringify(row));
    await addRows(rows);

    const size = rows.length + leftOut;
    rowsRead += size;
    unreadable += leftOut;
    pagesWithoutNewRows = keys.size === before ? pagesWithoutNewRows + 1 : 0;
    // A total below the rows that came is wrong and does not end the range. Past the end, a service may repeat its last page.
    const isFull = mayBeFull(size);
    const isEnd = (rowsRead === total && !isFull) || size === 0 || pagesWithoutNewRows === 2;
    if (isEnd)
      return {
        keys,
        unreadable,
        rowsRead,
        firstTotal: totals[0] as number,
        hasShrunk: totals.some(isLessThanBefore),
      };
  }
}

function isLessThanBefore(total: number, index: number, totals: readonly number[]): boolean {
  return index > 0 && total < (totals[index - 1] as number);
}

export type LoadPage = (pageIndex: number, pageSize: number) => Promise<CallLogPage>;

const PARTS = 10;

/**
 * Loads a page without the rows that violate the service's contract, because one such row makes the whole page unreadable.
 * It splits a page of 100 into tens and those into single rows, about 20 requests for one bad row, and calls `onUnreadable`
 * for each bad row. Throws UPSTREAM_CONTRACT if a whole part of ten is unreadable, and whatever else `load` throws.
 */
export async function readPage(
  load: LoadPage,
  pageIndex: number,
  pageSize: number,
  onUnreadable: () => void,
): Promise<ReadablePage> {
  try {
    return await load(pageIndex, pageSize);
  } catch (error) {
    if (!isContractError(error) || pageSize % PARTS !== 0) throw error;
    const parts: (ReadablePage | null)[] = [];
    for (let part = 1; part <= PARTS; part += 1) {
      parts.push(await readPart(load, (pageIndex - 1) * PARTS + part, pageSize / PARTS, onUnreadable));
    }
    const readable = parts.filter((part) => part !== null);
    const [first] = readable;
    if (!first) throw error;
    for (const part of parts) if (!part) onUnreadable();
    const unreadable = parts.reduce((count, part) => count + (part ? (part.unreadable ?? 0) : 1), 0);
    return { ...first, rows: readable.flatMap(({ rows }) => rows), unreadable, pageIndex, pageSize };
  }
}

/** Null for a single row that cannot be read. */
async function readPart(
  load: LoadPage,
  pageIndex: number,
  pageSize: number,
  onUnreadable: () => void,
): Promise<ReadablePage | null> {
  if (pageSize > 1) return readPage(load, pageIndex, pageSize, onUnreadable);
  try {
    return await load(pageIndex, 1);
  } catch (error) {
    if (isContractError(error)) return null;
    throw error;
  }
}

function isContractError(error: unknown): boolean {
  return error instanceof CodedError && error.code === "UPSTREAM_CONTRACT";
}
