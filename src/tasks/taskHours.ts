// The hours of a task around an instant: when it may call. A period that does not end after it begins goes over midnight.
import type { TaskDays } from "../config/variables.ts";
import { readDate, readTimeOfDay } from "../format/scheduleText.ts";
import { HOUR_MS, MINUTE_MS } from "../util/durations.ts";

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

/** Hours around an instant. Hours that touch are one, where they are equally sure. */
export interface HoursAround {
  /** Those in which it is. */
  current: Hours | null;
  /** Those that ended last, where they began on the day before yesterday or later. `isBreak`: a short pause follows, and not the end of a day. */
  last: (Hours & { isBreak: boolean }) | null;
}

/** Hours that touch at midnight are one: those of the days before and after tell when they begin and end. */
const DAYS = [-2, -1, 0, 1] as const;
const DAY_SECONDS = 86_400;
/** Many programs write the end of a day as 23:59. In a few minutes nobody calls less than in a pause between two calls. */
const TOUCHING_MS = 5 * MINUTE_MS;
/** A pause is a break where another one is longer by more than this: the clock is set on or back by an hour in some nights. */
const BREAK_MS = 2 * HOUR_MS;

/** Null where a part of the option is missing or not read: the hours are not known. */
export function hoursAround(
  { startDate, periods }: ScheduleOption,
  { days, timeZone, now }: { days: TaskDays | null; timeZone: string; now: number },
): HoursAround | null {
  const first = startDate === null ? null : readDate(startDate);
  if (first === null || typeof first === "string" || periods.length === 0) return null;
  const times = periods.map(readPeriod).filter((period) => period !== null);
  if (times.length < periods.length) return null;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const all: Hours[] = [];
  for (const offset of DAYS) {
    const day = today.add({ days: offset });
    const sinceFirst = Temporal.PlainDate.compare(day, first);
    if (sinceFirst < 0 || (sinceFirst > 0 && days === "first")) continue;
    const at = (seconds: number) => day.toPlainDateTime().add({ seconds }).toZonedDateTime(timeZone).epochMilliseconds;
    for (const { from, to } of times) {
      const [begin, end] = [at(from), at(to > from ? to : to + DAY_SECONDS)];
      // The clock may be set forward over all of them.
      if (begin < end) all.push({ begin, end, isSure: sinceFirst === 0 || days !== null });
    }
  }
  const joined = join(all);
  const current = joined.find(({ begin, end }) => begin <= now && now < end) ?? null;
  const at = joined.findLastIndex(({ end }) => end <= now);
  const last = joined[at];
  return {
    current,
    last: last ? { ...last, isBreak: days === "first" ? at + 1 < joined.length : isBreakAt(joined, at) } : null,
  };
}

/** The longest pause of a day is its end. */
function isBreakAt(joined: readonly Hours[], at: number): boolean {
  const pauses = joined.slice(1).map(({ begin }, index) => begin - (joined[index]?.end ?? begin));
  return (pauses[at] ?? Infinity) < Math.max(...pauses) - BREAK_MS;
}

function readPeriod(texts: readonly string[]): { from: number; to: number } | null {
  const [from, to, ...more] = texts.map(readTimeOfDay);
  // Equal times may mean a whole day, or nothing.
  return typeof from === "number" && typeof to === "number" && from !== to && more.length === 0 ? { from, to } : null;
}

function join(all: readonly Hours[]): Hours[] {
  const joined: Hours[] = [];
  for (const hours of all.toSorted((a, b) => a.begin - b.begin)) {
    const before = joined.at(-1);
    const isOther = !before || hours.begin > before.end + TOUCHING_MS || hours.isSure !== before.isSure;
    if (isOther) joined.push({ ...hours });
    else before.end = Math.max(before.end, hours.end);
  }
  return joined;
}
