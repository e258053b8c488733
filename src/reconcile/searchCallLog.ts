// One search of the call log for ended calls of which no event came. What it does twice does no harm, and it may be left
// at any moment: how far it came is kept stretch by stretch.
import { instantOf } from "../format/instant.ts";
import { createRequester } from "../upstream/requester.ts";
import type { CallLogQuery, Upstream } from "../upstream/upstream.ts";
import { lookForOpenCalls } from "./lookForOpenCalls.ts";
import { readPage } from "./readPage.ts";
import { readRange, type RangeResult } from "./readRange.ts";
import { searchWindow } from "../format/searchWindow.ts";
import { createCallReporter, type CallReporterDeps } from "./reportCalls.ts";

export interface SearchDeps extends CallReporterDeps {
  upstream: Pick<Upstream, "listCallLogs">;
  /** IANA zone of the service's wall clock. */
  timeZone: string;
  lookbackMs: number;
}

const HOUR = 3_600_000;
/** The service's largest page (section 8). */
const PAGE = 100;
/** The size of its pages where none is asked for: it will hardly give smaller ones. */
const DEFAULT_PAGE = 10;
/** Of calls that never end; the others have their turn in the next searches. */
const FORGOTTEN_AT_ONCE = 1000;
const NO_FILTER = { taskIds: [], assistantIds: [], direction: null, phone: null, kind: null } as const;

/**
 * Requests go one after the other. Throws UPSTREAM_*, STORE_UNAVAILABLE and the signal's reason: then the next search
 * begins where this one failed.
 */
export function createSearch(deps: SearchDeps): (signal: AbortSignal) => Promise<void> {
  const { upstream, openCalls, timeZone, lookbackMs, clock, log } = deps;
  // As far as an ordinary search looks back, so that catching up reads nothing more than twice.
  const step = Math.max(HOUR, lookbackMs);
  const tellUnreadable = () => log.warn({}, "a row of the call log cannot be read: its call is not told");
  let turn = 0;
  /** Rows of the largest page that ever came: a smaller one is not full, whatever the service tells of its pages. */
  let largestPage = DEFAULT_PAGE;
  const mayBeFull = (rows: number) => (largestPage = Math.max(largestPage, rows)) === rows;

  async function read(from: number, to: number, signal: AbortSignal, mostRows = Infinity): Promise<RangeResult> {
    const range = { ...NO_FILTER, ...searchWindow(from, to, timeZone) } satisfies Partial<CallLogQuery>;
    const teller = createCallReporter(deps, instantOf(from));
    try {
      // What the list says now is the question: an answer that is kept would hide the newest calls.
      const asker = createRequester({ signal, fresh: true });
      const ask = (pageIndex: number, pageSize: number) =>
        upstream.listCallLogs({ ...range, pageIndex, pageSize }, asker);
      const load = (pageIndex: number) => readPage(ask, pageIndex, PAGE, tellUnreadable);
      return await readRange({ loadPage: load, addRows: teller.addRows, mayBeFull, maxRows: mostRows });
    } finally {
      // What was found is told, also where a later page fails.
      await teller.appendMissed();
    }
  }

  return async (signal) => {
    const now = clock();
    const { searchedThrough } = await openCalls.searchState();
    const kept = searchedThrough === null ? now : Math.min(Date.parse(searchedThrough), now);
    let end = Math.max(kept, now - deps.retentionMs);
    do {
      const next = Math.min(end + step, now);
      const reading = await read(end - lookbackMs, next, signal);
      if (reading === "doubtful") log.warn({}, "pages of the call log do not add up; calls may be missing");
      await openCalls.saveSearchState({ searchedThrough: instantOf(next) });
      end = next;
    } while (end < now);

    const open = await openCalls.openCalls();
    const beganBefore = (at: number) => open.filter(({ startAt }) => Date.parse(startAt) < at);
    const earlier = beganBefore(now - lookbackMs);
    turn = await lookForOpenCalls(earlier, now, turn, (from, to, mostRows) => read(from, to, signal, mostRows));
    // No call takes so long: the service will never end it.
    const endless = beganBefore(now - deps.retentionMs).slice(0, FORGOTTEN_AT_ONCE);
    await openCalls.delete(endless.map(({ sessionId }) => sessionId));
  };
}
