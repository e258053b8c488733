// The instant of a wall clock in a zone, and the other way round. Between two changes of a zone's clocks its offset
// stands still, so Temporal is asked for each such stretch once, and not for each of the four times of each row.

/** Wall-clock times, as if in UTC, at which the zone's offset is this one and no other. */
interface Stretch {
  fromMs: number;
  beforeMs: number;
  offsetMs: number;
}

/** A memo of what Temporal says, which never changes: by zone, the stretches that were asked for. */
const stretchesByZone = new Map<string, Stretch[]>();
/** The one that was asked for last: the rows of a list mostly share it. */
let recent: { zone: string; stretch: Stretch } | undefined;
/** Of one zone; a service's times are of this year and the last. */
const MOST_STRETCHES = 64;
const NANOSECONDS_PER_MS = 1e6;

/**
 * `wallMs`: the wall clock's time in milliseconds, whole seconds, as if it stood in UTC. In the hour that clocks skip it
 * is moved past the gap, in the hour that they repeat it is the earlier one (Temporal's "compatible"), and `onChoice` is
 * called for both. Throws RangeError where the zone does not exist.
 */
export function instantOfWallClock(wallMs: number, zone: string, onChoice: () => void): number {
  if (recent?.zone === zone && isIn(recent.stretch, wallMs)) return wallMs - recent.stretch.offsetMs;
  const known = stretchesByZone.get(zone)?.find((stretch) => isIn(stretch, wallMs));
  if (known !== undefined) {
    recent = { zone, stretch: known };
    return wallMs - known.offsetMs;
  }
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO("UTC").toPlainDateTime();
  const zoned = wall.toZonedDateTime(zone, { disambiguation: "compatible" });
  const stretch = stretchAround(zoned);
  if (isIn(stretch, wallMs)) remember(zone, stretch);
  else if (!wall.toZonedDateTime(zone, { disambiguation: "later" }).equals(earlierOf(wall, zone))) onChoice();
  return zoned.epochMilliseconds;
}

function earlierOf(wall: Temporal.PlainDateTime, zone: string): Temporal.ZonedDateTime {
  return wall.toZonedDateTime(zone, { disambiguation: "earlier" });
}

/** What the wall clock shows at an instant, in milliseconds as if it stood in UTC. Throws RangeError as above. */
export function wallClockOf(epochMs: number, zone: string): number {
  const known = stretchesByZone.get(zone)?.find((stretch) => isIn(stretch, epochMs + stretch.offsetMs));
  if (known !== undefined) return epochMs + known.offsetMs;
  const zoned = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone);
  const stretch = stretchAround(zoned);
  const wallMs = epochMs + stretch.offsetMs;
  if (isIn(stretch, wallMs)) remember(zone, stretch);
  return wallMs;
}

function isIn({ fromMs, beforeMs }: Stretch, wallMs: number): boolean {
  return wallMs >= fromMs && wallMs < beforeMs;
}

function remember(zone: string, stretch: Stretch): void {
  const stretches = stretchesByZone.get(zone) ?? [];
  if (stretches.length >= MOST_STRETCHES) stretches.length = 0;
  stretchesByZone.set(zone, [stretch, ...stretches]);
}

/** Around a change both of its offsets are kept away from: there a wall clock has two instants, or none. */
function stretchAround(zoned: Temporal.ZonedDateTime): Stretch {
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
