// Detects that the service ignored a filter: rows that contradict the query, and so may be other people's calls. A value that a
// row does not show contradicts nothing. verifyFilter.ts tests whether the service applies a filter at all.
import type { RangeField } from "../config/variables.ts";
import { CodedError } from "../errors.ts";
import { epochMsOf, type Instant } from "../format/instant.ts";
import { wallClockOf } from "../format/wallClock.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../upstream/upstream.ts";
import { contradictsPhone } from "./phoneFilter.ts";

export interface RangeRules {
  /** IANA zone of the service's wall clock. */
  timeZone: string;
  /** The time that since and until filter by (UPSTREAM_RANGE_FIELD); null: not known. */
  rangeField: RangeField | null;
}

/** For the clocks of one service, which may differ, and for rounded fractions of a second. */
const TOLERANCE_MS = 5000;
/** A service may filter by the time when it wrote a row, which is after the call's end. */
export const LATE_ROW_MS = 15 * 60_000;
/** A service may treat a call in progress as if it ended now. */
const MAX_CALL_MS = 3 * 3_600_000;

type Contradicts = (row: CallLogRecord) => boolean;

/** By the filter's name in the graph; null: the query does not use that filter. */
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
            // The requested assistant may be one that could not be read.
            !unread.some(({ field }) => field.startsWith("assistants")),
    ],
    ["since", isBeforeRange(since, rules)],
    ["until", isAfterRange(until, rules)],
  ];
}

/** The page itself. Throws UPSTREAM_FILTER_IGNORED, naming the filter, where a row contradicts the query. */
export function checkRowsMatch(query: CallLogQuery, page: CallLogPage, rules: RangeRules): CallLogPage {
  for (const [name, contradicts] of contradictionsTo(query, rules)) {
    if (contradicts !== null && someRow(page.rows, contradicts)) throw filterIgnoredError(name);
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
    ([filter, contradicts]) => filter === name && contradicts !== null && someRow(rows, contradicts),
  );
}

export function filterIgnoredError(name: string): CodedError {
  return new CodedError(
    "UPSTREAM_FILTER_IGNORED",
    `The service ignored the filter ${name}: it answered with calls that do not match. Query without this filter.`,
  );
}

/** Whether all times of a row are before the range. */
function isBeforeRange(since: Instant, { timeZone, rangeField }: RangeRules): Contradicts {
  const start = epochMsOf(since);
  return (row) => {
    const filtered = rangeField === null ? null : row[rangeField];
    if (filtered !== null) return filtered < since && isEarlier(epochMsOf(filtered), start, TOLERANCE_MS, timeZone);
    if (row.endAt !== null && row.endAt >= since) return false;
    const latest = latestTime(row);
    if (latest === null || latest >= since) return false;
    return isEarlier(epochMsOf(latest), start, row.endAt === null ? MAX_CALL_MS : LATE_ROW_MS, timeZone);
  };
}

/** Whether a row's call started after the range, so none of its times is within. */
function isAfterRange(until: Instant, { timeZone, rangeField }: RangeRules): Contradicts {
  const end = epochMsOf(until);
  return (row) => {
    const time = (rangeField === null ? null : row[rangeField]) ?? row.startAt;
    return time !== null && time > until && isEarlier(end, epochMsOf(time), TOLERANCE_MS, timeZone);
  };
}

/** The latest time of the row; null where it may have a later one that could not be read. */
function latestTime(row: CallLogRecord): Instant | null {
  if (row.endAt === null && isUnread(row, "endAt")) return null;
  const times = [row.startAt, row.answerAt, row.endAt].filter((time) => time !== null);
  return times.reduce<Instant | null>((latest, time) => (latest !== null && latest > time ? latest : time), null);
}

/**
 * Whether `a` is before `b` by more than `byMs`. All three are in milliseconds; `a` and `b` since the epoch. It must hold on the
 * service's wall clock too: where that clock is set back, one reading names two instants, and either may be meant.
 */
function isEarlier(a: number, b: number, byMs: number, timeZone: string): boolean {
  return a + byMs < b && wallClockOf(a, timeZone) + byMs < wallClockOf(b, timeZone);
}

function isUnread({ unread }: CallLogRecord, name: string): boolean {
  return unread.some(({ field }) => field === name);
}

/** A loop, because Array.some on a frozen array takes V8 five times as long. */
function someRow(rows: readonly CallLogRecord[], matches: Contradicts): boolean {
  for (const row of rows) if (matches(row)) return true;
  return false;
}
