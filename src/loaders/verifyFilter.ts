// Learns whether the service applies a filter at all. Rows do not always show it: a page may match by chance, while its total
// counts all calls. On the first use of a filter, the same page is requested with a different value (a probe), which some of the
// rows just loaded cannot match. If those rows come again, the service ignores the filter.
import { CodedError } from "../errors.ts";
import { epochMsOf, instantOf } from "../format/instant.ts";
import { formatWallClock } from "../format/wallClock.ts";
import { UNUSED_ID, UNUSED_NUMBER } from "../upstream/unusedValues.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../upstream/upstream.ts";
import { rowKey } from "./readWindow.ts";
import type { CheckRequests } from "./checkRequests.ts";
import { hasContradiction, LATE_ROW_MS, type RangeRules } from "./contradictingRows.ts";
import { resultOrAbort, type Proof } from "./proof.ts";
import { createProofs, type Proofs } from "./proofs.ts";
import { MINUTE_MS } from "../util/durations.ts";

export interface FilterVerifier {
  /**
   * The name of a filter of the query that the service ignores; null: none is known. It costs one request for each filter until it
   * is proven, and again for a filter that was ignored. Throws what the request throws, unless the error is about the probe's
   * value. A timeout fails this list alone; other lists send their own probe. Rejects with the signal's reason as soon as the
   * caller leaves.
   */
  findIgnored(checks: CheckRequests, query: CallLogQuery, page: CallLogPage): Promise<string | null>;
}

interface Probe {
  /** The filter's name in the graph. */
  name: string;
  /** What a matching response proves: the key of its proof. */
  proves: string;
  /** The probe's values for this page; null: there is no value that the page's rows cannot match. */
  changes: (rows: readonly CallLogRecord[]) => Partial<CallLogQuery> | null;
}

const MIN_PAGE_SIZE = 10;
const LONG_AGO = { since: "1971-01-02T00:00:00.000Z", until: "1971-01-03T00:00:00.000Z" };
const FAR_AHEAD = { since: "2100-01-02T00:00:00.000Z", until: "2100-01-03T00:00:00.000Z" };
/** A row may match two values of these: it may show no time, or have several assistants. */
const MATCHES_SEVERAL = new Set(["since", "until", "assistantIds"]);
/**
 * After this many failed probes in a row the filter counts as applied: the service evidently reads its value. That is no proof for other
 * gateways, and holds in this process for a while.
 */
const MAX_FAILED_PROBES = 3;
const UNANSWERED_LIFE_MS = 10 * MINUTE_MS;

/** For the life of the process. `now`: milliseconds of a monotonic clock. */
export function createFilterVerifier(
  range: RangeRules,
  proofs: Proofs = createProofs(),
  now: () => number = () => performance.now(),
): FilterVerifier {
  /** In a row, by what the probe proves. */
  const failedProbes = new Map<string, number>();
  /** When a filter that was taken for applied by failures is probed again, by the same name. */
  const unanswered = new Map<string, number>();

  const proofOf = (key: string): Proof => proofs.of(filterProof(key));
  function isAccepted(key: string): boolean {
    const proof = proofOf(key);
    return proof.isProven() || (now() < (unanswered.get(key) ?? 0) && !proof.isContradicted());
  }
  /** Simultaneous lists share one probe and its finding. */
  async function isIgnored(
    checks: CheckRequests,
    query: CallLogQuery,
    page: CallLogPage,
    probe: Probe,
  ): Promise<boolean> {
    const proof = proofOf(probe.proves);
    const inFlight = proof.checkInFlight();
    const finding = inFlight === null ? null : await resultOrAbort(inFlight, checks.signal);
    if (finding !== null) return finding;
    return !isAccepted(probe.proves) && proof.run(sendProbe(checks, query, page, probe, proof));
  }
  async function sendProbe(
    checks: CheckRequests,
    query: CallLogQuery,
    page: CallLogPage,
    probe: Probe,
    proof: Proof,
  ): Promise<boolean> {
    const { name, proves } = probe;
    const changes = probe.changes(page.rows);
    if (changes === null) return false;
    const pageSize = query.pageIndex === 1 ? Math.max(query.pageSize, MIN_PAGE_SIZE) : query.pageSize;
    const probeQuery = { ...query, ...changes, pageSize };
    try {
      const { rows } = await checks.listCallLogs(probeQuery, "filter");
      failedProbes.delete(proves);
      const known = new Set(page.rows.map(rowKey));
      const hasRepeats = !MATCHES_SEVERAL.has(name) && rows.some((row) => known.has(rowKey(row)));
      if (hasRepeats || hasContradiction(name, probeQuery, rows, range)) {
        proof.contradict();
        return true;
      }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      const isRejected = error.code === "UPSTREAM_REJECTED";
      if (!isRejected && error.code !== "UPSTREAM_CONTRACT" && error.code !== "UPSTREAM_UNAVAILABLE") throw error;
      if (!isRejected) {
        countFailure(proves);
        return false;
      }
      failedProbes.delete(proves);
    }
    proof.confirm();
    return false;
  }
  function countFailure(key: string): void {
    const failures = (failedProbes.get(key) ?? 0) + 1;
    failedProbes.set(key, failures % MAX_FAILED_PROBES);
    if (failures === MAX_FAILED_PROBES) unanswered.set(key, now() + UNANSWERED_LIFE_MS);
  }

  return {
    async findIgnored(checks, query, page) {
      if (page.rows.length === 0) return null;
      for (const probe of probesOf(query, range)) {
        if (isAccepted(probe.proves)) continue;
        if (await isIgnored(checks, query, page, probe)) return probe.name;
      }
      return null;
    },
  };
}

