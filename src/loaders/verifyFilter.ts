// Finds out whether the service looks at a filter at all. Rows do not always tell: a page may fit by chance, while its total
// counts all that there is. Where a filter is first used, the same page is asked for with another value of it, which some of
// the rows just seen cannot fit. Where they come again, the filter is ignored.
import { instantOf } from "../format/instant.ts";
import { formatWallClock } from "../format/wallClock.ts";
import { CodedError } from "../errors.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../upstream/upstream.ts";
import { rowKey } from "./callLogWindow.ts";
import type { CheckRequests } from "./checkRequests.ts";
import { hasContradiction, LATE_ROW_MS, type RangeRules } from "./filterIgnored.ts";
import { outcomeOf } from "./outcomeOf.ts";

export interface FilterVerifier {
  /**
   * The name of a filter of the query that the service ignores; null: there is none that is known. One request for each
   * filter in a process, and again for one that was ignored. Throws what the request throws, unless it is about the value: a timeout fails this
   * list alone, and others send their own probe. Rejects at once where the asker leaves while it waits for another's.
   */
  findIgnored(check: CheckRequests, query: CallLogQuery, page: CallLogPage): Promise<string | null>;
}

interface Probe {
  /** The filter's, in the graph. */
  name: string;
  /** What is proven where its answer fits. */
  proves: string;
  /** What is asked instead; null: no value can be told that the rows do not fit. */
  changes: (rows: readonly CallLogRecord[]) => Partial<CallLogQuery> | null;
}

/** In no country's plan of numbers. */
const NOBODYS_NUMBER = "10000900009";
const NOBODYS_ID = "999999999999999";
const LEAST_ROWS = 10;
const LONG_AGO = { since: "1971-01-02T00:00:00.000Z", until: "1971-01-03T00:00:00.000Z" };
const FAR_AHEAD = { since: "2100-01-02T00:00:00.000Z", until: "2100-01-03T00:00:00.000Z" };
const MINUTE = 60_000;
/** A row that tells no time may be in any range, and a call may have several assistants. */
const FITS_SEVERAL = new Set(["since", "until", "assistantIds"]);
/** Of answers that tell nothing: whatever the service fails at is the value, and so it looks at it. */
const MOST_TRIES = 3;

/** For the life of a process. */
export function createFilterVerifier(range: RangeRules): FilterVerifier {
  const proven = new Set<string>();
  /** What was found to be ignored, and so is probed each time. */
  const ignored = new Set<string>();
  const tries = new Map<string, number>();
  /** Those who wait take the answer: lists that are asked for at once cost one probe. */
  const underWay = new Map<string, Promise<boolean>>();

  async function isIgnored(
    check: CheckRequests,
    query: CallLogQuery,
    page: CallLogPage,
    probe: Probe,
  ): Promise<boolean> {
    const { proves } = probe;
    const other = underWay.get(proves);
    const verdict = other === undefined ? null : await outcomeOf(other, check.signal);
    if (verdict !== null) return verdict;
    if (proven.has(proves)) return false;
    const asking = askProbe(check, query, page, probe);
    underWay.set(proves, asking);
    try {
      return await asking;
    } finally {
      if (underWay.get(proves) === asking) underWay.delete(proves);
    }
  }
  async function askProbe(
    check: CheckRequests,
    query: CallLogQuery,
    page: CallLogPage,
    given: Probe,
  ): Promise<boolean> {
    const { name, proves } = given;
    const changes = given.changes(page.rows);
    if (changes === null) return false;
    const pageSize = query.pageIndex === 1 ? Math.max(query.pageSize, LEAST_ROWS) : query.pageSize;
    const probe = { ...query, ...changes, pageSize };
    try {
      const { rows } = await check.listCallLogs(probe, ignored.has(proves));
      const known = new Set(page.rows.map(rowKey));
      const isShown = !FITS_SEVERAL.has(name) && rows.some((row) => known.has(rowKey(row)));
      if (isShown || hasContradiction(name, probe, rows, range)) {
        ignored.add(proves);
        return true;
      }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      const isRefused = error.code === "UPSTREAM_REJECTED";
      if (!isRefused && error.code !== "UPSTREAM_CONTRACT" && error.code !== "UPSTREAM_UNAVAILABLE") throw error;
      tries.set(proves, (tries.get(proves) ?? 0) + 1);
      if (!isRefused && (tries.get(proves) ?? 0) < MOST_TRIES) return false;
    }
    proven.add(proves);
    return false;
  }

  return {
    async findIgnored(check, query, page) {
      if (page.rows.length === 0) return null;
      for (const probe of probesOf(query, range)) {
        if (!proven.has(probe.proves) && (await isIgnored(check, query, page, probe))) return probe.name;
      }
      return null;
    },
  };
}

