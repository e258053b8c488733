/** An instant as RFC 3339 text in UTC with milliseconds, `2026-11-20T09:30:00.000Z`: such texts sort by time. */
export type Instant = string;

const HOUR_MS = 3_600_000;
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
  const hour = Math.floor(epochMs / HOUR_MS);
  if (hour !== last.hour) last = { hour, text: hourOf(hour) };
  const ms = epochMs - hour * HOUR_MS;
  const second = Math.floor(ms / 1000);
  return last.text + (ms % 1000 === 0 ? wholeSecond(second) : `${minuteOf(second)}.${three[ms % 1000]}Z`);
}

/** The hour that was asked for last, `2026-11-20T09`: the times of a call and of its neighbours are mostly of one. */
let last = { hour: 0, text: "1970-01-01T00" };
/** `:30:00.000Z`, by the second of the hour: most times are whole seconds, and share these texts. */
const wholeSeconds: (string | undefined)[] = Array.from({ length: 3600 });

function wholeSecond(second: number): string {
  return (wholeSeconds[second] ??= `${minuteOf(second)}.000Z`);
}

/** `:30:00` */
function minuteOf(second: number): string {
  return `:${two[Math.floor(second / 60)]}:${two[second % 60]}`;
}

function hourOf(hour: number): string {
  const day = Math.floor(hour / 24);
  return `${dateOf(day)}T${two[hour - day * 24]}`;
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
