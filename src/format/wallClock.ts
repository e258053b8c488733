// Converts between instants and the service's wall clock: whole seconds in a configured zone, written without the zone
// (service.md, section 4.1). When clocks are set back, two instants have the same wall-clock time, and the text does not
// say which one is meant: the earlier instant is taken.
import { createBoundedCache } from "../util/boundedCache.ts";
import { epochMsOf, instantOf, type Instant } from "./instant.ts";

const FIRST_SECOND = Date.parse("0001-01-01T00:00:00Z");
const LAST_SECOND = Date.parse("9999-12-31T23:59:59Z");
const NANOSECONDS_PER_MS = 1e6;

/** True for names of the IANA database. Offsets such as +08:00, which Intl accepts, say nothing about daylight saving. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).format() !== "";
  } catch {
    return false;
  }
}

/**
 * Writes an instant as `YYYY-MM-DD hh:mm:ss` in the IANA zone, without fractions of a second. If the zone moves the time out
 * of the years 1 to 9999, the first or last second of those years is written.
 */
export function formatWallClock(instant: Instant, zone: string): string {
  const wallMs = wallClockOf(epochMsOf(instant), zone);
  const text = instantOf(Math.min(Math.max(wallMs, FIRST_SECOND), LAST_SECOND));
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** The first instant of the instant's day in the zone. It is later than midnight if the clocks skip midnight. */
export function startOfDay(instant: Instant, zone: string): Instant {
  return instantOf(inZone(instant, zone).startOfDay().epochMilliseconds);
}

/** The first instant of a calendar date, `YYYY-MM-DD`, in the zone. */
export function startOfDate(date: string, zone: string): Instant {
  return instantOf(Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds);
}

/** The last whole second of the instant's day in the zone: 23:59:59, and the second one if the clocks repeat it. */
export function endOfDay(instant: Instant, zone: string): Instant {
  const nextDay = inZone(instant, zone).startOfDay().add({ days: 1 }).startOfDay();
  return instantOf(Math.min(nextDay.epochMilliseconds - 1000, LAST_SECOND));
}

const DAY_MS = 86_400_000;
/** Pure cache of `findDifferences`, which takes a millisecond. */
const differencesByZones = createBoundedCache<string, readonly number[]>({ maxEntries: 1000 });

/**
 * The seconds by which the clock of `other` is ahead of the clock of `zone`: one entry for each difference that occurs within a
 * year from `now`, in epoch milliseconds.
 */
export function clockDifferences(zone: string, other: string, now: number): readonly number[] {
  const day = Math.floor(now / DAY_MS);
  const key = `${day} ${zone} ${other}`;
  const known = differencesByZones.get(key) ?? findDifferences(zone, other, day * DAY_MS);
  differencesByZones.set(key, known);
  return known;
}

function findDifferences(zone: string, other: string, from: number): number[] {
  const differences = new Set<number>();
  const begin = Temporal.Instant.fromEpochMilliseconds(from);
  for (let week = 0; week <= 53; week += 1) {
    const instant = begin.add({ hours: week * 7 * 24 });
    const [own, others] = [zone, other].map((name) => instant.toZonedDateTimeISO(name).offsetNanoseconds) as [
      number,
      number,
    ];
    differences.add((others - own) / 1e9);
  }
  return [...differences];
}

function inZone(instant: Instant, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone);
}

/** A range of wall-clock times, in milliseconds as if in UTC, in which the zone has one offset. */
interface OffsetPeriod {
  fromMs: number;
  beforeMs: number;
  offsetMs: number;
}

/**
 * Pure cache of Temporal's answers, so that Temporal is asked once for each period and not for each of a call's four times.
 * Bounds: MAX_ZONES zones with MAX_PERIODS periods each.
 */
const periodsByZone = new Map<string, OffsetPeriod[]>();
/** The last hit of that cache: most rows of a list have the same period. */
let lastHit: { zone: string; period: OffsetPeriod } | undefined;
const MAX_ZONES = 1000;
const MAX_PERIODS = 64;

/**
 * Reads `wallMs`, a wall-clock time in milliseconds as if in UTC, whole seconds, as epoch milliseconds. A time that the clocks
 * skip moves past the gap; of a time that they repeat, the earlier instant counts (Temporal's "compatible"). Both cases call
 * `onAmbiguousTime`. Throws RangeError if the zone does not exist.
 */
export function instantOfWallClock(wallMs: number, zone: string, onAmbiguousTime: () => void): number {
  if (lastHit?.zone === zone && contains(lastHit.period, wallMs)) return wallMs - lastHit.period.offsetMs;
  const known = periodsByZone.get(zone)?.find((period) => contains(period, wallMs));
  if (known !== undefined) {
    lastHit = { zone, period: known };
    return wallMs - known.offsetMs;
  }
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO("UTC").toPlainDateTime();
  const zoned = wall.toZonedDateTime(zone, { disambiguation: "compatible" });
  const period = periodAround(zoned);
  if (contains(period, wallMs)) remember(zone, period);
  else if (isAmbiguous(wall, zone)) onAmbiguousTime();
  return zoned.epochMilliseconds;
}

/** True if the wall clock shows this time twice, or never. */
function isAmbiguous(wall: Temporal.PlainDateTime, zone: string): boolean {
  const earlier = wall.toZonedDateTime(zone, { disambiguation: "earlier" });
  return !wall.toZonedDateTime(zone, { disambiguation: "later" }).equals(earlier);
}

/**
 * The time that the zone's wall clock shows at an instant, in milliseconds as if in UTC. Throws RangeError if the zone does
 * not exist.
 */
export function wallClockOf(epochMs: number, zone: string): number {
  const known = periodsByZone.get(zone)?.find((period) => contains(period, epochMs + period.offsetMs));
  if (known !== undefined) return epochMs + known.offsetMs;
  const zoned = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone);
  const period = periodAround(zoned);
  const wallMs = epochMs + period.offsetMs;
  if (contains(period, wallMs)) remember(zone, period);
  return wallMs;
}

function contains({ fromMs, beforeMs }: OffsetPeriod, wallMs: number): boolean {
  return wallMs >= fromMs && wallMs < beforeMs;
}

function remember(zone: string, period: OffsetPeriod): void {
  const periods = periodsByZone.get(zone) ?? [];
  if (periods.length >= MAX_PERIODS) periods.length = 0;
  // Clients choose zones too, and a zone's name has many spellings.
  if (periodsByZone.size >= MAX_ZONES) periodsByZone.clear();
  periodsByZone.set(zone, [period, ...periods]);
}

/** Leaves out the times around a change of the clocks, where a wall-clock time has two instants or none. */
function periodAround(zoned: Temporal.ZonedDateTime): OffsetPeriod {
  const offsetMs = offsetMsOf(zoned);
  const began = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  const ends = zoned.getTimeZoneTransition("next");
  const before = began?.subtract({ nanoseconds: 1 });
  return {
    fromMs: began && before ? began.epochMilliseconds + Math.max(offsetMs, offsetMsOf(before)) : -Infinity,
    beforeMs: ends ? ends.epochMilliseconds + Math.min(offsetMs, offsetMsOf(ends)) : Infinity,
    offsetMs,
  };
}

function offsetMsOf({ offsetNanoseconds }: Temporal.ZonedDateTime): number {
  return offsetNanoseconds / NANOSECONDS_PER_MS;
}
