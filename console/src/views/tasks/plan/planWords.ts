// When a task calls, in words: the date once, the hours by the service's clock and by the viewer's, and whether it starts at once. The
// gateway says what the service will do; this writes it in a language.
import type { ScheduleFragment } from "../../../gql/graphql.ts";
import type { Language } from "../../../locale/preferences.ts";
import type { PlanTexts } from "./texts/en.ts";

export interface PlanPlace {
  language: Language;
  /** The viewer's zone. */
  zone: string;
  /** Epoch milliseconds. */
  now: number;
}

/** Null: the gateway does not read the date, or one of the periods. */
export function whenWords(schedule: ScheduleFragment, t: PlanTexts, { language, zone }: PlanPlace): string | null {
  const { startDate, periods, timeZone, days } = schedule;
  const hours = periods.map(({ from, to }) => (from === null || to === null ? null : `${from}–${to}`));
  if (startDate === null || hours.length === 0 || hours.includes(null)) return null;
  const day = dayText(startDate, language, true);
  const own = zone === timeZone ? null : ownHours(schedule, { language, zone });
  const isSame = own?.join() === hours.join();
  const mine = own === null ? "" : isSame ? t.sameTime : t.yourTime(own.join(", "));
  const clock = `${hours.join(", ")} ${timeZone}${mine}`;
  if (days === "DAILY") return t.daily(day, clock);
  return days === "START_DATE" ? t.onDay(day, clock) : t.day(day, clock);
}

/** Whether it starts at once, and what is not known of it. */
export function beginWords({ begin, startsAt, days }: ScheduleFragment, t: PlanTexts, place: PlanPlace): string {
  const unclear = days === null ? t.daysUnknown : "";
  const join = (text: string) => joined([text, unclear], place.language);
  if (begin === "AT_ONCE") return join(t.atOnce);
  if (begin === "LATER" && startsAt !== null) return join(t.later(untilText(Date.parse(startsAt), place)));
  if (begin === "OVER") return days === "START_DATE" ? t.over : t.overUnclear;
  return join(t.beginUnknown);
}

/** Sentences one behind the other; empty ones are left out. */
export const joined = (sentences: readonly string[], language: Language): string =>
  sentences.filter((each) => each !== "").join(language === "zh" ? "" : " ");

/**
 * The hours on the next day of calls. Null where an instant is not known. Both days stand beside the times where one is another day than
 * the service's.
 */
function ownHours({ periods, timeZone }: ScheduleFragment, place: Omit<PlanPlace, "now">): string[] | null {
  const texts = periods.map(({ startsAt, endsAt }) => {
    if (startsAt === null || endsAt === null) return null;
    const [from, to] = [wallTime(startsAt, place.zone), wallTime(endsAt, place.zone)];
    const { date: day } = wallTime(startsAt, timeZone);
    if (from.date === day && to.date === day) return `${from.time}–${to.time}`;
    const days = [from, to].map(({ date }) => dayText(date, place.language, false));
    return days[0] === days[1]
      ? `${days[0]} ${from.time}–${to.time}`
      : `${days[0]} ${from.time} – ${days[1]} ${to.time}`;
  });
  return texts.every((text) => text !== null) ? texts : null;
}

function wallTime(instant: string, timeZone: string): { date: string; time: string } {
  // The format of Sweden is 2026-11-20 09:30.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  const [date = "", time = ""] = format.format(new Date(instant)).split(" ");
  // A date of ISO 8601 has four digits of a year, or a sign and six.
  const [year = "", ...monthAndDay] = date.split("-");
  const isoYear = year.length > 4 ? `+${year.padStart(6, "0")}` : year.padStart(4, "0");
  return { date: [isoYear, ...monthAndDay].join("-"), time };
}

/** `Thu 26 Nov 2026`. */
function dayText(date: string, language: Language, hasYear: boolean): string {
  const format = new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", {
    timeZone: "UTC",
    weekday: "short",
    day: "numeric",
    month: "short",
    ...(hasYear ? { year: "numeric" } : {}),
  });
  return format.format(new Date(`${date}T00:00:00Z`)).replace(",", "");
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `in 3 days`, cut to the unit. */
function untilText(at: number, { language, now }: PlanPlace): string {
  const relative = new Intl.RelativeTimeFormat(language === "zh" ? "zh-CN" : "en-GB", { numeric: "always" });
  const left = Math.max(MINUTE, at - now);
  if (left >= 2 * DAY) return relative.format(Math.floor(left / DAY), "day");
  return left >= 2 * HOUR
    ? relative.format(Math.floor(left / HOUR), "hour")
    : relative.format(Math.ceil(left / MINUTE), "minute");
}
