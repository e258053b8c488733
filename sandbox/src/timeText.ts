// Converts between instants (epoch ms) and the service's time formats.
export type TimeFormat = "wall" | "wallZ" | "rfc3339" | "epochS" | "epochMs";
export interface Period {
  start: number;
  end: number;
}

/** Go's zero time, written for a missing time (quirk `zeroTimes`). */
export const ZERO_TIME = "0001-01-01T00:00:00Z";
const WALL = /^\d{4}-\d\d-\d\d ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

const zoned = (ms: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);

/** `YYYY-MM-DD hh:mm:ss` in the zone; milliseconds are cut off. */
export function formatWall(ms: number, zone: string): string {
  return zoned(ms, zone).toPlainDateTime().toString({ smallestUnit: "second" }).replace("T", " ");
}

export function formatTime(ms: number, format: TimeFormat, zone: string): string | number {
  if (format === "wall") return formatWall(ms, zone);
  if (format === "wallZ") return `${formatWall(ms, zone).replace(" ", "T")}Z`;
  if (format === "epochS") return Math.floor(ms / 1000);
  if (format === "epochMs") return ms;
  return zoned(ms, zone).toString({ smallestUnit: "second", timeZoneName: "never" });
}

/** Reads a wall-clock time; a clock change is resolved as by Temporal's "compatible". Null: malformed. */
export function parseWall(text: string, zone: string): number | null {
  if (!WALL.test(text)) return null;
  return tryOrNull(() => Temporal.PlainDateTime.from(text.replace(" ", "T")).toZonedDateTime(zone).epochMilliseconds);
}

/** Reads a wall-clock time in the zone, or RFC 3339. Null: neither. */
export function parseTime(text: string, zone: string): number | null {
  return parseWall(text, zone) ?? tryOrNull(() => Temporal.Instant.from(text).epochMilliseconds);
}

export const isDate = (text: string): boolean =>
  DATE.test(text) && tryOrNull(() => Temporal.PlainDate.from(text)) !== null;
export const isTimeOfDay = (text: string): boolean => TIME_OF_DAY.test(text);

export const isTimeZone = (name: string): boolean => tryOrNull(() => zoned(0, name)) !== null;

/** `YYYY-MM-DD` of an instant, some days later. */
export function dateOf(ms: number, zone: string, daysLater = 0): string {
  return zoned(ms, zone).toPlainDate().add({ days: daysLater }).toString();
}

/** The first and the last second of an instant's day. A day with a clock change has 23 or 25 hours. */
export function dayOf(ms: number, zone: string): Period {
  const start = zoned(ms, zone).startOfDay();
  return { start: start.epochMilliseconds, end: start.add({ days: 1 }).epochMilliseconds - 1000 };
}

/** The periods in which a task may dial, in order. service.md shows no format; docs/sandbox.md describes this one. */
export function periodsOf(startDate: string, startTime: readonly (readonly string[])[], zone: string): Period[] {
  const date = Temporal.PlainDate.from(startDate);
  const instant = (time: string) =>
    date.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds;
  return startTime
    .map(([start = "00:00", end = "00:00"]) => ({ start: instant(start), end: instant(end) }))
    .toSorted((a, b) => a.start - b.start);
}

function tryOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
