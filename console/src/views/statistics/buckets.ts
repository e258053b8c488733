// The timeline's buckets: minutes, hours or days of the viewer's zone, those without calls included.
import type { ClosedSpan } from "./statisticsSearch.ts";

export type BucketSize = "MINUTE" | "HOUR" | "DAY";

export interface Bucket {
  /** Its start, in epoch milliseconds. */
  at: number;
  calls: number;
  answered: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** At most about 190 buckets, up to half a year. */
export function bucketSizeOf({ since, until }: ClosedSpan): BucketSize {
  const length = Date.parse(until) - Date.parse(since);
  if (length <= 3 * HOUR) return "MINUTE";
  return length <= 8 * DAY ? "HOUR" : "DAY";
}

export function bucketsOf(
  size: BucketSize,
  { since, until }: ClosedSpan,
  timeline: readonly { start: string; calls: number; answered: number }[],
): readonly Bucket[] {
  const byStart = new Map(timeline.map(({ start, calls, answered }) => [Date.parse(start), { calls, answered }]));
  // Clocks that change may begin a bucket where no step of this list falls.
  const starts = new Set([...startsBetween(size, Date.parse(since), Date.parse(until)), ...byStart.keys()]);
  return [...starts].sort((a, b) => a - b).map((at) => ({ at, ...(byStart.get(at) ?? { calls: 0, answered: 0 }) }));
}

function startsBetween(size: BucketSize, since: number, until: number): number[] {
  const starts: number[] = [];
  for (let at = startOf(size, since); at < until; at = next(size, at)) starts.push(at);
  return starts;
}

/** When the bucket ends, in epoch milliseconds. */
export const endOf = (size: BucketSize, { at }: Pick<Bucket, "at">): number => next(size, at);

function startOf(size: BucketSize, ms: number): number {
  const at = new Date(ms);
  if (size === "MINUTE") return at.setSeconds(0, 0);
  return size === "HOUR" ? at.setMinutes(0, 0, 0) : at.setHours(0, 0, 0, 0);
}

function next(size: BucketSize, ms: number): number {
  if (size === "MINUTE") return ms + 60_000;
  if (size === "HOUR") return ms + HOUR;
  const at = new Date(ms);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1).getTime();
}
