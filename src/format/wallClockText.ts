// Times on the service's wall clock (service.md, section 4.1): whole seconds in its zone, without saying which. The
// process's own zone plays no part. Where clocks are set back, two instants share one wall clock, and nothing on the wire
// tells them apart.
import { epochMsOf, instantOf, type Instant } from "./instant.ts";
import { wallClockOf } from "./wallClock.ts";

const FIRST_SECOND = Date.parse("0001-01-01T00:00:00Z");
const LAST_SECOND = Date.parse("9999-12-31T23:59:59Z");

/**
 * `YYYY-MM-DD hh:mm:ss` in the IANA zone; fractions of a second are cut. A year has four digits there: what a zone pushes
 * beyond them is the last second, or the first, that can be written.
 */
export function formatWallClock(instant: Instant, zone: string): string {
  const wallMs = wallClockOf(epochMsOf(instant), zone);
  const written = instantOf(Math.min(Math.max(wallMs, FIRST_SECOND), LAST_SECOND));
  return `${written.slice(0, 10)} ${written.slice(11, 19)}`;
}

/** The first instant of that day in the zone: usually midnight, and later where the clocks skip it. */
export function startOfDay(instant: Instant, zone: string): Instant {
  return instantOf(inZone(instant, zone).startOfDay().epochMilliseconds);
}

/** The first instant of a calendar date, `YYYY-MM-DD`, in the zone. */
export function startOfDate(date: string, zone: string): Instant {
  return instantOf(Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds);
}

/**
 * The last whole second of that day in the zone, 23:59:59; the second one where the clocks are set back over it. Of the last
 * day of all it is the last that an instant's four digits tell.
 */
export function endOfDay(instant: Instant, zone: string): Instant {
  const nextDay = inZone(instant, zone).startOfDay().add({ days: 1 }).startOfDay();
  return instantOf(Math.min(nextDay.epochMilliseconds - 1000, LAST_SECOND));
}

function inZone(instant: Instant, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone);
}
