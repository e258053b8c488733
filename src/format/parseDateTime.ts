// Reads date and time at the beginning of a text. By code unit and not by a pattern: it runs for each of the three times of
// each row.
import { daysOfDate } from "./gregorian.ts";

const DAY_MS = 86_400_000;
const ZERO = 48;

/**
 * `YYYY-MM-DD hh:mm:ss`, also with a `T`, in milliseconds as if the clock stood in UTC; what follows is not looked at.
 * Undefined for 2026-02-30 and 25:00:00, which look like times, and are none.
 */
export function parseDateTime(text: string): number | undefined {
  if (text.length < 19 || text[4] !== "-" || text[7] !== "-" || text[13] !== ":" || text[16] !== ":") return undefined;
  if (text[10] !== " " && text[10] !== "T" && text[10] !== "t") return undefined;
  return clockMs(
    digits(text, 0) * 100 + digits(text, 2),
    digits(text, 5),
    digits(text, 8),
    digits(text, 11),
    digits(text, 14),
    digits(text, 17),
  );
}

/** The number of two digits; NaN where they are none. */
function digits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function clockMs(year: number, month: number, day: number, hour: number, minute: number, second: number) {
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
