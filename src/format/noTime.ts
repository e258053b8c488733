// Recognises what programs write where there is no time: the first day of their calendar, a number that is not positive, or a word.
// test/corpus/times.ts has the spellings, each with the program that writes it.
import { parseDay } from "./instant.ts";
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

/**
 * The days that stand for "none", in days from 1970-01-01. They begin the calendars of Windows' files, SQL Server, MySQL (month 0
 * counted), Excel (two), Mac spreadsheets, Unix, FAT, PostgreSQL and Cocoa. The last one ends most calendars.
 */
const NO_DAYS = [
  "1601-01-01",
  "1753-01-01",
  "1899-11-30",
  "1899-12-30",
  "1900-01-01",
  "1904-01-01",
  "1970-01-01",
  "1980-01-01",
  "2000-01-01",
  "2001-01-01",
  "9999-12-31",
].map((date) => (parseDay(date) ?? 0) / DAY_MS);

/** Whether a value that is no believable time says that there is none. Of a date, the day before and after count too: zones differ. */
export function meansNever(value: string | number): boolean {
  const text = String(value).trim();
  if (typeof value === "string" && WORDS.has(text.toLowerCase())) return true;
  if (NOT_POSITIVE.test(text) || FIRST_YEARS.test(text)) return true;
  const [, year, month, date] = DATE.exec(text) ?? [];
  const dayMs = year === undefined ? undefined : parseDay(`${year}-${month}-${date}`);
  return dayMs !== undefined && NO_DAYS.some((day) => Math.abs(dayMs / DAY_MS - day) <= 1);
}
