// When a task calls, as far as its option says it: its periods as instants, and whether calls begin at once. The service's document leaves
// open whether a task goes on after its start date (section 4.3), so UPSTREAM_TASK_DAYS says it.
import type { TaskDays } from "../../config/variables.ts";
import { epochMsOf, instantOf, type Instant } from "../../format/instant.ts";
import { readDate, readTimeOfDay, writeTimeOfDay } from "../../format/scheduleText.ts";

/** A member is null where it is not known. */
export interface TaskSchedule {
  /** The service's IANA zone. */
  timeZone: string;
  /** Such as 2026-11-20. */
  startDate: string | null;
  days: TaskDays | null;
  periods: TaskPeriod[];
  /** `over`: all of its periods have ended. */
  begin: "atOnce" | "later" | "over" | null;
  /** Null unless `begin` is later. */
  startsAt: Instant | null;
}

/** Null where the text is in a form that the gateway does not read. */
export interface TaskPeriod {
  /** Times of day by the service's clock, such as 09:00. */
  from: string | null;
  to: string | null;
  /** When it begins and ends on its next day of calls: the start date, and a later day where it calls daily. */
  startsAt: Instant | null;
  /** Null also where it does not end after it begins: the document does not say on which day it would end. */
  endsAt: Instant | null;
}

/** As the input has them. */
export interface ScheduleTexts {
  startDate: string;
  periods: readonly (readonly string[])[];
}

export type DescribeSchedule = (texts: ScheduleTexts) => TaskSchedule;

export interface ScheduleDeps {
  timeZone: string;
  days: TaskDays | null;
  clock: () => number;
}

type Span = Pick<TaskPeriod, "startsAt" | "endsAt">;

export function createDescribeSchedule({ timeZone, days, clock }: ScheduleDeps): DescribeSchedule {
  return ({ startDate, periods }) => {
    const date = readDate(startDate);
    const read = periods.map((texts) => (texts.length === 2 ? texts.map(readTimeOfDay) : []));
    const spansOn = (day: Temporal.PlainDate | null) => read.map((times) => spanOn(day, times, timeZone));
    const first = typeof date === "string" ? null : date;
    const now = Temporal.Instant.fromEpochMilliseconds(clock()).toZonedDateTimeISO(timeZone);
    const today = now.toPlainDate();
    const hasBegun = first !== null && days === "daily" && Temporal.PlainDate.compare(first, today) < 0;
    const day = hasBegun ? today : first;
    const spans = spansOn(day);
    const later = day !== null && days === "daily" ? spansOn(day.add({ days: 1 })) : [];
    const overnight = hasBegun ? read.filter((times) => mayRunSinceYesterday(times, now.toPlainTime())) : [];
    const earlier = overnight.map((times) => spanOn(today.subtract({ days: 1 }), times, timeZone));
    const isOver = spans.every(({ endsAt }) => endsAt !== null && epochMsOf(endsAt) <= clock());
    const next = isOver && later.length > 0 ? later : spans;
    return {
      timeZone,
      startDate: first?.toString() ?? null,
      days,
      periods: next.map((span, at) => ({ from: textOf(read[at]?.[0]), to: textOf(read[at]?.[1]), ...span })),
      ...beginOf([...earlier, ...spans, ...later], clock()),
    };
  };
}

/** Whether a period of the day before may go on: it has no end on its own day. */
function mayRunSinceYesterday([from, to]: readonly ReadTime[], now: Temporal.PlainTime): boolean {
  if (typeof from !== "number" || typeof to !== "number") return true;
  return to <= from && now.hour * 3600 + now.minute * 60 + now.second < to;
}

function beginOf(spans: readonly Span[], now: number): Pick<TaskSchedule, "begin" | "startsAt"> {
  const starts: Instant[] = [];
  let isUnclear = false;
  for (const { startsAt, endsAt } of spans) {
    if (startsAt !== null && now < epochMsOf(startsAt)) starts.push(startsAt);
    else if (startsAt === null || endsAt === null) isUnclear = true;
    else if (now < epochMsOf(endsAt)) return { begin: "atOnce", startsAt: null };
  }
  if (isUnclear) return { begin: null, startsAt: null };
  const [startsAt = null] = starts.toSorted();
  return { begin: startsAt === null ? "over" : "later", startsAt };
}

type ReadTime = ReturnType<typeof readTimeOfDay> | undefined;

const textOf = (time: ReadTime): string | null => (typeof time === "number" ? writeTimeOfDay(time) : null);

function spanOn(date: Temporal.PlainDate | null, [from, to]: readonly ReadTime[], timeZone: string): Span {
  const instant = (seconds: ReadTime): Instant | null =>
    date === null || typeof seconds !== "number"
      ? null
      : instantOf(firstInstantOf(date.toPlainDateTime().add({ seconds }), timeZone).epochMilliseconds);
  const isOneDay = typeof from === "number" && typeof to === "number" && from < to;
  return { startsAt: instant(from), endsAt: isOneDay ? instant(to) : null };
}

/** When a clock of the zone shows a time, or a later one where it is set forward over the time. */
function firstInstantOf(time: Temporal.PlainDateTime, timeZone: string): Temporal.ZonedDateTime {
  const zoned = time.toZonedDateTime(timeZone);
  if (zoned.toPlainDateTime().equals(time)) return zoned;
  return time.toZonedDateTime(timeZone, { disambiguation: "earlier" }).getTimeZoneTransition("next") ?? zoned;
}
