// Reads a time in any form the service may write (service.md names none but the wall clock's). What is not clearly one
// of the forms below is unread: a time is never guessed.
import { instantOf, type Instant } from "./instant.ts";

/** `instant: null` is "never" or "not given"; unread is a value that means something else. */
export type TimeReading = { instant: Instant | null } | { unread: true };

const UNREAD: TimeReading = { unread: true };
const NEVER: TimeReading = { instant: null };

/** Date, time and at most three digits of a fraction; the rest of it is cut. */
const WALL = String.raw`(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:[0-5]\d(?:\.\d{1,3})?)\d*`;
const WALL_CLOCK = new RegExp(`^${WALL}$`);
const WITH_OFFSET = new RegExp(String.raw`^${WALL}([Zz]|[+-]\d\d:?\d\d)$`);
const EPOCH_SECONDS = /^\d{10}(\.\d+)?$/;
const EPOCH_MILLISECONDS = /^\d{13}(\.\d+)?$/;

/** Go's zero time is 0001-01-01 in UTC, and up to a day to either side of it in a local zone. */
const FIRST_REAL_TIME = Date.parse("0002-01-01T00:00:00Z");
const END_OF_YEAR_9999 = Date.UTC(10_000, 0, 1);

/**
 * The forms, and how they are told apart:
 * - RFC 3339 with any offset, with or without a fraction (also with a space for the `T`, or no colon in the offset);
 * - `YYYY-MM-DD hh:mm:ss`, the wall clock of `zone` (also with a `T` or a fraction); in the hour that clocks skip it is
 *   moved past the gap, in the hour that they repeat it is the earlier one (Temporal's "compatible");
 * - epoch seconds, 10 digits, and epoch milliseconds, 13 digits, as a number or as text: both are the years 2001 to 2286,
 *   so that a date in digits, such as 20261120, is not taken for an epoch;
 * - `""`, null, undefined, 0 and Go's zero time: never.
 */
export function readTime(value: unknown, zone: string): TimeReading {
  if (value === null || value === undefined || value === "" || value === 0 || value === "0") return NEVER;
  if (typeof value !== "string" && typeof value !== "number") return UNREAD;
  const text = String(value);
  if (EPOCH_SECONDS.test(text)) return { instant: instantOf(Math.round(Number(text) * 1000)) };
  if (EPOCH_MILLISECONDS.test(text)) return { instant: instantOf(Math.floor(Number(text))) };

  const epochMs = readWithOffset(text) ?? readWallClock(text, zone);
  if (epochMs === undefined || epochMs >= END_OF_YEAR_9999) return UNREAD;
  return epochMs < FIRST_REAL_TIME ? NEVER : { instant: instantOf(epochMs) };
}

function readWithOffset(text: string): number | undefined {
  const [, date, time, offset] = WITH_OFFSET.exec(text) ?? [];
  if (date === undefined) return undefined;
  return unlessImpossible(() => Temporal.Instant.from(`${date}T${time}${offset}`))?.epochMilliseconds;
}

function readWallClock(text: string, zone: string): number | undefined {
  const [, date, time] = WALL_CLOCK.exec(text) ?? [];
  if (date === undefined) return undefined;
  const wall = unlessImpossible(() => Temporal.PlainDateTime.from(`${date}T${time}`));
  // Outside of the guard: a zone that does not exist is our own fault, and no unread field.
  return wall?.toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds;
}

/** 2026-02-30 and 25:00:00 look like times, and are none. */
function unlessImpossible<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
