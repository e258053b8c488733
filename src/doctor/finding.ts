// What the examination says of one question. It is determined where the evidence leaves one answer, and undetermined
// everywhere else: a likely answer is told as evidence and never as a value.
export interface Finding {
  question: Question;
  confidence: "determined" | "undetermined";
  /** Null where it is undetermined. */
  value: string | null;
  /** Counts, times of day and names of fields: never a phone number, a token or a text of the service. */
  evidence: string;
  /** Of the time zone: the IANA zones that fit everything seen, also where several offsets do. */
  zones?: readonly string[];
}

export const questions = {
  timeZone: "Time zone, as an offset",
  rangeField: "Field that the range filters",
  rangeEnds: "Ends of the range that count",
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
  missingTimes: "A time there is none of",
  noMatches: "items where nothing matches",
  beyondEnd: "items beyond the last page",
  idSizes: "Largest id seen",
} as const;

export type Question = keyof typeof questions;

export function determined(question: Question, value: string, evidence: string): Finding {
  return { question, confidence: "determined", value, evidence };
}

export function undetermined(question: Question, evidence: string): Finding {
  return { question, confidence: "undetermined", value: null, evidence };
}

/** `3 rows`, `1 row`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
