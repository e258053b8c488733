// Sums slots of calls into the minutes, hours or days of a time zone. A day has 23 to 25 hours where clocks change, and a
// repeated hour is two buckets.
import { epochMsOf, instantOf, type Instant } from "../format/instant.ts";
import { startOfDay } from "../format/wallClock.ts";
import type { Slot, CallCounts } from "../store/events/statsStore.ts";
import { DAY_MS, HOUR_MS } from "../util/durations.ts";
import type { Steps } from "../util/timeSlices.ts";

export type TimeBucket = "minute" | "hour" | "day";

export interface StatsBucket extends CallCounts {
  start: Instant;
}

export interface SlotTally extends CallCounts {
  /** The first minute of the slot in UTC: `2026-11-20T09:30`. */
  minute: string;
}

const LENGTH_MS = { hour: HOUR_MS, day: DAY_MS };
const SLOTS_PER_STEP = 100;

/** The longest slot that never spans two buckets. Clocks change at quarters of an hour only. */
export function slotOf(bucket: TimeBucket, zone: string): Slot {
  if (bucket === "minute") return "minute";
  return isWholeHours(zone) ? "hour" : "quarter";
}

/** The slots and the buckets are in time order. Buckets without calls are left out. */
export function* bucketsOf(slots: readonly SlotTally[], bucket: TimeBucket, zone: string): Steps<StatsBucket[]> {
  const startOf = bucket === "minute" ? instantOf : createStartOf(bucket, zone);
  const buckets: StatsBucket[] = [];
  for (const [at, { minute, calls, answered }] of slots.entries()) {
    const start = startOf(epochMsOf(`${minute}:00.000Z`));
    const last = buckets.at(-1);
    if (last?.start === start) buckets[buckets.length - 1] = add(last, { calls, answered });
    else buckets.push({ start, calls, answered });
    if (at % SLOTS_PER_STEP === SLOTS_PER_STEP - 1) yield;
  }
  return buckets;
}

/** A period, in epoch milliseconds, in which the clock of a zone does not change. */
interface FixedOffsetPeriod {
  from: number;
  until: number;
  offset: number;
}

/** Within a period of one offset the start is calculated, which is a hundred times as fast as Temporal. */
function createStartOf(bucket: "hour" | "day", zone: string): (ms: number) => Instant {
  const length = LENGTH_MS[bucket];
  let period: FixedOffsetPeriod | null = null;
  return (ms) => {
    if (!period || ms < period.from || ms >= period.until) period = fixedOffsetPeriodAt(ms, zone);
    const start = Math.floor((ms + period.offset) / length) * length - period.offset;
    return start >= period.from ? instantOf(start) : startByTemporal(ms, bucket, zone);
  };
}

function fixedOffsetPeriodAt(ms: number, zone: string): FixedOffsetPeriod {
  const clock = zonedDateTimeOf(ms, zone);
  // A change at this very instant counts as previous.
  const change = clock.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  return {
    from: change?.epochMilliseconds ?? -Infinity,
    until: clock.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity,
    offset: clock.offsetNanoseconds / 1_000_000,
  };
}

function startByTemporal(ms: number, bucket: "hour" | "day", zone: string): Instant {
  if (bucket === "day") return startOfDay(instantOf(ms), zone);
  return instantOf(zonedDateTimeOf(ms, zone).round({ smallestUnit: "hour", roundingMode: "floor" }).epochMilliseconds);
}

/** Whether the zone's offset from UTC has been whole hours since 1970, and its clock changes at whole hours. */
function isWholeHours(zone: string): boolean {
  for (
    let clock: Temporal.ZonedDateTime | null = zonedDateTimeOf(0, zone);
    clock;
    clock = clock.getTimeZoneTransition("next")
  ) {
    const { offsetNanoseconds, epochMilliseconds } = clock;
    if ((offsetNanoseconds / 1_000_000) % HOUR_MS !== 0 || epochMilliseconds % HOUR_MS !== 0) return false;
    if (epochMilliseconds > LATEST_MS) return true;
  }
  return true;
}

/** Zones with rules for the future have transitions without an end. */
const LATEST_MS = Date.UTC(2040, 0);

const zonedDateTimeOf = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);

function add(bucket: StatsBucket, { calls, answered }: CallCounts): StatsBucket {
  return { start: bucket.start, calls: bucket.calls + calls, answered: bucket.answered + answered };
}
