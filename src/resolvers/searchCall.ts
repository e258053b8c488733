// Searches the service's list for one call, because the service cannot look up a session. It reads a range page by page with
// a bounded number of requests. "Not found" is only returned for a range that was read completely.
import { CodedError } from "../errors.ts";
import { searchWindow } from "../format/searchWindow.ts";
import { contractError } from "../upstream/serviceResponse.ts";
import { MAX_PAGE_SIZE, NO_FILTER, type CallLogRecord } from "../upstream/upstream.ts";
import type { Context } from "./context.ts";

/** In epoch milliseconds. */
export interface SearchRange {
  from: number;
  to: number;
  /** The most likely time of the call: it is searched first where the range has too many calls. */
  near: number;
}

/** Calls are not spread evenly, so the second range is planned for this share of what the requests could read. */
const PLANNED_SHARE = 0.5;

type SearchContext = Pick<Context, "loaders" | "serviceTimeZone">;

/** Requests are sent one after the other, until the call is found. Throws UPSTREAM_*, and QUERY_TOO_COMPLEX. */
export async function searchCall(
  sessionId: string,
  range: SearchRange,
  maxRequests: number,
  context: SearchContext,
): Promise<CallLogRecord | null> {
  const whole = await searchRange(sessionId, range, { maxRequests, maxPages: maxRequests }, context);
  if (whole.row || whole.isComplete) return whole.row;
  const left = maxRequests - whole.requests;
  // Where the first page shows that the range has too many calls, the other requests search around the most likely time.
  const isTooLong = whole.requests === 1 && left > 0;
  if (!isTooLong) throw tooManyCalls(maxRequests);
  const closer = narrowRange(range, Math.min(1, (PLANNED_SHARE * left * whole.pageSize) / whole.total));
  const close = await searchRange(sessionId, closer, { maxRequests: left, maxPages: Infinity }, context);
  if (close.row) return close.row;
  throw tooManyCalls(maxRequests);
}

interface SearchResult {
  row: CallLogRecord | null;
  /** All rows that the range had when the search began were read. */
  isComplete: boolean;
  requests: number;
  total: number;
  pageSize: number;
}

interface SearchLimits {
  maxRequests: number;
  /** If the range has more pages, only the first is read. */
  maxPages: number;
}

async function searchRange(
  sessionId: string,
  { from, to }: SearchRange,
  { maxRequests, maxPages }: SearchLimits,
  { loaders, serviceTimeZone }: SearchContext,
): Promise<SearchResult> {
  const query = { ...NO_FILTER, ...searchWindow(from, to, serviceTimeZone), pageSize: MAX_PAGE_SIZE };
  const seen = new Set<string>();
  let first: { total: number; pageSize: number } | undefined;
  let [read, unnamed, shrank, last] = [0, 0, false, 0];
  for (let requests = 1; ; requests += 1) {
    const { rows, total, pageSize } = await loaders.callLogPages.load({ ...query, pageIndex: requests });
    // The rows are counted, because some services give fewer than their pageSize says.
    first ??= { total, pageSize: Math.max(rows.length, 1) };
    const row = rows.find((each) => each.sessionId === sessionId);
    if (row) return { row, isComplete: true, requests, ...first };
    const seenBefore = seen.size;
    for (const each of rows) {
      if (each.sessionId === null) unnamed += 1;
      else seen.add(each.sessionId);
    }
    read += rows.length;
    shrank ||= total < last;
    last = total;
    // Some services repeat a page behind the end of the list.
    const isRepeated = requests > 1 && seen.size === seenBefore && rows.every((each) => each.sessionId !== null);
    if (read > total && !shrank && !isRepeated)
      throw contractError("The service's call log goes on behind its end: see total.");
    // Behind a full page there may be more rows, even if total says that it is the last.
    const isFull = rows.length >= Math.min(MAX_PAGE_SIZE, pageSize);
    const isEnd = rows.length === 0 || isRepeated || (read >= total && !isFull);
    // A repeated row means that rows moved, and a row that left may have hidden another.
    const isComplete = isEnd && !shrank && seen.size + unnamed >= first.total;
    const isTooLong = Math.ceil(first.total / first.pageSize) > maxPages;
    if (isEnd || isTooLong || requests === maxRequests) return { row: null, isComplete, requests, ...first };
  }
}

/** The given share of the range, around its most likely time. */
function narrowRange({ from, to, near }: SearchRange, share: number): SearchRange {
  const half = Math.ceil(((to - from) * share) / 2);
  return { from: Math.max(from, near - half), to: Math.min(to, near + half), near };
}

function tooManyCalls(maxRequests: number): CodedError {
  return new CodedError(
    "QUERY_TOO_COMPLEX",
    `The service's list has too many calls around that time, or changes too fast, for a search of ${maxRequests} requests: give around.`,
  );
}
