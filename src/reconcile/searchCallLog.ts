// One search of the service's call log for ended calls without an event. It can be repeated and interrupted at any moment:
// its progress is stored after each time range.
import { epochMsOf, instantOf } from "../format/instant.ts";
import type { RangeResult } from "../loaders/readRange.ts";
import { createTimeRangeReader } from "../loaders/timeRange.ts";
import type { OpenCall } from "../store/shared/openCallStore.ts";
import { createPacer } from "../util/rates/pacer.ts";
import type { TokenBucketLimits } from "../util/rates/tokenBucket.ts";
import { createRequester } from "../upstream/requester.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { DAY_MS, HOUR_MS } from "../util/durations.ts";
import { createCallReporter, createIgnoredRows, type CallReporterDeps } from "./reportCalls.ts";

export interface SearchDeps extends Omit<CallReporterDeps, "ignoredRows"> {
  upstream: Pick<Upstream, "listCallLogs">;
  /** IANA zone of the service's wall clock. */
  timeZone: string;
  lookbackMs: number;
  /** Requests that catching up may send at once, and then each second. */
  catchUp?: TokenBucketLimits;
}

/** Reads a time range, in epoch milliseconds, unless it has more than `maxRows` rows. */
export type ReadTimeRange = (from: number, to: number, maxRows?: number) => Promise<RangeResult>;

interface ReadLimits {
  maxRows?: number | undefined;
  /** The range ends before now: its requests are paid for. */
  isCatchUp?: boolean;
}

/** Sixty a minute, beside the searches of the last hour. */
const CATCH_UP: TokenBucketLimits = { burst: 60, perSecond: 1 };
/** A search that reaches further into the future was done by a clock that was ahead. */
const MAX_AHEAD_MS = DAY_MS;
/** Calls without an end that one search gives up; the next searches give up the others. */
const MAX_GIVEN_UP = 1000;

/**
 * Requests run one after the other. Resolves with false if the pages of a range did not add up. Throws UPSTREAM_*,
 * STORE_UNAVAILABLE and the signal's reason; the next search continues where this one failed.
 */
export function createSearch(deps: SearchDeps): (signal: AbortSignal) => Promise<boolean> {
  const { upstream, openCalls, timeZone, lookbackMs, clock, log, catchUp = CATCH_UP } = deps;
  const paceCatchUp = createPacer(catchUp);
  // A step as long as the lookback reads no row more than twice while it catches up.
  const stepMs = Math.max(HOUR_MS, lookbackMs);
  const ignoredRows = createIgnoredRows();
  const onUnreadable = () => log.warn({}, "a row of the call log cannot be read, so its call is not appended");
  let openCallIndex = 0;
  const readTimeRange = createTimeRangeReader({ upstream, timeZone, onUnreadable });

  async function read(from: number, to: number, signal: AbortSignal, limits: ReadLimits = {}): Promise<RangeResult> {
    const { maxRows = Infinity, isCatchUp = false } = limits;
    const reporter = createCallReporter({ ...deps, ignoredRows }, instantOf(from));
    // The service is not flooded after a long pause.
    const pay = isCatchUp ? { payRateLimit: () => paceCatchUp(signal) } : {};
    try {
      // `fresh`: a cached answer would hide the newest calls.
      const requester = createRequester({ signal, fresh: true, ...pay });
      return await readTimeRange({ from, to }, { requester, addRows: reporter.addRows, maxRows });
    } finally {
      // Also when a later page fails.
      await reporter.appendMissed();
    }
  }

  return async (signal) => {
    const now = clock();
    const { searchedThrough } = await openCalls.searchState();
    const through = searchedThrough === null ? now : epochMsOf(searchedThrough);
    // What a clock that was ahead has searched is unknown.
    const start = through > now + MAX_AHEAD_MS ? 0 : Math.min(through, now);
    let end = Math.max(start, now - deps.retentionMs);
    let isComplete = true;
    do {
      const next = Math.min(end + stepMs, now);
      const result = await read(end - lookbackMs, next, signal, { isCatchUp: next < now });
      if (result === "incomplete") log.warn({}, "the pages of the call log do not add up; calls may be missing");
      isComplete &&= result !== "incomplete";
      await openCalls.saveSearchState({ searchedThrough: instantOf(next) });
      end = next;
    } while (end < now);

    const open = await openCalls.openCalls();
    const startedBefore = (time: number) => open.filter(({ startAt }) => epochMsOf(startAt) < time);
    const readTimes: ReadTimeRange = (from, to, maxRows) => read(from, to, signal, { maxRows });
    openCallIndex = await searchOpenCalls(startedBefore(now - lookbackMs), now, openCallIndex, readTimes);
    // A call that started before the retention will never end.
    const endless = startedBefore(now - deps.retentionMs).slice(0, MAX_GIVEN_UP);
    await openCalls.delete(endless.map(({ sessionId }) => sessionId));
    return isComplete;
  };
}

/** A range of more rows costs more than 20 requests, too many for each search. */
const MAX_ROWS = 2000;
/** Open calls that one search looks for one by one; the next searches look for the others. */
const CALLS_PER_SEARCH = 20;
const MARGIN_MS = 60_000;

/**
 * Searches for the end of calls that were open in an earlier search and started before the lookback. `calls` are ordered by
 * start. Returns the index to continue with in the next search.
 *
 * Whether the service filters by a call's start or its end is unknown, so the range is from before the start until now. If
 * that has too many rows, only the time around the start is read: a service that filters by the end lists the call in the
 * ordinary search. Only a service that requires both times in the range hides such a call.
 */
export async function searchOpenCalls(
  calls: readonly OpenCall[],
  now: number,
  index: number,
  read: ReadTimeRange,
): Promise<number> {
  const next = index + CALLS_PER_SEARCH < calls.length ? index + CALLS_PER_SEARCH : 0;
  const selected = new Set([...calls.slice(0, 1), ...calls.slice(index, index + CALLS_PER_SEARCH)]);
  for (const { startAt } of selected) {
    const start = epochMsOf(startAt);
    // A range that was read to now holds all later calls too.
    if ((await read(start - MARGIN_MS, now, MAX_ROWS)) !== "tooLong") return next;
    await read(start - MARGIN_MS, start + MARGIN_MS);
  }
  return next;
}
