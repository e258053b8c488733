// Minutes with calls, put into the hours or days of a time zone. A day has 23 to 25 hours where clocks are set, and an
// hour that is repeated is two buckets.
import { instantOf, type Instant } from "../dialect/instant.ts";
import { startOfDay } from "../dialect/times.ts";
import type { Tally } from "../store/statsStore.ts";

export type TimeBucket = "minute" | "hour" | "day";

export interface StatsBucket extends Tally {
  start: Instant;
}

export interface Minute extends Tally {
  /** `2026-11-20T09:30`, in UTC. */
  minute: string;
}

/** `minutes` in time order, and so is the answer; buckets without a call are left out. */
export function bucketsOf(minutes: readonly Minute[], bucket: TimeBucket, zone: string): StatsBucket[] {
  const starts = new Map<string, Instant>();
  const buckets: StatsBucket[] = [];
  for (const { minute, calls, answered } of minutes) {
    // No clock is set but at a quarter of an hour: what begins one begins all its minutes' bucket.
    const part = bucket === "minute" ? minute : quarterOf(minute);
    const start = starts.get(part) ?? startOf(`${part}:00.000Z`, bucket, zone);
    starts.set(part, start);
    const last = buckets.at(-1);
    if (last?.start === start) buckets[buckets.length - 1] = sum(last, { calls, answered });
    else buckets.push({ start, calls, answered });
  }
  return buckets;
}

function quarterOf(minute: string): string {
  const past = Number(minute.slice(14)) % 15;
  return minute.slice(0, 14) + String(Number(minute.slice(14)) - past).padStart(2, "0");
}

function startOf(instant: Instant, bucket: TimeBucket, zone: string): Instant {
  if (bucket === "minute") return instant;
  if (bucket === "day") return startOfDay(instant, zone);
  const hour = Temporal.Instant.from(instant)
    .toZonedDateTimeISO(zone)
    .round({ smallestUnit: "hour", roundingMode: "floor" });
  return instantOf(hour.epochMilliseconds);
}

function sum(bucket: StatsBucket, { calls, answered }: Tally): StatsBucket {
  return { start: bucket.start, calls: bucket.calls + calls, answered: bucket.answered + answered };
}
