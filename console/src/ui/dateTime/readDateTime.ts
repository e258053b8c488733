// Reads a date and a time of day as people write them: in ISO 8601, in the viewer's usual order, with the month as a word, and in
// Chinese. What could be read in two ways is read in the viewer's order, and the field shows how.

import { FIRST_YEAR, LAST_YEAR } from "../../../../src/format/scheduleText.ts";

export type DateOrder = "dmy" | "mdy" | "ymd";

export type DateReading =
  /** As `2026-11-26`. */
  | { date: string }
  | { problem: "unknown" }
  | { problem: "month" }
  /** No task can begin in this year. */
  | { problem: "year" }
  /** The month has fewer days. `month`: 1 to 12. */
  | { problem: "day"; year: number; month: number; days: number };

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]?\s+/;
const BEFORE_YEAR: Record<DateOrder, "dm" | "md"> = { dmy: "dm", mdy: "md", ymd: "md" };

/** The order of the viewer's language, such as en-US: month, day, year. */
export function orderOf(locale: string): DateOrder {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: "short" }).formatToParts();
  const order = parts
    .flatMap(({ type }) => (type === "day" || type === "month" || type === "year" ? type[0] : []))
    .join("");
  return order === "mdy" || order === "ymd" ? order : "dmy";
}

export function readDate(written: string, order: DateOrder): DateReading {
  const text = written.normalize("NFKC").trim().toLowerCase();
  const [, year, month, day] =
    /^(\d{4})([-/.\s])(\d{1,2})\2(\d{1,2})$/.exec(text)?.toSpliced(2, 1) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(text) ??
    /^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?$/.exec(text) ??
    [];
  if (year !== undefined) return dateOf(Number(year), Number(month), Number(day));
  const [, first, mark, second, last] = /^(\d{1,2})([-/.\s])(\d{1,2})\2(\d{4})$/.exec(text) ?? [];
  if (last !== undefined) {
    // A point stands between day and month in every language that uses it.
    const isDayFirst = mark === "." || BEFORE_YEAR[order] === "dm";
    return isDayFirst
      ? dateOf(Number(last), Number(second), Number(first))
      : dateOf(Number(last), Number(first), Number(second));
  }
  return withMonthName(text);
}

/** `26 Nov 2026`, `Thu, 26th November 2026`, `November 26, 2026`. */
function withMonthName(text: string): DateReading {
  const words = text.replace(WEEKDAY, "").replaceAll(/[,.]/g, " ");
  const parts =
    /^(\d{1,2})(?:st|nd|rd|th)?[\s-]*([a-z]{3,9})[\s-]*(\d{4})$/.exec(words) ??
    /^([a-z]{3,9})\s*(\d{1,2})(?:st|nd|rd|th)?\s+(\d{4})$/.exec(words)?.map((_, at, all) => all[[0, 2, 1, 3][at] ?? 0]);
  const [, day, name = "", year] = parts ?? [];
  const month = MONTHS.findIndex((each) => name.startsWith(each)) + 1;
  return month === 0 ? { problem: "unknown" } : dateOf(Number(year), month, Number(day));
}

function dateOf(year: number, month: number, day: number): DateReading {
  if (month < 1 || month > 12) return { problem: "month" };
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (year < FIRST_YEAR || year > LAST_YEAR) return { problem: "year" };
  if (day < 1 || day > days) return { problem: "day", year, month, days };
  return { date: [String(year).padStart(4, "0"), two(month), two(day)].join("-") };
}

export const two = (value: number): string => String(value).padStart(2, "0");

/** The end of a period: a time of day, or the end of the day, 24:00. */
export const readEndTime = (written: string): string | null =>
  written.trim() === "24:00" ? "24:00" : readTime(written);

/** As `09:00`, from 00:00 to 23:59. Null: it is no time of a day. */
export function readTime(written: string): string | null {
  const text = written.normalize("NFKC").trim().toLowerCase().replaceAll(/\s+/g, "");
  const [, noon, hours, minutes = "0", half] =
    /^(am|pm|上午|下午|晚上|早上)?(\d{1,2})(?:[:.时点h](\d{2})?分?)?(am|pm|a\.m\.|p\.m\.)?$/.exec(text) ??
    /^()(\d{1,2})(\d{2})$/.exec(text) ??
    [];
  if (hours === undefined) return null;
  const part = noon ?? half;
  const isLate = /^(?:p|下午|晚上)/.test(part ?? "");
  const hour = Number(hours);
  if (part && (hour < 1 || hour > 12)) return null;
  const shown = part ? (hour % 12) + (isLate ? 12 : 0) : hour;
  return shown > 23 || Number(minutes) > 59 ? null : `${two(shown)}:${two(Number(minutes))}`;
}
