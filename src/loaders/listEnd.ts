// Checks that a list ends where its total says: some services count the rows of the page, stop counting at a thousand, or
// count their pages from 0. A full page that the total calls the last one is believed only where nothing is behind it, and
// a total of several pages only where one was seen to lead to the last row.
import { CodedError, type ErrorCode } from "../errors.ts";
import type { CallLogPage, CallLogQuery } from "../upstream/upstream.ts";
import { rowName } from "./callLogWindow.ts";
import { endOf, pageAt, startOf } from "./pagePlan.ts";

type Ask = (query: CallLogQuery) => Promise<CallLogPage>;

export interface ListEnds {
  /**
   * Whether the total of the page is wrong. Asks for nothing where such totals are proven; else for the last page, or for the
   * one behind it. A page that a call came into meanwhile may seem wrong: ask again. Throws what `ask` throws, unless it
   * stands for a page beyond the end.
   */
  isWrong(ask: Ask, query: CallLogQuery, page: CallLogPage): Promise<boolean>;
}

/** Behind so many rows a service may refuse to page. */
const DEEPEST = 10_000;
/** What some services answer to a page beyond the end: there is nothing. */
const NO_PAGE: ReadonlySet<ErrorCode> = new Set(["UPSTREAM_REJECTED", "UPSTREAM_CONTRACT", "UPSTREAM_UNAVAILABLE"]);

/** For the life of a process. */
export function createListEnds(): ListEnds {
  /** Totals were seen to count more than their page. */
  let countsBeyondPage = false;
  /** A total of several pages was right. */
  let isProven = false;
  /** The largest total that was right. */
  let confirmed = 0;
  /** A total was no multiple of ten: the service does not round. */
  let isExact = false;
  let isContradicted = false;
  /** Lists that are asked for at once wait for the proof of one of them. */
  let proving: Promise<unknown> | null = null;

  async function endsWrong(ask: Ask, query: CallLogQuery, page: CallLogPage): Promise<boolean> {
    const { rows, total } = page;
    const end = startOf(page) + rows.length;
    countsBeyondPage ||= total > end;
    isExact ||= total % 10 !== 0;
    if (end < total) return prove(ask, query, page);
    const isFull = rows.length >= Math.min(query.pageSize, page.pageSize);
    const isDoubtful = isContradicted || !countsBeyondPage || !isExact || total > confirmed;
    if (isFull && isDoubtful && (await goesOnBehind(ask, query, page))) return true;
    if (end === total) confirm(total, page.pageIndex);
    return false;
  }
  /** A round total may be where the service stops counting. */
  function needsProof(total: number): boolean {
    return isContradicted || !isProven || (total > confirmed && /^[1-9]0{2,}$/.test(String(total)));
  }
  async function prove(ask: Ask, query: CallLogQuery, page: CallLogPage): Promise<boolean> {
    if (!needsProof(page.total)) return false;
    if (proving !== null) {
      await proving.catch(() => undefined);
      return prove(ask, query, page);
    }
    const proof = isLastPageWrong(ask, query, page);
    proving = proof;
    try {
      return await proof;
    } finally {
      proving = null;
    }
  }
  async function isLastPageWrong(ask: Ask, query: CallLogQuery, { rows, total }: CallLogPage): Promise<boolean> {
    // A page before the last has as many rows as the service gives, whatever it tells of its size.
    const place = pageAt(total - 1, Math.min(rows.length, query.pageSize));
    const asked = { ...query, ...place };
    if (startOf(place) >= DEEPEST) return false;
    const last = await pageOrNone(ask, asked);
    if (last.total !== total && last.rows.length > 0) return false;
    if (last.rows.length !== total - startOf(place)) return true;
    if (endOf(place) === total && (await goesOnBehind(ask, asked, last))) return true;
    confirm(total, place.pageIndex);
    return false;
  }
  function confirm(total: number, pages: number): void {
    confirmed = Math.max(confirmed, total);
    isProven ||= pages > 1;
  }

  return {
    async isWrong(ask, query, page) {
      if (page.rows.length === 0) return false;
      const isWrong = await endsWrong(ask, query, page);
      isContradicted ||= isWrong;
      return isWrong;
    },
  };
}

/** Whether the page behind this one has other rows. Some services repeat the last page there, or the first. */
async function goesOnBehind(ask: Ask, query: CallLogQuery, { rows }: Pick<CallLogPage, "rows">): Promise<boolean> {
  const known = new Set(rows.map(rowName));
  const behind = await pageOrNone(ask, { ...query, pageIndex: query.pageIndex + 1 });
  if (behind.rows.every((row) => known.has(rowName(row)))) return false;
  if (query.pageIndex === 1) return true;
  const first = await pageOrNone(ask, { ...query, pageIndex: 1 });
  const atFirst = new Set(first.rows.map(rowName));
  return !behind.rows.every((row) => atFirst.has(rowName(row)));
}

async function pageOrNone(ask: Ask, query: CallLogQuery): Promise<Pick<CallLogPage, "rows" | "total">> {
  try {
    return await ask(query);
  } catch (error) {
    if (error instanceof CodedError && NO_PAGE.has(error.code)) return { rows: [], total: 0 };
    throw error;
  }
}
