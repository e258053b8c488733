// Recognises what programs write where there is no time: the first day of their calendar, a number that is not positive, or a word.
// test/corpus/times.ts has the spellings, each with the program that writes it.
import { daysOfDate, parseDay } from "./instant.ts";
import { DAY_MS } from "../util/durations.ts";

/** The service's voice assistants are younger. An earlier time is never believed. */
export const FIRST_CALL_MS = Date.UTC(2010, 0, 1);

const WORDS = new Set(
  "null nil <nil> none undefined never nan nat n/a na - -- – — infinity -infinity"
    .split(" ")
    .concat("", "invalid date"),
);
const NOT_POSITIVE = /^(-\d+|-?0+)(\.\d+)?$/;
/** Go, .NET and Java count from the year 1. MySQL writes 0000-00-00, which PHP turns into a year before it. */
const FIRST_YEARS = /^-?000[01]-/;
const DATE = /^(\d{4})[-/](\d\d)[-/](\d\d)(?!\d)/;

/** The days that stand for "none", in days from 1970-01-01. */
const NO_DAYS = [
  [1601, 1, 1], // Windows' file times
  [1753, 1, 1], // SQL Server
  [1899, 11, 30], // MySQL's zero date, counted from year 1900 and month 0
  [1899, 12, 30], // Excel, Access, Delphi
  [1900, 1, 1], // Excel, SQL Server
  [1904, 1, 1], // Excel and file systems of the Mac
  [1970, 1, 1], // Unix
  [1980, 1, 1], // FAT
  [2000, 1, 1], // PostgreSQL, iOS
  [2001, 1, 1], // Cocoa
  [9999, 12, 31], // the last day of most calendars
].map(([year = 0, month = 0, day = 0]) => daysOfDate({ year, month, day }));

/** Whether a value that is no believable time says that there is none. Of a date, the day before and after count too: zones differ. */
export function meansNever(value: string | number): boolean {
  const text = String(value).trim();
  if (typeof value === "string" && WORDS.has(text.toLowerCase())) return true;
  if (NOT_POSITIVE.test(text) || FIRST_YEARS.test(text)) return true;
  const [, year, month, date] = DATE.exec(text) ?? [];
  const dayMs = year === undefined ? undefined : parseDay(`${year}-${month}-${date}`);
  return dayMs !== undefined && NO_DAYS.some((day) => Math.abs(dayMs / DAY_MS - day) <= 1);
}
