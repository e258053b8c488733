// Recognises what programs write where there is no time: the first or last day of their calendar, a number that is not positive, or a
// word. The spellings are in test/corpus/times.ts, each with the program that writes it.
import { parseDay } from "./instant.ts";
import { plainText } from "../util/text/plainText.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../util/durations.ts";

/** The service's voice assistants are younger. An earlier time is never believed. */
export const FIRST_CALL_MS = Date.UTC(2010, 0, 1);
/** The day before clocks of 32 bits end. A time from here on is never believed, because programs write such days for "never". */
export const END_OF_CALLS_MS = Date.UTC(2038, 0, 18);

const WORDS = new Set(
  String.raw`null nil <nil> (nil) (null) \n none (none) <none> undefined never nan nat n/a na 00:00:00 infinity -infinity 无 暂无 空`
    .split(" ")
    .concat("", "invalid date"),
);
const NOT_POSITIVE = /^(-\d+|-?0+)(\.\d+)?$/;
/** The epoch's first moment in a zone east of UTC, such as 28800, in seconds or milliseconds. */
const EARLY = /^\d{4,5}(000)?$/;
const QUARTER_MS = 15 * MINUTE_MS;
/** .NET writes so for JSON. */
const DOT_NET = /^\\?\/Date\((-?\d+)([+-]\d{4})?\)\\?\/$/;
const EPOCH = /^\d{10,}(\.\d+)?$/;
/** `-`, `--:--`, `--/--/----`. */
const SIGNS = /^[-–—/:.\s]+$/;
/** Go, .NET and Java count from the year 1. MySQL writes 0000-00-00, which PHP turns into a year before it. */
const FIRST_YEARS = /^-?000[01][-/]|^\d\d?[-/.]\d\d?[-/.]000[01](?!\d)|^[A-Z][a-z]{2},? .*\b0001$/;
/** The ends of calendars of Java, JavaScript and PostgreSQL: years with five digits, or before the first. */
const FAR_YEARS = /^[+-]?\d{5,10}-\d\d-\d\d(?!\d)| BC$/;
/** A spreadsheet shows day 0 so. */
const DAY_ZERO = /^1900[-/]0?1[-/]00?(?!\d)|^0?1\/00?\/1900(?!\d)/;

const YEAR_FIRST = /^(?<year>\d{4})[-/.年](?<month>\d\d?)[-/.月](?<day>\d\d?)(?!\d)/;
const DIGITS = /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:\d{6})?$/;
/** `1/1/1900`, in which the month and the day may change places. */
const YEAR_LAST = /^(?<month>\d\d?)[-/.](?<day>\d\d?)[-/.](?<year>\d{4})(?!\d)/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** C, Java, JavaScript and mail: `Thu Jan 01 08:00:00 CST 1970`, `Thu Jan 01 1970 …`, `Thu, 01 Jan 1970 …`. */
const NAMED = [
  /^[A-Z][a-z]{2} (?<name>[A-Z][a-z]{2}) +(?<day>\d\d?) (?:[\d:]{5,8} (?:\S+ )?)?(?<year>\d{4})\b/,
  /^[A-Z][a-z]{2}, (?<day>\d\d?) (?<name>[A-Z][a-z]{2}) (?<year>\d{4})\b/,
  /^(?<name>[A-Z][a-z]{2}) (?<day>\d\d?), (?<year>\d{4})\b/,
];

/**
 * The days that stand for "none", in days from 1970-01-01. They begin the calendars of Windows' files, pandas, SQL Server, Go's
 * nanoseconds, VMS, MySQL (month 0 counted), Excel (two), clocks of 32 bits, Mac spreadsheets, Unix, FAT, PostgreSQL and Cocoa. The
 * others end clocks of 32 bits (signed, SQL Server's minutes, unsigned) and of 64 bits, or most calendars, or are what people enter
 * for "for ever".
 */
const NO_DAYS = new Set(
  `1601-01-01 1677-09-21 1753-01-01 1754-08-30 1858-11-17 1899-11-30 1899-12-30 1900-01-01 1901-12-13 1904-01-01 1970-01-01 1980-01-01 2000-01-01 2001-01-01
   2038-01-19 2079-06-06 2099-12-31 2106-02-07 2262-04-11 2999-12-31 9998-12-31 9999-12-31`
    .split(/\s+/)
    .map((date) => (parseDay(date) ?? 0) / DAY_MS)
    .flatMap((day) => [day - 1, day, day + 1]),
);

/** Whether a value that is no believable time says that there is none. Of a date, the day before and after count too: zones differ. */
export function meansNever(value: string | number): boolean {
  const text = plainText(String(value));
  if (typeof value === "string" && WORDS.has(text.toLowerCase())) return true;
  if ([NOT_POSITIVE, SIGNS, FIRST_YEARS, FAR_YEARS, DAY_ZERO].some((form) => form.test(text)) || isEarly(text))
    return true;
  const dotNet = DOT_NET.exec(text)?.[1];
  if (dotNet !== undefined) return Number(dotNet) <= 0;
  return daysOf(text).some((day) => NO_DAYS.has(day)) || epochDaysOf(text).some((day) => NO_DAYS.has(day));
}

function isEarly(text: string): boolean {
  if (!EARLY.test(text)) return false;
  const offsets = [Number(text) * 1000, Number(text)];
  return offsets.some((ms) => ms % QUARTER_MS === 0 && ms >= HOUR_MS && ms <= 14 * HOUR_MS);
}

/** Reads a number as seconds and as milliseconds. Numbers of nanoseconds and the largest of 64 bits are far from every day. */
function epochDaysOf(text: string): number[] {
  return EPOCH.test(text) ? [Number(text) * 1000, Number(text)].map((ms) => Math.floor(ms / DAY_MS)) : [];
}

/** In days from 1970-01-01. */
function daysOf(text: string): number[] {
  const { year, month, day, name } = groupsOf(text);
  if (year === undefined) return [];
  const number = month ?? String(MONTHS.indexOf(name ?? "") + 1);
  const dates = [[number, day], ...(YEAR_LAST.test(text) ? [[day, number]] : [])].map((parts) =>
    [year, ...parts.map((part = "") => part.padStart(2, "0"))].join("-"),
  );
  return dates.flatMap((date) => {
    const ms = parseDay(date);
    return ms === undefined ? [] : [ms / DAY_MS];
  });
}

function groupsOf(text: string): Partial<Record<"year" | "month" | "day" | "name", string>> {
  for (const form of [YEAR_FIRST, DIGITS, YEAR_LAST, ...NAMED]) {
    const found = form.exec(text);
    if (found) return found.groups ?? {};
  }
  return {};
}
