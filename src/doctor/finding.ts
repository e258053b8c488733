// The questions that the doctor answers, and the form of an answer.

/** The answer to one question. It has a value only if the evidence leaves exactly one; a likely value is evidence. */
export interface Finding {
  question: Question;
  confidence: "determined" | "undetermined";
  /** Null if undetermined. */
  value: string | null;
  /** Counts, times of day and field names: never a phone number, a token or a text of the service. */
  evidence: string;
  /** For `timeZone`: the IANA zones that fit everything observed, even if several offsets do. */
  zones?: readonly string[];
}

/** Each question, with its label in the report. */
export const questions = {
  timeZone: "Time zone, as an offset",
  rangeField: "Field that the range filters",
  rangeEnds: "Ends of the range included",
  sortOrder: "Order of the list",
  pageClamp: "Most rows on a page",
  assistantIds: "Encodings of assistantIds",
  direction: "Filter direction",
  taskId: "Filter taskId",
  severalTaskIds: "Filter taskId, several",
  phone: "Filter phone",
  description: "Filter description",
  callLogTimes: "Times of calls",
  taskTimes: "Times of tasks",
  missingTimes: "Missing times",
  noMatches: "items if nothing matches",
  beyondEnd: "items after the last page",
  idSizes: "Largest id observed",
} as const;

export type Question = keyof typeof questions;

export function determined(question: Question, value: string, evidence: string): Finding {
  return { question, confidence: "determined", value, evidence };
}

export function undetermined(question: Question, evidence: string): Finding {
  return { question, confidence: "undetermined", value: null, evidence };
}

/** `3 rows`, `1 row`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
