// The hours of a task around an instant: when it may call. A period that does not end after it begins goes over midnight.
import type { TaskDays } from "../config/variables.ts";
import { readDate, readTimeOfDay } from "../format/scheduleText.ts";
import { MINUTE_MS } from "../util/durations.ts";

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
  /** Those that ended last: of a task that calls on its start date only, however long ago; of others since the day before yesterday. */
  last: EndedHours | null;
}

/** `next`: the hours that follow. Null: none do. `isBreak`: the pause before them is short, and not the end of a day. */
export interface EndedHours extends Hours {
  next: { isSure: boolean; isBreak: boolean } | null;
}

/** Hours that touch at midnight are one: those of the days before and after tell when they begin and end. The clock may skip all of a day's. */
const DAYS = [-2, -1, 0, 1, 2] as const;
const DAY_SECONDS = 86_400;
/** Many programs write the end of a day as 23:59. In a few minutes nobody calls less than in a pause between two calls. */
const TOUCHING_MS = 5 * MINUTE_MS;
/** A pause of the clock's day is a break where another one is longer by more than this. */
const BREAK_SECONDS = 2 * 60 * 60;

/** A part of a day, in seconds since its midnight. `to` may be on the next one. `isBreak`: of the pause that follows. */
interface Period {
  from: number;
  to: number;
  isBreak: boolean;
}

interface OwnHours extends Hours {
  isBreak: boolean;
}

/** Null where a part of the option is missing or not read: the hours are not known. */
export function hoursAround(
  { startDate, periods }: ScheduleOption,
  { days, timeZone, now }: { days: TaskDays | null; timeZone: string; now: number },
): HoursAround | null {
  const first = startDate === null ? null : readDate(startDate);
  if (first === null || typeof first === "string" || periods.length === 0) return null;
  const read = periods.map(readPeriod).filter((period) => period !== null);
  if (read.length < periods.length) return null;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const all: OwnHours[] = [];
  for (const day of days === "first" ? [first] : DAYS.map((offset) => today.add({ days: offset }))) {
    const sinceFirst = Temporal.PlainDate.compare(day, first);
    if (sinceFirst < 0) continue;
    const at = (seconds: number) => day.toPlainDateTime().add({ seconds }).toZonedDateTime(timeZone).epochMilliseconds;
    for (const { from, to, isBreak } of withBreaks(read)) {
      const [begin, end] = [at(from), at(to)];
      // The clock may be set forward over all of them.
      if (begin < end) all.push({ begin, end, isBreak, isSure: sinceFirst === 0 || days !== null });
    }
  }
  const joined = join(all);
  const current = joined.find(({ begin, end }) => begin <= now && now < end) ?? null;
  const at = joined.findLastIndex(({ end }) => end <= now);
  const [last, following] = [joined[at], joined[at + 1]];
  if (!last) return { current, last: null };
  const { isBreak, ...hours } = last;
  if (days === "first")
    return { current, last: { ...hours, next: following ? { isSure: true, isBreak: true } : null } };
  return { current, last: { ...hours, next: { isSure: following?.isSure ?? days !== null, isBreak } } };
}

/** By the clock of a day without end, so that no night in which it is set makes a pause longer or shorter. */
function withBreaks(read: readonly Pick<Period, "from" | "to">[]): Period[] {
  const after = (from: number, to: number) => (((to - from) % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  const pauses = read.map(({ to }) =>
    // Others go on at that time.
    read.some((other) => after(other.from, to) < other.to - other.from)
      ? 0
      : Math.min(...read.map(({ from }) => after(to, from))),
  );
  const longest = Math.max(...pauses);
  return read.map((period, index) => ({ ...period, isBreak: (pauses[index] ?? 0) < longest - BREAK_SECONDS }));
}

function readPeriod(texts: readonly string[]): Pick<Period, "from" | "to"> | null {
  const [from, to, ...more] = texts.map(readTimeOfDay);
  // Equal times may mean a whole day, or nothing.
  if (typeof from !== "number" || typeof to !== "number" || from === to || more.length > 0) return null;
  return { from, to: to > from ? to : to + DAY_SECONDS };
}

/** Hours that are not sure begin where those that are sure end. These are of the start date, and begin before them. */
function join(all: readonly OwnHours[]): OwnHours[] {
  const joined: OwnHours[] = [];
  for (const hours of all.toSorted((a, b) => a.begin - b.begin)) {
    const before = joined.at(-1);
    const isAlike = hours.isSure === before?.isSure;
    if (before && isAlike && hours.begin <= before.end + TOUCHING_MS) {
      if (hours.end > before.end) Object.assign(before, { end: hours.end, isBreak: hours.isBreak });
      continue;
    }
    const begin = Math.max(hours.begin, before?.end ?? -Infinity);
    if (begin < hours.end) joined.push({ ...hours, begin });
  }
  return joined;
}
