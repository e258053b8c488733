// What is wrong with a date that was typed, and what is right.
import { FIRST_YEAR, LAST_YEAR } from "../../../../src/format/scheduleText.ts";
import type { Language } from "../../locale/preferences.ts";
import { dateText } from "./dateParts.ts";
import { orderOf, readDate, two } from "./readDateTime.ts";
import type { DateTimeTexts } from "./texts/en.ts";

const EXAMPLES = { dmy: "26/11/2026", mdy: "11/26/2026", ymd: "2026/11/26" };

/** Null: it is a date. */
export function dateProblem(text: string, t: DateTimeTexts, language: Language): string | null {
  const order = orderOf(navigator.language);
  const reading = readDate(text, order);
  if ("date" in reading) return null;
  if (reading.problem === "unknown") return t.unknownDate(EXAMPLES[order]);
  if (reading.problem === "month") return t.noMonth(EXAMPLES[order]);
  if (reading.problem === "year") return t.noYear(String(FIRST_YEAR), String(LAST_YEAR));
  const first = `${String(reading.year).padStart(4, "0")}-${two(reading.month)}-01`;
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  return t.noDay(dateText(first, locale, { month: "long", year: "numeric" }), String(reading.days));
}
