// What the address of the Statistics view holds: a range of time and filters.
import { idsOf, reasonOf, type Reason } from "../../data/filterSearch.ts";
import type { CallEndedFilter } from "../../gql/graphql.ts";
import { readRange, type RangeName, type RangeSearch, type TimeSpan } from "../../ui/timeRange/timeRange.ts";

export interface StatisticsSearch extends RangeSearch {
  direction?: "outbound" | "inbound";
  /** IDs, comma-separated. */
  task?: string;
  assistant?: string;
  reason?: Reason;
}

export const FALLBACK: RangeName = "24h";

/** Values that the console does not know are left out. */
export function readStatisticsSearch(search: Record<string, unknown>): StatisticsSearch {
  const { direction } = search;
  const reason = reasonOf(search["reason"]);
  const [task, assistant] = [idsOf(search["task"]).join(","), idsOf(search["assistant"]).join(",")];
  return {
    ...readRange(search),
    ...((direction === "outbound" || direction === "inbound") && { direction }),
    ...(task !== "" && { task }),
    ...(assistant !== "" && { assistant }),
    ...(reason !== undefined && { reason }),
  };
}

/** The filter without its range. */
export function filterOf({ direction, task, assistant, reason }: StatisticsSearch): CallEndedFilter {
  return {
    ...(direction && { direction: direction === "outbound" ? ("OUTBOUND" as const) : ("INBOUND" as const) }),
    ...(task !== undefined && { taskIds: idsOf(task) }),
    ...(assistant !== undefined && { assistantIds: idsOf(assistant) }),
    ...(reason !== undefined && { hangupReasons: [reason] }),
  };
}

/** A span that has ended or goes on until now, with both ends. */
export interface ClosedSpan {
  since: string;
  until: string;
}

const DAY = 86_400_000;

/**
 * The range that is counted, and the one before with which it is compared. Both are as long. Today is compared with the same
 * hours of yesterday, anything else with what directly precedes it.
 */
export function comparedSpans({ range }: RangeSearch, { since, until }: TimeSpan, now: number) {
  const end = until === null ? now : Date.parse(until);
  const start = Date.parse(since);
  const shift = range === "today" ? DAY : Math.max(1000, end - start);
  const span = (from: number, to: number): ClosedSpan => ({ since: instant(from), until: instant(to) });
  return { current: span(start, end), before: span(start - shift, end - shift) };
}

const instant = (ms: number): string => new Date(ms).toISOString();
