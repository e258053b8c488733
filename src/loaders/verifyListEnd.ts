// Checks that a list ends where its total says. Some services count only the rows of the page, stop counting at a thousand,
// round, or count their pages from 0. What is known about the service decides what is checked:
// - Nothing known yet: load the last page, where the total puts it. If it is full, load the page after it, too.
// - Proven, and the total is at most `largestExactTotal`: nothing. A full last page needs `countsBeyondPage` for that, too.
// - Proven, and the total is larger: load the last page if the total is a multiple of ten; load the page after a full one.
// - Contradicted: as if nothing were known, for every list.
//
// A last page that is not full needs no check: nothing can follow it. A check that fails with a temporary error (timeout, 429,
// 5xx) proves nothing: its own list fails with that error, and other lists run their own check. Only a 5xx for the page behind
// the end counts as the end, because some services answer so.
import { CodedError, type ErrorCode } from "../errors.ts";
import type { CallLogPage, CallLogQuery } from "../upstream/upstream.ts";
import { rowKey } from "./callLogWindow.ts";
import type { CheckRequests } from "./checkRequests.ts";
import { pageAt, pageEnd, pageStart } from "./pagePlan.ts";
import { createProof, resultOrAbort } from "./proof.ts";

type Fetch = (query: CallLogQuery) => Promise<CallLogPage>;

export interface ListEndVerifier {
  /**
   * Whether the total of the page is wrong. A call that was added meanwhile may look like a wrong total, so the caller loads the
   * page again and passes `isRetry`, which checks this very list. Throws the errors of the requests, except those that mean
   * that there is no such page. Throws the signal's reason as soon as the caller leaves.
   */
  isTotalWrong(checks: CheckRequests, query: CallLogQuery, page: CallLogPage, isRetry: boolean): Promise<boolean>;
  /** Call it when a list was wrong twice: from then on each list is checked. */
  contradict(): void;
  isContradicted(): boolean;
}

/** A service may refuse pages beyond this many rows, so they are not checked. */
const MAX_OFFSET = 10_000;
/** Some services answer a page beyond the end with one of these errors. */
const NO_NEXT_PAGE: ReadonlySet<ErrorCode> = new Set([
  "UPSTREAM_REJECTED",
  "UPSTREAM_CONTRACT",
  "UPSTREAM_UNAVAILABLE",
]);
/** These errors mean that there is no last page where the total puts it. A 5xx does not: it may be temporary. */
const NO_LAST_PAGE: ReadonlySet<ErrorCode> = new Set(["UPSTREAM_REJECTED", "UPSTREAM_CONTRACT"]);

/** For the life of the process. */
export function createListEndVerifier(): ListEndVerifier {
  /** Proven when a total of several pages was right. */
  const proof = createProof();
  /** Some total was larger than its page, so the service does not merely count the rows of a page. */
  let countsBeyondPage = false;
  /** The largest total that is certainly not rounded: not a multiple of ten, and larger than its page or checked. */
  let largestExactTotal = 0;

  async function check(checks: CheckRequests, query: CallLogQuery, page: CallLogPage): Promise<boolean> {
    // Until the first proof, simultaneous lists wait for the check of one of them.
    const inFlight = proof.checkInFlight();
    if (inFlight !== null && !proof.isProven() && !proof.isContradicted()) await resultOrAbort(inFlight, checks.signal);
    return needsCheck(page.total) && proof.run(isLastPageWrong(fetchWith(checks), query, page));
  }
  /** A multiple of ten may be where the service stops counting, or the result of rounding. */
  function needsCheck(total: number): boolean {
    return proof.isContradicted() || !proof.isProven() || (total % 10 === 0 && total > largestExactTotal);
  }
  async function isLastPageWrong(fetch: Fetch, query: CallLogQuery, { rows, total }: CallLogPage): Promise<boolean> {
    // The rows of a page before the last show the service's real page size.
    const position = pageAt(total - 1, Math.min(rows.length, query.pageSize));
    const lastQuery = { ...query, ...position };
    if (pageStart(position) >= MAX_OFFSET) return false;
    const last = await fetchOrEmpty(fetch, lastQuery, NO_LAST_PAGE);
    // The total changed between the two requests, so it cannot be checked.
    if (last.total !== total && last.rows.length > 0) return false;
    if (last.rows.length !== total - pageStart(position)) return true;
    // A service that returns the same page for any pageIndex has enough rows there, but no new one.
    const known = new Set(rows.map(rowKey));
    if (position.pageIndex !== query.pageIndex && last.rows.every((row) => known.has(rowKey(row)))) return true;
    if (pageEnd(position) === total && (await continuesAfter(fetch, lastQuery, last))) return true;
    confirm(total, position.pageIndex);
    return false;
  }
  function confirm(total: number, pages: number): void {
    noteExact(total);
    if (pages > 1 && !proof.isContradicted()) proof.confirm();
  }
  function noteExact(total: number): void {
    if (total % 10 !== 0) largestExactTotal = Math.max(largestExactTotal, total);
  }
  function fetchWith(checks: CheckRequests): Fetch {
    return (query) => checks.listCallLogs(query, proof.isContradicted());
  }

  return {
    async isTotalWrong(checks, query, page, isRetry) {
      const { rows, total } = page;
      if (rows.length === 0) return false;
      const end = pageStart(page) + rows.length;
      if (end < total) {
        countsBeyondPage = true;
        noteExact(total);
        return isRetry ? isLastPageWrong(fetchWith(checks), query, page) : check(checks, query, page);
      }
      const isFull = rows.length >= Math.min(query.pageSize, page.pageSize);
      const isDoubtful = isRetry || proof.isContradicted() || !countsBeyondPage || total > largestExactTotal;
      if (isFull && isDoubtful && (await continuesAfter(fetchWith(checks), query, page))) return true;
      if (end === total) confirm(total, page.pageIndex);
      return false;
    },
    contradict: proof.contradict,
    isContradicted: proof.isContradicted,
  };
}

/** Whether the next page has other rows. Beyond the end, some services repeat the last page or the first. */
async function continuesAfter(
  fetch: Fetch,
  query: CallLogQuery,
  { rows }: Pick<CallLogPage, "rows">,
): Promise<boolean> {
  const known = new Set(rows.map(rowKey));
  const next = await fetchOrEmpty(fetch, { ...query, pageIndex: query.pageIndex + 1 }, NO_NEXT_PAGE);
  if (next.rows.every((row) => known.has(rowKey(row)))) return false;
  if (query.pageIndex === 1) return true;
  const first = await fetchOrEmpty(fetch, { ...query, pageIndex: 1 }, NO_NEXT_PAGE);
  const onFirst = new Set(first.rows.map(rowKey));
  return !next.rows.every((row) => onFirst.has(rowKey(row)));
}

async function fetchOrEmpty(
  fetch: Fetch,
  query: CallLogQuery,
  meansEmpty: ReadonlySet<ErrorCode>,
): Promise<Pick<CallLogPage, "rows" | "total">> {
  try {
    return await fetch(query);
  } catch (error) {
    if (error instanceof CodedError && meansEmpty.has(error.code)) return { rows: [], total: 0 };
    throw error;
  }
}
