/** An instant as RFC 3339 text in UTC with milliseconds, `2026-11-20T09:30:00.000Z`: such texts sort by time. */
export type Instant = string;

const DAY_MS = 86_400_000;
/** 0000-03-01, from which years are counted so that a leap day is the last day of its year. */
const DAYS_TO_1970 = 719_468;
const DAYS_IN_ERA = 146_097;
const TEN_THOUSAND_YEARS_MS = Date.UTC(10_000, 0, 1);
const YEAR_0_MS = Date.parse("0000-01-01T00:00:00Z");

const two = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));
const three = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

/**
 * `epochMs`: whole milliseconds. Throws RangeError for what is no time. It is Date's toISOString in a third of the time,
 * for it runs for each time of each row: by the calendar's arithmetic (Howard Hinnant, "chrono-compatible low-level date
 * algorithms"), and for years of four digits only.
 */
export function instantOf(epochMs: number): Instant {
  const isUsual = Number.isInteger(epochMs) && epochMs >= YEAR_0_MS && epochMs < TEN_THOUSAND_YEARS_MS;
  if (!isUsual) return new Date(epochMs).toISOString();
  const days = Math.floor(epochMs / DAY_MS);
  const ms = epochMs - days * DAY_MS;
  const seconds = Math.floor(ms / 1000);
  const hour = two[Math.floor(seconds / 3600)];
  const minute = two[Math.floor(seconds / 60) % 60];
  return `${dateOf(days)}T${hour}:${minute}:${two[seconds % 60]}.${three[ms % 1000]}Z`;
}

/** `YYYY-MM-DD`, by the days since 1970-01-01. */
function dateOf(days: number): string {
  const sinceYear0 = days + DAYS_TO_1970;
  const era = Math.floor(sinceYear0 / DAYS_IN_ERA);
  const dayOfEra = sinceYear0 - era * DAYS_IN_ERA;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${two[Math.floor(year / 100)]}${two[year % 100]}-${two[month]}-${two[day]}`;
}
