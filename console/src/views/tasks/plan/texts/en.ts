import type { Widened } from "../../../../texts/widened.ts";

const people = (n: string): string => (n === "1" ? "1 person" : `${n} people`);

export const en = {
  day: (day: string, hours: string) => `${day}, ${hours}.`,
  onDay: (day: string, hours: string) => `On ${day}, ${hours}.`,
  daily: (day: string, hours: string) => `From ${day} on, each day ${hours}.`,
  yourTime: (hours: string) => ` (${hours} your time)`,
  sameTime: " (the same in your time)",
  atOnce: "Starts at once.",
  later: (when: string) => `Starts ${when}.`,
  over: "All of these hours are over, so nobody would be phoned.",
  overUnclear: "All of these hours are over. What the service does with such a task is not known.",
  beginUnknown: "Whether it starts at once is not known.",
  daysUnknown: "Whether it also calls on later days is not known: the service’s document leaves it open.",
  asWritten: (day: string, hours: string) =>
    `The gateway does not read these hours. They are sent as they are written: ${day}, ${hours}.`,
  when: "When",
  countries: "By country",
  countryPeople: (country: string, n: string) => `${country}: ${people(n)}`,
  noCountry: "without a country code",
  otherCountries: "others",
  checking: "Asking the gateway what this task would do",
  checkFailed: "The gateway could not say what this task would do.",
  refused: "The gateway would refuse this task:",
  refusal: (message: string) => `It ${message}.`,
  place: (field: string, message: string) => `${field}: it ${message}.`,
};

export type PlanTexts = Widened<typeof en>;
