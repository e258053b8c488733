// Checks that a list ends where its total says: some services count the rows of the page, stop counting at a thousand, round,
// or count their pages from 0. What is known of the service decides what is checked:
//
//   known                            a total of several pages        a full page that the total calls the last
//   nothing yet                      prove: ask for the last page    ask for the page behind it
//   isProven, total up to exactUpTo  believe                         believe, if countsBeyondPage
//   isProven, total above exactUpTo  prove a multiple of ten         ask for the page behind it
//   isContradicted                   prove                           ask for the page behind it
//
// A last page that is not full is believed: nothing can be behind it. A proof that fails for a while (a timeout, 429, 5xx)
// proves nothing: its own list gets the error, and other lists try their own proof.
import { CodedError, type ErrorCode } from "../errors.ts";
import type { CallLogPage, CallLogQuery } from "../upstream/upstream.ts";
import { rowKey } from "./callLogWindow.ts";
import type { CheckRequests } from "./checkRequests.ts";
import { outcomeOf } from "./outcomeOf.ts";
import { pageEnd, pageAt, pageStart } from "./pagePlan.ts";

type Ask = (query: CallLogQuery) => Promise<CallLogPage>;

export interface ListEndVerifier {
  /**
   * Whether the total of the page is wrong. Asks for nothing where such totals are proven; else for the last page, or for the
   * one behind it. A page that a call came into meanwhile may seem wrong: ask again, with `isAgain`, which proves this very
   * list. Throws what the requests throw, unless it stands for a page beyond the end, and the signal's reason as soon as the
   * asker leaves.
   */
  isTotalWrong(check: CheckRequests, query: CallLogQuery, page: CallLogPage, isAgain: boolean): Promise<boolean>;
  /** To be called where a list was wrong twice: from then on each list is checked. */
  contradict(): void;
  isContradicted(): boolean;
}

/** Behind so many rows a service may refuse to page. */
const DEEPEST = 10_000;
/** What some services answer to a page beyond the end: there is nothing. */
const NO_PAGE_BEHIND: ReadonlySet<ErrorCode> = new Set([
  "UPSTREAM_REJECTED",
  "UPSTREAM_CONTRACT",
  "UPSTREAM_UNAVAILABLE",
]);
/** What shows that there is no last page where the total puts it. A 5xx may pass, and shows nothing. */
const NO_LAST_PAGE: ReadonlySet<ErrorCode> = new Set(["UPSTREAM_REJECTED", "UPSTREAM_CONTRACT"]);

/** For the life of a process. */
export function createListEndVerifier(): ListEndVerifier {
  /** A total was seen to count more than its page. */
  let countsBeyondPage = false;
  /** A total of several pages was right. */
  let isProven = false;
  /** The largest total that shows that the service does not round: no multiple of ten, and seen beyond its page or proven. */
  let exactUpTo = 0;
  /** A list was wrong twice. */
  let isContradicted = false;
  /** Until the first proof, lists that are asked for at once wait for the proof of one of them, and then begin their own. */
  let underWay: Promise<boolean> | null = null;

  async function prove(check: CheckRequests, query: CallLogQuery, page: CallLogPage): Promise<boolean> {
    if (underWay !== null && !isProven && !isContradicted) await outcomeOf(underWay, check.signal);
    if (!needsProof(page.total)) return false;
    const proof = isLastPageWrong(askWith(check), query, page);
    underWay = proof;
    try {
      return await proof;
    } finally {
      if (underWay === proof) underWay = null;
    }
  }
  /** A round total may be where the service stops counting, or what it rounds to. */
  function needsProof(total: number): boolean {
    return isContradicted || !isProven || (total % 10 === 0 && total > exactUpTo);
  }
  async function isLastPageWrong(ask: Ask, query: CallLogQuery, { rows, total }: CallLogPage): Promise<boolean> {
    // A page before the last has as many rows as the service gives, whatever it tells of its size.
    const place = pageAt(total - 1, Math.min(rows.length, query.pageSize));
    const asked = { ...query, ...place };
    if (pageStart(place) >= DEEPEST) return false;
    const last = await pageOrNone(ask, asked, NO_LAST_PAGE);
    if (last.total !== total && last.rows.length > 0) return false;
    if (last.rows.length !== total - pageStart(place)) return true;
    // A service that gives the same page always has as many rows there, and no new one.
    const known = new Set(rows.map(rowKey));
    if (place.pageIndex !== query.pageIndex && last.rows.every((row) => known.has(rowKey(row)))) return true;
    if (pageEnd(place) === total && (await goesOnBehind(ask, asked, last))) return true;
    confirm(total, place.pageIndex);
    return false;
  }
  function confirm(total: number, pages: number): void {
    seeExact(total);
    isProven ||= pages > 1;
  }
  function seeExact(total: number): void {
    if (total % 10 !== 0) exactUpTo = Math.max(exactUpTo, total);
  }
  function askWith(check: CheckRequests): Ask {
    return (query) => check.listCallLogs(query, isContradicted);
  }

  return {
    async isTotalWrong(check, query, page, isAgain) {
      const { rows, total } = page;
      if (rows.length === 0) return false;
      const end = pageStart(page) + rows.length;
      if (end < total) {
        countsBeyondPage = true;
        seeExact(total);
        return isAgain ? isLastPageWrong(askWith(check), query, page) : prove(check, query, page);
      }
      const isFull = rows.length >= Math.min(query.pageSize, page.pageSize);
      const isDoubtful = isAgain || isContradicted || !countsBeyondPage || total > exactUpTo;
      if (isFull && isDoubtful && (await goesOnBehind(askWith(check), query, page))) return true;
      if (end === total) confirm(total, page.pageIndex);
      return false;
    },
    contradict() {
      isContradicted = true;
    },
    isContradicted: () => isContradicted,
  };
}

/** Whether the page behind this one has other rows. Some services repeat the last page there, or the first. */
async function goesOnBehind(ask: Ask, query: CallLogQuery, { rows }: Pick<CallLogPage, "rows">): Promise<boolean> {
  const known = new Set(rows.map(rowKey));
  const behind = await pageOrNone(ask, { ...query, pageIndex: query.pageIndex + 1 }, NO_PAGE_BEHIND);
  if (behind.rows.every((row) => known.has(rowKey(row)))) return false;
  if (query.pageIndex === 1) return true;
  const first = await pageOrNone(ask, { ...query, pageIndex: 1 }, NO_PAGE_BEHIND);
  const atFirst = new Set(first.rows.map(rowKey));
  return !behind.rows.every((row) => atFirst.has(rowKey(row)));
}

async function pageOrNone(
  ask: Ask,
  query: CallLogQuery,
  meansNone: ReadonlySet<ErrorCode>,
): Promise<Pick<CallLogPage, "rows" | "total">> {
  try {
    return await ask(query);
  } catch (error) {
    if (error instanceof CodedError && meansNone.has(error.code)) return { rows: [], total: 0 };
    throw error;
  }
}
