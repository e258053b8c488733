// Days and dates of the Gregorian calendar, by arithmetic alone (Howard Hinnant, "chrono-compatible low-level date
// algorithms"): Date would take three times as long, and this runs for each time of each row.

/** Years are counted from a first of March, so that a leap day is the last day of its year; 0000-03-01 was this long before 1970. */
const DAYS_TO_1970 = 719_468;
const DAYS_IN_ERA = 146_097;
const YEARS_IN_ERA = 400;

export interface CivilDate {
  year: number;
  /** 1 to 12. */
  month: number;
  /** 1 to 31. */
  day: number;
}

/** The date so many days after 1970-01-01, or before it where `days` is negative. */
export function dateOfDays(days: number): CivilDate {
  const sinceYear0 = days + DAYS_TO_1970;
  const era = Math.floor(sinceYear0 / DAYS_IN_ERA);
  const dayOfEra = sinceYear0 - era * DAYS_IN_ERA;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return { year: yearOfEra + era * YEARS_IN_ERA + (month <= 2 ? 1 : 0), month, day };
}

/** Days from 1970-01-01 to a date that there is. */
export function daysOfDate({ year, month, day }: CivilDate): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / YEARS_IN_ERA);
  const yearOfEra = marchYear - era * YEARS_IN_ERA;
  const monthFromMarch = month <= 2 ? month + 9 : month - 3;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_IN_ERA + dayOfEra - DAYS_TO_1970;
}
