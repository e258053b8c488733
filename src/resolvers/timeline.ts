// Slots of time with calls, put into the hours or days of a time zone. A day has 23 to 25 hours where clocks are set, and an
// hour that is repeated is two buckets.
import { setImmediate as nextTurn } from "node:timers/promises";
import { epochMsOf, instantOf, type Instant } from "../format/instant.ts";
import { startOfDay } from "../format/wallClock.ts";
import type { Slot, CallCounts } from "../store/log/statsStore.ts";

export type TimeBucket = "minute" | "hour" | "day";

export interface StatsBucket extends CallCounts {
  start: Instant;
}

export interface SlotTally extends CallCounts {
  /** The slot's first: `2026-11-20T09:30`, in UTC. */
  minute: string;
}

const HOUR_MS = 3_600_000;
const LENGTH_MS = { hour: HOUR_MS, day: 24 * HOUR_MS };
/** Slots that are worked on in one turn of the event loop. */
const TOGETHER = 1000;

/** The longest slot of which each lies in one bucket: no clock is set but at a quarter of an hour. */
export function slotOf(bucket: TimeBucket, zone: string): Slot {
  if (bucket === "minute") return "minute";
  return isWholeHours(zone) ? "hour" : "quarter";
}

/** `slots` in time order, and so is the answer; buckets without a call are left out. */
export async function bucketsOf(slots: readonly SlotTally[], bucket: TimeBucket, zone: string): Promise<StatsBucket[]> {
  const startOf = bucket === "minute" ? instantOf : createStartOf(bucket, zone);
  const buckets: StatsBucket[] = [];
  for (const [at, { minute, calls, answered }] of slots.entries()) {
    const start = startOf(epochMsOf(`${minute}:00.000Z`));
    const last = buckets.at(-1);
    if (last?.start === start) buckets[buckets.length - 1] = sum(last, { calls, answered });
    else buckets.push({ start, calls, answered });
    if (at % TOGETHER === TOGETHER - 1) await nextTurn();
  }
  return buckets;
}

/** A time in which a zone's clock is not set. */
interface Steady {
  from: number;
  until: number;
  offset: number;
}

/** Where the clock was not set since the bucket began, its start is reckoned: to ask Temporal each time takes a hundred times as long. */
function createStartOf(bucket: "hour" | "day", zone: string): (ms: number) => Instant {
  const length = LENGTH_MS[bucket];
  let steady: Steady | null = null;
  return (ms) => {
    if (!steady || ms < steady.from || ms >= steady.until) steady = steadyAt(ms, zone);
    const start = Math.floor((ms + steady.offset) / length) * length - steady.offset;
    return start >= steady.from ? instantOf(start) : askedStart(ms, bucket, zone);
  };
}

function steadyAt(ms: number, zone: string): Steady {
  const clock = zoned(ms, zone);
  // A clock that is set at this very moment is set before it.
  const set = clock.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  return {
    from: set?.epochMilliseconds ?? -Infinity,
    until: clock.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity,
    offset: clock.offsetNanoseconds / 1_000_000,
  };
}

function askedStart(ms: number, bucket: "hour" | "day", zone: string): Instant {
  if (bucket === "day") return startOfDay(instantOf(ms), zone);
  return instantOf(zoned(ms, zone).round({ smallestUnit: "hour", roundingMode: "floor" }).epochMilliseconds);
}

/** Whether the zone's clock has stood whole hours from UTC since 1970, and was set at whole hours. */
function isWholeHours(zone: string): boolean {
  for (let clock: Temporal.ZonedDateTime | null = zoned(0, zone); clock; clock = clock.getTimeZoneTransition("next")) {
    const { offsetNanoseconds, epochMilliseconds } = clock;
    if ((offsetNanoseconds / 1_000_000) % HOUR_MS !== 0 || epochMilliseconds % HOUR_MS !== 0) return false;
    if (epochMilliseconds > LATEST_MS) return true;
  }
  return true;
}

/** Rules that go on for ever give transitions without an end. */
const LATEST_MS = Date.UTC(2040, 0);

const zoned = (ms: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);

function sum(bucket: StatsBucket, { calls, answered }: CallCounts): StatsBucket {
  return { start: bucket.start, calls: bucket.calls + calls, answered: bucket.answered + answered };
}
