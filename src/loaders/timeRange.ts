// Reads everything that the service's call log has of a time range. Rows that violate the service's contract are left out.
import { searchWindow } from "../format/searchWindow.ts";
import type { Requester } from "../upstream/requester.ts";
import { MAX_PAGE_SIZE, NO_FILTER, type CallLogPage, type CallLogQuery, type Upstream } from "../upstream/upstream.ts";
import { readPage, readRange, type RangeReader, type RangeResult } from "./readRange.ts";

/** Epoch milliseconds. */
export interface TimeRange {
  from: number;
  to: number;
}

export interface TimeRangeRead extends Pick<RangeReader, "addRows" | "maxRows"> {
  /** It must be `fresh`: a cached answer would hide how the list changes between two requests. */
  requester: Requester;
  /** Throws for a page that contradicts its query. */
  check?: (query: CallLogQuery, page: CallLogPage) => Promise<void>;
}

export interface TimeRangeReaderDeps {
  upstream: Pick<Upstream, "listCallLogs">;
  /** IANA zone of the service's wall clock. */
  timeZone: string;
  /** Called for each row that is left out. */
  onUnreadable: () => void;
}

/** Rows just outside the range may come, too (format/searchWindow.ts). Requests run one after the other. Throws as readRange does. */
export type ReadTimeRange = (range: TimeRange, read: TimeRangeRead) => Promise<RangeResult>;

/** The page size where none is requested (section 8). No service is expected to send smaller full pages. */
const MIN_FULL_PAGE = 10;

export function createTimeRangeReader({ upstream, timeZone, onUnreadable }: TimeRangeReaderDeps): ReadTimeRange {
  /** Rows of the largest page so far. A page with fewer rows is not full, whatever page size the service states. */
  let largestPage = MIN_FULL_PAGE;
  const mayBeFull = (rows: number) => (largestPage = Math.max(largestPage, rows)) === rows;

  return ({ from, to }, { requester, check, addRows, maxRows = Infinity }) => {
    const range = { ...NO_FILTER, ...searchWindow(from, to, timeZone) } satisfies Partial<CallLogQuery>;
    const request = (pageIndex: number, pageSize: number) =>
      upstream.listCallLogs({ ...range, pageIndex, pageSize }, requester);
    const loadPage = async (pageIndex: number) => {
      const page = await readPage(request, pageIndex, MAX_PAGE_SIZE, onUnreadable);
      await check?.({ ...range, pageIndex, pageSize: MAX_PAGE_SIZE }, page);
      return page;
    };
    return readRange({ loadPage, addRows, mayBeFull, maxRows });
  };
}
