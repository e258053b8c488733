// Finds the UTC offset of the wall clock that ranges are read in, if rows show instants. Each request halves the candidates.
// It does not know which field the range filters, so it allows some slack; rangeFilter.ts confirms the offset to the second.
import { isInstant, type ObservedRow } from "./observe.ts";
import { isComplete, type ProbeClient, type Range } from "./probeClient.ts";
import { DAY_MS, MINUTE_MS } from "../util/durations.ts";

const MAX_REQUESTS = 12;
const MARGIN = 3 * MINUTE_MS;
const MAX_CALL_LENGTH = 4 * MINUTE_MS;
/** Calls further apart may lie on both sides of a clock change. */
const SAME_OFFSET_WITHIN = 3 * DAY_MS;
/** The filtered field may differ from the call's start or end by this much. */
const SLACK = 2 * MINUTE_MS;

/** A call, from its start to its end. */
export interface CallSpan {
  key: string;
  /** Epoch ms. */
  from: number;
  to: number;
}

/** A range that was asked for, and the calls that came. */
export interface RangeResult {
  range: Range;
  /** Whether `rows` holds every call in the range. */
  isComplete: boolean;
  rows: readonly CallSpan[];
}

/** An offset that was observed at an instant, both in ms. */
export interface KnownOffset {
  at: number;
  offset: number;
}

/** The offset in ms. Null: no row shows an instant, or more than one offset is left. */
export async function findOffset(client: ProbeClient, rows: readonly ObservedRow[]): Promise<number | null> {
  const spans = rows.flatMap((row) => spanOf(row) ?? []);
  const probe = spans
    .filter(({ from, to }) => to - from <= MAX_CALL_LENGTH)
    .toSorted((a, b) => b.from - a.from)
    .at(0);
  if (!probe) return null;
  const isNear = ({ from }: CallSpan) => Math.abs(from - probe.from) <= SAME_OFFSET_WITHIN;
  const results: RangeResult[] = [];
  let candidates = offsetsAt(probe.from);
  for (let sent = 0; candidates.length > 1 && sent < MAX_REQUESTS; sent += 1) {
    const [first, last] = nextCandidates(candidates, results);
    const range = { from: wholeSecond(probe.from + first - MARGIN), to: wholeSecond(probe.to + last + MARGIN) };
    const { page } = await client.listCalls({ range });
    if (page === null) return null;
    const received = page.rows.flatMap((row) => spanOf(row) ?? []);
    results.push({ range, isComplete: isComplete(page), rows: received.filter(isNear) });
    candidates = consistentOffsets(candidates, results, spans.filter(isNear));
  }
  return candidates.length === 1 ? (candidates[0] ?? null) : null;
}

/** The lower half of the candidates, or the middle one alone if the last range gave nothing new. */
function nextCandidates(candidates: readonly number[], results: readonly RangeResult[]): [number, number] {
  const middle = Math.floor((candidates.length - 1) / 2);
  const [from = 0, to = 0] = [candidates[0], candidates[middle]];
  const gaveNothing = results.at(-1)?.rows.length === 0 && results.at(-1)?.isComplete === false;
  return gaveNothing ? [to, to] : [from, to];
}

/**
 * The candidates that contradict no result: each received row touches its range, and a complete result misses no known call
 * that lies inside its range.
 */
export function consistentOffsets(
  candidates: readonly number[],
  results: readonly RangeResult[],
  known: readonly CallSpan[],
): number[] {
  return candidates.filter((offset) => results.every((result) => isConsistent(offset, result, known)));
}

function isConsistent(offset: number, { range, isComplete, rows }: RangeResult, known: readonly CallSpan[]): boolean {
  const touches = ({ from, to }: CallSpan) => to + offset + SLACK >= range.from && from + offset - SLACK <= range.to;
  if (!rows.every(touches)) return false;
  if (!isComplete) return true;
  const received = new Set(rows.map(({ key }) => key));
  const isInside = ({ from, to }: CallSpan) => from + offset - SLACK > range.from && to + offset + SLACK < range.to;
  return !known.some((span) => !received.has(span.key) && isInside(span));
}

function spanOf({ key, times: { startAt, endAt } }: ObservedRow): CallSpan | null {
  if (!isInstant(startAt) || startAt.ms === null) return null;
  return { key, from: startAt.ms, to: isInstant(endAt) && endAt.ms !== null ? endAt.ms : startAt.ms };
}

/** Every offset, in ms, that some zone has at the instant; ascending. */
export function offsetsAt(instant: number): number[] {
  return [...new Set(allZones().map((zone) => offsetOf(zone, instant)))].toSorted((a, b) => a - b);
}

/** The IANA zones that have each of these offsets at its instant. */
export function zonesWithOffsets(known: readonly KnownOffset[]): string[] {
  return allZones().filter((zone) => known.every(({ at, offset }) => offsetOf(zone, at) === offset));
}

/** `+08:00`. */
export function formatOffset(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS;
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${ms < 0 ? "-" : "+"}${twoDigits(minutes / 60)}:${twoDigits(minutes % 60)}`;
}

const allZones = () => ["UTC", ...Intl.supportedValuesOf("timeZone")];

function offsetOf(zone: string, instant: number): number {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}

const wholeSecond = (ms: number) => Math.floor(ms / 1000) * 1000;