function probesOf(query: CallLogQuery, { timeZone }: RangeRules): Probe[] {
  const { taskIds, direction, phone, assistantIds, kind, since, until } = query;
  const probe = (name: string, changes: Partial<CallLogQuery>): Probe => ({
    name,
    proves: name,
    changes: () => changes,
  });
  const byDay = (name: string, changes: Partial<CallLogQuery>): Probe => ({
    name,
    proves: `days of ${name}`,
    // Rows that tell no time can contradict no range.
    changes: (rows) => (rows.some(({ startAt }) => startAt !== null) ? changes : null),
  });
  const probes: (Probe | null)[] = [
    timeOfDay(until, timeZone) === "23:59:59"
      ? byDay("until", LONG_AGO)
      : { name: "until", proves: "until", changes: (rows) => rangeBefore(rows, since, timeZone) },
    timeOfDay(since, timeZone) === "00:00:00"
      ? byDay("since", FAR_AHEAD)
      : { name: "since", proves: "since", changes: (rows) => rangeBehind(rows, until, timeZone) },
    taskIds.length === 0 ? null : probe("taskIds", { taskIds: [otherId(taskIds)] }),
    assistantIds.length === 0 ? null : probe("assistantIds", { assistantIds: [otherId(assistantIds)] }),
    phone === null ? null : probe("phone", { phone: NOBODYS_NUMBER }),
    direction && probe("direction", { direction: direction === "inbound" ? "outbound" : "inbound" }),
    // No row shows its kind, and none is of both.
    kind && probe("kind", { kind: kind === "phone" ? "privateTest" : "phone" }),
  ];
  return probes.filter((each) => each !== null);
}

/** The begin of one of them, which a service that compares texts finds them by; else one that nobody has. */
function otherId(ids: readonly string[]): string {
  return ids.map((id) => id.slice(0, -1)).find((id) => id !== "" && !ids.includes(id)) ?? NOBODYS_ID;
}

type Range = Pick<CallLogQuery, "since" | "until">;

/** One that ends a minute before the first of the calls, and on its day: a service may take the day of a time only. */
function rangeBefore(rows: readonly CallLogRecord[], since: string, timeZone: string): Range | null {
  const [first] = rows.flatMap(({ startAt }) => startAt ?? []).toSorted();
  if (first === undefined) return null;
  const until = wholeSecond(Date.parse(first) - MINUTE);
  return dayOf(first, timeZone) === dayOf(until, timeZone) ? { since: since < until ? since : until, until } : null;
}

/** One that begins when the first of the calls was over and written, on the day of its end. */
function rangeBehind(rows: readonly CallLogRecord[], until: string, timeZone: string): Range | null {
  const isOver = ({ startAt, endAt }: CallLogRecord) => startAt !== null && endAt !== null && startAt <= endAt;
  const [first] = rows.flatMap((row) => (isOver(row) ? (row.endAt ?? []) : [])).toSorted();
  if (first === undefined) return null;
  const since = wholeSecond(Date.parse(first) + LATE_ROW_MS + MINUTE);
  return dayOf(first, timeZone) === dayOf(since, timeZone) ? { since, until: since < until ? until : since } : null;
}

const dayOf = (instant: string, timeZone: string) => formatWallClock(instant, timeZone).slice(0, 10);
const timeOfDay = (instant: string, timeZone: string) => formatWallClock(instant, timeZone).slice(11);

function wholeSecond(epochMs: number): string {
  return instantOf(Math.floor(epochMs / 1000) * 1000);
}
