// The filter of the Live view: as the address holds it, and as the graph takes it.
import type { graph } from "switchboard-client";
import { idsOf, reasonOf, type Reason } from "../../data/filterSearch.ts";

export type CallEndedFilter = graph.CallEndedFilter;

export interface LiveSearch {
  outcome?: "answered" | "unanswered";
  direction?: "outbound" | "inbound";
  hangup?: "caller" | "callee";
  /** IDs, comma-separated. */
  task?: string;
  assistant?: string;
  reason?: Reason;
}

const CHOICES = {
  outcome: ["answered", "unanswered"],
  direction: ["outbound", "inbound"],
  hangup: ["caller", "callee"],
} as const;

/** Values that the console does not know are left out. */
export function readLiveSearch(search: Record<string, unknown>): LiveSearch {
  const read: Record<string, string | null> = {};
  for (const [name, values] of Object.entries(CHOICES)) {
    const value = values.find((each) => each === search[name]);
    if (value) read[name] = value;
  }
  for (const name of ["task", "assistant"] as const) {
    const value = idsOf(search[name]).join(",");
    if (value !== "") read[name] = value;
  }
  const reason = reasonOf(search["reason"]);
  return reason === undefined ? read : { ...read, reason };
}

export function filterOf(search: LiveSearch, phone: string | null): CallEndedFilter {
  const [tasks, assistants] = [idsOf(search.task), idsOf(search.assistant)];
  return {
    ...(search.outcome && { answered: search.outcome === "answered" }),
    ...(search.direction && { direction: search.direction === "outbound" ? "OUTBOUND" : "INBOUND" }),
    ...(search.hangup && { hangupSide: search.hangup === "caller" ? "CALLER" : "CALLEE" }),
    ...(tasks.length > 0 && { taskIds: tasks }),
    ...(assistants.length > 0 && { assistantIds: assistants }),
    ...(search.reason !== undefined && { hangupReasons: [search.reason] }),
    ...(phone && { phone }),
  };
}
