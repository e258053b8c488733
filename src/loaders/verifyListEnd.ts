// Checks that a list ends where its total says. Some services count only the rows of the page, stop counting at a thousand,
// round, or count their pages from 0. What is known about the service decides what is checked:
// - Nothing known yet: load the last page, where the total puts it. If it is full, load the page after it, too.
// - Proven, and no total of this size can be rounded (`exact`): nothing. A full last page needs `beyondPage` for that, too.
// - Proven, and the total is larger: load the last page if the total is a multiple of ten; load the page after a full one. The
//   total of a list is then known for a while (verifiedLists.ts). Without a request for that, ask how many calls there are at all.
// - Contradicted: as if nothing were known, for every list.
//
// A last page that is not full needs no check: nothing can follow it. A check that fails with a temporary error (timeout, 429,
// 5xx) proves nothing: its own list fails with that error, and other lists run their own check. Only a 5xx for the page behind
// the end counts as the end, because some services answer so.
import { CodedError, type ErrorCode } from "../errors.ts";
import { epochMsOf, instantOf, type Instant } from "../format/instant.ts";
import { NO_FILTER, type CallLogPage, type CallLogQuery } from "../upstream/upstream.ts";
import { rowKey } from "./readWindow.ts";
import { isOverBudget, type CheckRequests } from "./checkRequests.ts";
import { pageAt, pageEnd, pageStart, type PagePosition } from "./pagePlan.ts";
import { resultOrAbort } from "./proof.ts";
import { createProofs, type Proofs } from "./proofs.ts";
import { createVerifiedLists, type VerifiedLists } from "./verifiedLists.ts";
import { DAY_MS } from "../util/durations.ts";

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
export const MAX_OFFSET = 10_000;
export const LIST_ENDS = "list ends";
export const EXACT_TOTALS = "exact totals";
/** The starts of the ranges in which all calls are counted: before any call, and nearer ones if that total is round. */
const EARLIEST = "2000-01-01T00:00:00.000Z";
const NEARER_DAYS = [30, 1];
/** The most requests that `isTotalWrong` needs to prove that lists end rightly: the last page, the next one, and the first. */
export const END_PROOF_REQUESTS = 3;
/** The most requests of the search for an exact total. */
export const COUNT_REQUESTS = 1 + NEARER_DAYS.length;
/** Some services answer a page beyond the end with one of these errors. */
const NO_NEXT_PAGE: ReadonlySet<ErrorCode> = new Set([
  "UPSTREAM_REJECTED",
  "UPSTREAM_CONTRACT",
  "UPSTREAM_UNAVAILABLE",
]);
/** These errors mean that there is no last page where the total puts it. A 5xx does not: it may be temporary. */
const NO_LAST_PAGE: ReadonlySet<ErrorCode> = new Set(["UPSTREAM_REJECTED", "UPSTREAM_CONTRACT"]);

