// The hours of a task around an instant: when it may call. A period that does not end after it begins goes over midnight.
import type { TaskDays } from "../config/variables.ts";
import { readDate, readTimeOfDay } from "../format/scheduleText.ts";

/** Epoch milliseconds. */
export interface Hours {
  begin: number;
  end: number;
  /** False: the service's document leaves open whether a task calls after its start date, and UPSTREAM_TASK_DAYS does not say it. */
  isSure: boolean;
}

/** As the service has them. */
export interface ScheduleOption {
  startDate: string | null;
  periods: readonly (readonly string[])[];
}

/** Hours around an instant. Hours that touch are one, and begin on the day of the first of them. */
export interface HoursAround {
  /** Those in which it is. */
  current: Hours | null;
  /** Those that ended last, where that was not before yesterday's midnight. */
  last: (Hours & { isBreak: boolean }) | null;
}

/** Hours that touch at midnight are one: those of the days before and after tell when they begin and end. */
const DAYS = [-2, -1, 0, 1] as const;
const DAY_SECONDS = 86_400;
/** Many programs write the end of a day as 23:59. */
const TOUCHING_MS = 60_000;

/**
 * Null where a part of the option is missing or not read: the hours are not known. `isBreak`: others begin later on the day on which the last ones
 * began, so that the day is not over.
 */
export function hoursAround(
  { startDate, periods }: ScheduleOption,
  { days, timeZone, now }: { days: TaskDays | null; timeZone: string; now: number },
): HoursAround | null {
  const first = startDate === null ? null : readDate(startDate);
  if (first === null || typeof first === "string" || periods.length === 0) return null;
  const times = periods.map(readPeriod).filter((period) => period !== null);
  if (times.length < periods.length) return null;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const all: DayHours[] = [];
  for (const offset of DAYS) {
    const day = today.add({ days: offset });
    const sinceFirst = Temporal.PlainDate.compare(day, first);
    if (sinceFirst < 0 || (sinceFirst > 0 && days === "first")) continue;
    const at = (seconds: number) => day.toPlainDateTime().add({ seconds }).toZonedDateTime(timeZone).epochMilliseconds;
    for (const { from, to } of times) {
      const [begin, end] = [at(from), at(to > from ? to : to + DAY_SECONDS)];
      // The clock may be set forward over all of them.
      if (begin < end) all.push({ begin, end, isSure: sinceFirst === 0 || days !== null, day: offset });
    }
  }
  const joined = join(all);
  const current = joined.find(({ begin, end }) => begin <= now && now < end);
  const last = joined.findLast(({ end }) => end <= now);
  const isBreak = joined.some(({ begin, day }) => begin > now && day === last?.day);
  return { current: current ? hoursOf(current) : null, last: last ? { ...hoursOf(last), isBreak } : null };
}

/** `day`: on which they begin, from today. */
interface DayHours extends Hours {
  day: number;
}

const hoursOf = ({ begin, end, isSure }: DayHours): Hours => ({ begin, end, isSure });

function readPeriod(texts: readonly string[]): { from: number; to: number } | null {
  const [from, to, ...more] = texts.map(readTimeOfDay);
  // Equal times may mean a whole day, or nothing.
  return typeof from === "number" && typeof to === "number" && from !== to && more.length === 0 ? { from, to } : null;
}

function join(all: readonly DayHours[]): DayHours[] {
  const joined: DayHours[] = [];
  for (const hours of all.toSorted((a, b) => a.begin - b.begin)) {
    const before = joined.at(-1);
    if (!before || hours.begin > before.end + TOUCHING_MS) joined.push({ ...hours });
    else if (hours.end > before.end) Object.assign(before, { end: hours.end, isSure: before.isSure && hours.isSure });
  }
  return joined;
}
