// What service.md leaves open, each way: none of it is a reason for an error.
import type { OddService } from "../stand.ts";

export const honestServices: readonly OddService[] = [
  { name: "does what its document says", oddity: {}, touches: [] },
  { name: "filters by the answer time", oddity: {}, semantics: { rangeBy: "answerAt" }, touches: [] },
  { name: "filters by the end time", oddity: {}, semantics: { rangeBy: "endAt" }, touches: [] },
  { name: "leaves out calls at startTime", oddity: {}, semantics: { startTimeCounts: false }, touches: [] },
  { name: "leaves out calls at endTime", oddity: {}, semantics: { endTimeCounts: false }, touches: [] },
  { name: "lists the oldest calls first", oddity: {}, semantics: { order: "oldest" }, touches: [] },
  { name: "lists by session id", oddity: {}, semantics: { order: "bySession" }, touches: [] },
  { name: "lists by the end time", oddity: {}, semantics: { order: "byEnd" }, touches: [] },
  { name: "compares phone numbers as they are written", oddity: {}, semantics: { phone: "asWritten" }, touches: [] },
  { name: "has a single call", oddity: {}, world: { calls: 1 }, touches: [] },
];