/** For the life of the process. */
export function createListEndVerifier(
  proofs: Proofs = createProofs(),
  lists: VerifiedLists = createVerifiedLists(),
): ListEndVerifier {
  /** Proven when a total of several pages was right. */
  const proof = proofs.of(LIST_ENDS);
  /** Some total was larger than its page, so the service does not merely count the rows of a page. */
  const beyondPage = proofs.of("totals beyond a page");
  /** Proven up to the largest total that is certainly not rounded: not a multiple of ten, and larger than its page or checked. */
  const exact = proofs.of(EXACT_TOTALS);

  async function isLastPageWrong(fetch: Fetch, { query, page, onRight }: Checked): Promise<boolean> {
    const { rows, total } = page;
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
    confirm(total, position);
    onRight();
    return false;
  }
  async function isFollowed(fetch: Fetch, { query, page, onRight }: Checked): Promise<boolean> {
    if (await continuesAfter(fetch, query, page)) return true;
    if (endOf(page) === page.total) onRight();
    return false;
  }
  /** Learns nothing from pages with one row, because the number of such pages looks like a total. */
  function confirm(total: number, { pageIndex, pageSize }: PagePosition): void {
    if (pageSize > 1) noteExact(total);
    if (pageIndex > 1 && pageSize > 1 && !proof.isContradicted()) proof.confirm();
  }
  function noteExact(total: number): void {
    if (total % 10 !== 0) exact.confirm(total);
  }
  /** A multiple of ten may be where the service stops counting, or the result of rounding. */
  function isDoubtful({ total }: CallLogPage, isLastPage: boolean): boolean {
    if (proof.isContradicted()) return true;
    if (!proof.isProven()) return true;
    if (isLastPage) return !beyondPage.isProven() || !exact.isProven(total);
    return total % 10 === 0 && !exact.isProven(total);
  }
  /** A list cannot be longer than the list of all calls: if that one's total is exact, so are all smaller ones. */
  async function askAllCalls(checks: CheckRequests, { until }: CallLogQuery): Promise<boolean> {
    const fetch: Fetch = (query) => checks.listCallLogs(query, "count");
    for (const since of startsBefore(until)) {
      const query = { ...NO_FILTER, since, until, pageIndex: 1, pageSize: 2 };
      const { rows, total } = await fetchOrEmpty(fetch, query, NO_LAST_PAGE);
      if (rows.length === 0 || rows.length >= total) continue;
      const first = { query, page: { ...query, rows, total }, onRight: ignore };
      if (!proof.isProven() && (await isLastPageWrong(fetch, first))) return false;
      if (!proof.isProven()) continue;
      beyondPage.confirm();
      noteExact(total);
      if (exact.isProven(total)) return true;
    }
    return false;
  }
  /** For a list that cannot be checked. A total that is not round is trusted where lists of several pages are. */
  function isStillDoubtful(page: CallLogPage, isLastPage: boolean): boolean {
    const isTrusted = page.total % 10 !== 0 && proof.isProven() && beyondPage.isProven();
    return isDoubtful(page, isLastPage) && !isTrusted;
  }
  async function check(checks: CheckRequests, checked: Checked, isLastPage: boolean): Promise<boolean> {
    const fetch: Fetch = (query) => checks.listCallLogs(query, "end");
    return isLastPage ? isFollowed(fetch, checked) : proof.run(isLastPageWrong(fetch, checked));
  }
  async function isWrongIfDoubtful(checks: CheckRequests, checked: Checked, isLastPage: boolean): Promise<boolean> {
    const { query, page } = checked;
    // Until the first proof, simultaneous lists wait for the check of one of them.
    const inFlight = isLastPage ? null : proof.checkInFlight();
    if (inFlight !== null && !proof.isProven() && !proof.isContradicted()) await resultOrAbort(inFlight, checks.signal);
    if (!isDoubtful(page, isLastPage)) return false;
    if (proof.isContradicted()) return check(checks, checked, isLastPage);
    const list = { check: "end", query, total: page.total };
    return lists.isWrong(list, checks.signal, async (onRight) => {
      try {
        return await check(checks, { query, page, onRight }, isLastPage);
      } catch (error) {
        if (!isOverBudget(error)) throw error;
        const asked = exact.checkInFlight() ?? exact.run(askAllCalls(checks, query));
        await resultOrAbort(asked, checks.signal);
        if (isStillDoubtful(page, isLastPage)) throw error;
        return false;
      }
    });
  }

  return {
    async isTotalWrong(checks, query, page, isRetry) {
      const { rows, total } = page;
      if (rows.length === 0) return false;
      const isLastPage = endOf(page) >= total;
      if (!isLastPage && rows.length > 1) {
        beyondPage.confirm();
        noteExact(total);
      }
      const isFull = rows.length >= Math.min(query.pageSize, page.pageSize);
      const checked = { query, page, onRight: ignore };
      if (isRetry) {
        if ((!isLastPage || isFull) && (await check(checks, checked, isLastPage))) return true;
      } else if ((!isLastPage || isFull) && isDoubtful(page, isLastPage)) {
        if (await isWrongIfDoubtful(checks, checked, isLastPage)) return true;
      }
      if (endOf(page) === total) confirm(total, page);
      return false;
    },
    contradict() {
      for (const each of [proof, beyondPage, exact]) each.contradict();
    },
    isContradicted: proof.isContradicted,
  };
}

interface Checked {
  query: CallLogQuery;
  page: CallLogPage;
  /** Called where the list's total was seen to be right. */
  onRight: () => void;
}

const ignore = () => undefined;

function startsBefore(until: Instant): Instant[] {
  const nearer = NEARER_DAYS.map((days) => instantOf(epochMsOf(until) - days * DAY_MS));
  return [EARLIEST, ...nearer].filter((since) => since < until);
}

/** The position after the page's last row. */
function endOf(page: CallLogPage): number {
  return pageStart(page) + page.rows.length;
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
