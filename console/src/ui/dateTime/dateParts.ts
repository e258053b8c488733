// Arithmetic of dates as text (`2026-11-26`), without a zone. It ends with the year 9999, as these texts do.
const DAY_MS = 86_400_000;

const msOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const FIRST_MS = msOf("0001-01-01");
const LAST_MS = msOf("9999-12-31");
const dateAt = (ms: number): string => new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString().slice(0, 10);
/** Date.UTC takes the years below 100 for those of the last century. */
const utc = (year: number, month: number, day: number): number => new Date(0).setUTCFullYear(year, month, day);

export const addDays = (date: string, days: number): string => dateAt(msOf(date) + days * DAY_MS);

/** The same day of another month, or its last one. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const last = new Date(utc(year, month + months, 0)).getUTCDate();
  return dateAt(utc(year, month - 1 + months, Math.min(day, last)));
}

/** 0 is Monday. */
export const weekdayOf = (date: string): number => (new Date(msOf(date)).getUTCDay() + 6) % 7;

/** Its weeks from Monday on, with the days of the months before and after. */
export function weeksOf(date: string): string[][] {
  const first = `${date.slice(0, 8)}01`;
  const start = addDays(first, -weekdayOf(first));
  const weeks = Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_day, at) => addDays(start, week * 7 + at)),
  );
  return weeks.filter(([monday = "", , , , , , sunday = ""]) => isSameMonth(monday, date) || isSameMonth(sunday, date));
}

export const isSameMonth = (one: string, other: string): boolean => one.slice(0, 7) === other.slice(0, 7);

/** A date written by Intl. */
export function dateText(date: string, locale: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(msOf(date)).replace(",", "");
}
