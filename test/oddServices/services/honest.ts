// Honest services, which differ only in what service.md leaves open. None of them may lead to an error.
import type { OddService } from "../examine.ts";

export const honestServices: readonly OddService[] = [
  { name: "does what its document says", oddity: {}, affects: [] },
  { name: "filters by the answer time", oddity: {}, semantics: { rangeBy: "answerAt" }, affects: [] },
  { name: "filters by the end time", oddity: {}, semantics: { rangeBy: "endAt" }, affects: [] },
  { name: "leaves out calls at startTime", oddity: {}, semantics: { startTimeCounts: false }, affects: [] },
  { name: "leaves out calls at endTime", oddity: {}, semantics: { endTimeCounts: false }, affects: [] },
  { name: "lists the oldest calls first", oddity: {}, semantics: { order: "oldest" }, affects: [] },
  { name: "lists by session id", oddity: {}, semantics: { order: "bySession" }, affects: [] },
  { name: "lists by the end time", oddity: {}, semantics: { order: "byEnd" }, affects: [] },
  { name: "compares phone numbers as they are written", oddity: {}, semantics: { phone: "asWritten" }, affects: [] },
  { name: "has a single call", oddity: {}, world: { calls: 1 }, affects: [] },
];
