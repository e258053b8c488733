import type { Widened } from "../../../texts/widened.ts";

export const en = {
  openCalendar: "Choose a day in a calendar",
  calendar: "Calendar",
  previousMonth: "Previous month",
  nextMonth: "Next month",
  unknownDate: (usual: string) => `Write a date as 2026-11-26 or ${usual}, with its year.`,
  noMonth: (usual: string) => `A year has 12 months. Write a date as 2026-11-26 or ${usual}.`,
  noYear: (first: string, last: string) => `Write a year from ${first} to ${last}.`,
  noDay: (month: string, days: string) => `${month} has ${days} days.`,
  noTime: "Write a time from 00:00 to 23:59, such as 09:00 or 6 pm.",
};

export type DateTimeTexts = Widened<typeof en>;