/** What is proven of each filter. A range is proven apart for whole days and for times of day. */
export const FILTER_PROOFS = {
  ranges: ["until", "days of until", "since", "days of since"],
  others: ["taskIds", "assistantIds", "phone", "direction", "kind"],
} as const;

/** The name of the proof that a filter is applied. */
export function filterProof(key: string): string {
  return `filter ${key}`;
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
    // Rows without a time cannot contradict a range.
    changes: (rows) => (rows.some(({ startAt }) => startAt !== null) ? changes : null),
  });
  const probes: (Probe | null)[] = [
    timeOfDay(until, timeZone) === "23:59:59"
      ? byDay("until", LONG_AGO)
      : { name: "until", proves: "until", changes: (rows) => rangeBefore(rows, since, timeZone) },
    timeOfDay(since, timeZone) === "00:00:00"
      ? byDay("since", FAR_AHEAD)
      : { name: "since", proves: "since", changes: (rows) => rangeAfter(rows, until, timeZone) },
    taskIds.length === 0 ? null : probe("taskIds", { taskIds: [otherId(taskIds)] }),
    assistantIds.length === 0 ? null : probe("assistantIds", { assistantIds: [otherId(assistantIds)] }),
    phone === null ? null : probe("phone", { phone: UNUSED_NUMBER }),
    direction && probe("direction", { direction: direction === "inbound" ? "outbound" : "inbound" }),
    // A row does not show its kind, but no call is of both kinds.
    kind && probe("kind", { kind: kind === "phone" ? "privateTest" : "phone" }),
  ];
  return probes.filter((each) => each !== null);
}

/** A prefix of one of the ids, which a service that searches texts would match with it; else an unused id. */
function otherId(ids: readonly string[]): string {
  return ids.map((id) => id.slice(0, -1)).find((id) => id !== "" && !ids.includes(id)) ?? UNUSED_ID;
}

type Range = Pick<CallLogQuery, "since" | "until">;

/** A range that ends a minute before the first call, on the same day, because a service may use only the day of a time. */
function rangeBefore(rows: readonly CallLogRecord[], since: string, timeZone: string): Range | null {
  const [first] = rows.flatMap(({ startAt }) => startAt ?? []).toSorted();
  if (first === undefined) return null;
  const until = wholeSecond(epochMsOf(first) - MINUTE_MS);
  return dayOf(first, timeZone) === dayOf(until, timeZone) ? { since: since < until ? since : until, until } : null;
}

/** A range that begins after the first finished call was written, on the day of its end. */
function rangeAfter(rows: readonly CallLogRecord[], until: string, timeZone: string): Range | null {
  const isOver = ({ startAt, endAt }: CallLogRecord) => startAt !== null && endAt !== null && startAt <= endAt;
  const [first] = rows.flatMap((row) => (isOver(row) ? (row.endAt ?? []) : [])).toSorted();
  if (first === undefined) return null;
  const since = wholeSecond(epochMsOf(first) + LATE_ROW_MS + MINUTE_MS);
  return dayOf(first, timeZone) === dayOf(since, timeZone) ? { since, until: since < until ? until : since } : null;
}

const dayOf = (instant: string, timeZone: string) => formatWallClock(instant, timeZone).slice(0, 10);
const timeOfDay = (instant: string, timeZone: string) => formatWallClock(instant, timeZone).slice(11);

function wholeSecond(epochMs: number): string {
  return instantOf(Math.floor(epochMs / 1000) * 1000);
}
