// Tells when the service ignored a filter, as it would a parameter that it spells in another way: its rows then contradict
// the query, and are other people's calls. What a row does not show contradicts nothing; whether the service looks at such a
// filter at all, verifyFilter.ts finds out.
import type { RangeField } from "../config/listConfig.ts";
import { epochMsOf, type Instant } from "../format/instant.ts";
import { wallClockOf } from "../format/wallClock.ts";
import { CodedError } from "../errors.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../upstream/upstream.ts";
import { contradictsPhone } from "./phoneFilter.ts";

export interface RangeRules {
  /** IANA zone of the service's wall clock. */
  timeZone: string;
  /** The time that a range filters (UPSTREAM_RANGE_FIELD); null: not known. */
  rangeField: RangeField | null;
}

/** Clocks of one service differ by this, and it may cut or round fractions. */
const TOLERANCE_MS = 5000;
/** A service may filter by when it wrote a row, which is some time after the call's end. */
export const LATE_ROW_MS = 15 * 60_000;
/** A service may count a call that goes on as one that ends now. */
const LONGEST_CALL_MS = 3 * 3_600_000;

type Contradicts = (row: CallLogRecord) => boolean;

/** By the filter's name in the graph; null: the query does not filter so. What a row leaves out contradicts nothing. */
function contradictionsTo(query: CallLogQuery, rules: RangeRules): [string, Contradicts | null][] {
  const { taskIds, direction, phone, assistantIds, since, until } = query;
  return [
    // Inbound calls belong to no task (service.md, section 6, rule 1).
    [
      "taskIds",
      taskIds.length === 0
        ? null
        : (row) => (row.taskId === null ? row.direction === "inbound" : !taskIds.includes(row.taskId)),
    ],
    ["direction", direction === null ? null : (row) => row.direction !== null && row.direction !== direction],
    [
      "phone",
      phone === null
        ? null
        : ({ caller, callee }) => contradictsPhone(phone, caller) && contradictsPhone(phone, callee),
    ],
    [
      "assistantIds",
      assistantIds.length === 0
        ? null
        : ({ assistants, unread }) =>
            assistants.length > 0 &&
            !assistants.some(({ assistantId }) => assistantIds.includes(assistantId)) &&
            // The one that was asked for may be among those that could not be read.
            !unread.some(({ field }) => field.startsWith("assistants")),
    ],
    ["since", isBefore(since, rules)],
    ["until", isBehind(until, rules)],
  ];
}

/** The page itself. Throws UPSTREAM_FILTER_IGNORED, naming the filter, where a row contradicts the query. */
export function checkRowsMatch(query: CallLogQuery, page: CallLogPage, rules: RangeRules): CallLogPage {
  for (const [name, contradicts] of contradictionsTo(query, rules)) {
    if (contradicts !== null && isTrueOfAny(page.rows, contradicts)) throw filterIgnoredError(name);
  }
  return page;
}

/** Whether one of the rows contradicts this filter of the query. */
export function hasContradiction(
  name: string,
  query: CallLogQuery,
  rows: readonly CallLogRecord[],
  rules: RangeRules,
): boolean {
  return contradictionsTo(query, rules).some(
    ([each, contradicts]) => each === name && contradicts !== null && isTrueOfAny(rows, contradicts),
  );
}

export function filterIgnoredError(name: string): CodedError {
  return new CodedError(
    "UPSTREAM_FILTER_IGNORED",
    `The service answered with calls that the filter ${name} leaves out.`,
  );
}

/** Whether all of a row's times are before the range. */
function isBefore(since: Instant, { timeZone, rangeField }: RangeRules): Contradicts {
  const start = epochMsOf(since);
  return (row) => {
    const filtered = rangeField === null ? null : row[rangeField];
    if (filtered !== null) return filtered < since && isEarlier(epochMsOf(filtered), start, TOLERANCE_MS, timeZone);
    const latest = latestTime(row);
    if (latest === null || latest >= since) return false;
    return isEarlier(epochMsOf(latest), start, row.endAt === null ? LONGEST_CALL_MS : LATE_ROW_MS, timeZone);
  };
}

/** Whether the row's call started behind the range: then none of its times is within. */
function isBehind(until: Instant, { timeZone, rangeField }: RangeRules): Contradicts {
  const end = epochMsOf(until);
  return (row) => {
    const time = (rangeField === null ? null : row[rangeField]) ?? row.startAt;
    return time !== null && time > until && isEarlier(end, epochMsOf(time), TOLERANCE_MS, timeZone);
  };
}

/** The latest time that the row tells; null where it may have a later one that cannot be read. */
function latestTime(row: CallLogRecord): Instant | null {
  if (row.endAt === null && isUnread(row, "endAt")) return null;
  const times = [row.startAt, row.answerAt, row.endAt].filter((time) => time !== null);
  return times.reduce<Instant | null>((latest, time) => (latest !== null && latest > time ? latest : time), null);
}

/**
 * By more than `byMs`, and on the wall clock too: where it is set back it names two instants, and either may have been
 * meant. `a` and `b` are epoch milliseconds.
 */
function isEarlier(a: number, b: number, byMs: number, timeZone: string): boolean {
  return a + byMs < b && wallClockOf(a, timeZone) + byMs < wallClockOf(b, timeZone);
}

function isUnread({ unread }: CallLogRecord, name: string): boolean {
  return unread.some(({ field }) => field === name);
}

/** As `some`, which V8 goes through a frozen list with five times as slowly. */
function isTrueOfAny(rows: readonly CallLogRecord[], holds: Contradicts): boolean {
  for (const row of rows) if (holds(row)) return true;
  return false;
}
