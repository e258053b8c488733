// The dates and times of day of a new task. The service's document names no format for them (section 4.3), so other texts than the
// usual ones are `unknown`, and not refused.

/** Seconds from the begin of the day: 24:00 is its end. `impossible`: a text like 25:00. */
export function readTimeOfDay(text: string): number | "impossible" | "unknown" {
  const [, hour, minute, second] = /^\s*(\d{1,2}):(\d{2})(?::(\d{2}))?\s*$/.exec(text) ?? [];
  if (hour === undefined) return "unknown";
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second ?? 0);
  return Number(minute) < 60 && Number(second ?? 0) < 60 && seconds <= 86_400 ? seconds : "impossible";
}

/** The years of a task's first day. Another one is a slip, such as 0206 for 2026. */
export const FIRST_YEAR = 2000;
export const LAST_YEAR = 2199;

/** A text that begins like a date is checked against the calendar. `implausible`: a date of another year than a task can have. */
export function readDate(text: string): Temporal.PlainDate | "impossible" | "implausible" | "unknown" {
  const [, year, month, day] = /^\s*(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/.exec(text)?.toSpliced(2, 1) ?? [];
  if (year === undefined) return "unknown";
  try {
    const fields = { year: Number(year), month: Number(month), day: Number(day) };
    const date = Temporal.PlainDate.from(fields, { overflow: "reject" });
    return date.year < FIRST_YEAR || date.year > LAST_YEAR ? "implausible" : date;
  } catch {
    return "impossible";
  }
}

/** Such as 09:00, with seconds where they are not zero. */
export function writeTimeOfDay(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts
    .slice(0, seconds % 60 === 0 ? 2 : 3)
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}
