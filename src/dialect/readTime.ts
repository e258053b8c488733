// Reads a time in any form the service may write (service.md names none but the wall clock's). What is not clearly one
// of the forms below is unread: a time is never guessed.
import { daysOfDate } from "./civil.ts";
import { instantOf, type Instant } from "./instant.ts";
import { instantOfWallClock } from "./wallClock.ts";

/** `instant: null` is "never" or "not given"; unread is a value that means something else. */
export type TimeReading = { instant: Instant | null } | { unread: true };

const UNREAD: TimeReading = { unread: true };
const NEVER: TimeReading = { instant: null };

/** What may follow date and time: a fraction, of which three digits count, and an offset. */
const TAIL = /^(?:\.(\d{1,3})\d*)?(?:([Zz])|([+-])(\d\d):?(\d\d))?$/;
const EPOCH_SECONDS = /^\d{10}(\.\d+)?$/;
const EPOCH_MILLISECONDS = /^\d{13}(\.\d+)?$/;

/** Go's zero time is 0001-01-01 in UTC, and up to a day to either side of it in a local zone. */
const FIRST_REAL_TIME = Date.parse("0002-01-01T00:00:00Z");
const END_OF_YEAR_9999 = Date.UTC(10_000, 0, 1);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

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
  const epochMs = readCalendar(text, zone) ?? readEpoch(text);
  if (epochMs === undefined || epochMs >= END_OF_YEAR_9999) return UNREAD;
  return epochMs < FIRST_REAL_TIME ? NEVER : { instant: instantOf(epochMs) };
}

function readEpoch(text: string): number | undefined {
  if (EPOCH_SECONDS.test(text)) return Math.round(Number(text) * 1000);
  return EPOCH_MILLISECONDS.test(text) ? Math.floor(Number(text)) : undefined;
}

/** By code unit and not by a pattern: it runs for each of the three times of each row. */
function readCalendar(text: string, zone: string): number | undefined {
  if (text.length < 19 || text[4] !== "-" || text[7] !== "-" || text[13] !== ":" || text[16] !== ":") return undefined;
  if (text[10] !== " " && text[10] !== "T" && text[10] !== "t") return undefined;
  const wallMs = epochMsOf(
    digits(text, 0) * 100 + digits(text, 2),
    digits(text, 5),
    digits(text, 8),
    digits(text, 11),
    digits(text, 14),
    digits(text, 17),
  );
  if (wallMs === undefined) return undefined;
  return text.length === 19 ? instantOfWallClock(wallMs, zone) : readTail(text.slice(19), wallMs, zone);
}

function readTail(tail: string, wallMs: number, zone: string): number | undefined {
  const parts = TAIL.exec(tail);
  if (parts === null) return undefined;
  const [, fraction = "", utc, sign, hours, minutes] = parts;
  const milliseconds = fraction === "" ? 0 : Number(fraction.padEnd(3, "0"));
  if (utc !== undefined) return wallMs + milliseconds;
  if (sign === undefined) return instantOfWallClock(wallMs, zone) + milliseconds;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return wallMs + milliseconds - (sign === "-" ? -offsetMs : offsetMs);
}

/** The number of two digits; NaN where they are none. */
function digits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

const ZERO = 48;

/** As if the clock stood in UTC. Undefined for 2026-02-30 and 25:00:00, which look like times, and are none. */
function epochMsOf(year: number, month: number, day: number, hour: number, minute: number, second: number) {
  // A NaN among them makes one of these false.
  const isDay = year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, year);
  if (!isDay || !(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  if (day !== last.day || month !== last.month || year !== last.year)
    last = { year, month, day, days: daysOfDate({ year, month, day }) };
  return last.days * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000;
}

/** The day that was read last: the times of a call and of its neighbours are mostly of one. */
let last = { year: 1970, month: 1, day: 1, days: 0 };

function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
