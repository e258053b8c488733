// The filter of the Calls view: as the address holds it, and as the graph takes it.
import type { graph } from "switchboard-client";
import { idsOf } from "../../data/filterSearch.ts";
import { instantOf, readRange, type RangeSearch, type TimeSpan } from "../../ui/timeRange/timeRange.ts";

export type CallLogFilter = graph.CallLogFilter;

export interface CallsSearch extends RangeSearch {
  direction?: "outbound" | "inbound";
  kind?: "phone" | "test";
  /** IDs, comma-separated. */
  task?: string;
  assistant?: string;
  /** The page behind this cursor; absent: the first one. */
  after?: string;
  /** Number of calls before the page. */
  offset?: number;
  /** When a range such as `1h` was read, so that every page is of the same list. */
  at?: string;
}

/** What the address holds of the page. */
export type PageSearch = Pick<CallsSearch, "after" | "offset" | "at">;

export const FALLBACK_RANGE = "today";
/** The service takes no more in one list. */
export const MAX_TASKS = 10;

const CHOICES = { direction: ["outbound", "inbound"], kind: ["phone", "test"] } as const;

/** Values that the console does not know are left out. */
export function readCallsSearch(search: Record<string, unknown>): CallsSearch {
  const read: Record<string, string> = {};
  for (const [name, values] of Object.entries(CHOICES)) {
    const value = values.find((each) => each === search[name]);
    if (value) read[name] = value;
  }
  for (const name of ["task", "assistant"] as const) {
    const value = idsOf(search[name]).join(",");
    if (value !== "") read[name] = value;
  }
  return { ...readRange(search), ...read, ...readPage(search) };
}

function readPage({ after, offset, at: text }: Record<string, unknown>): PageSearch {
  const at = instantOf(text);
  const read = { ...(at !== null && { at }) };
  const before = Number(offset);
  if (typeof after !== "string" || after === "" || !Number.isSafeInteger(before) || before < 1) return read;
  return { ...read, after, offset: before };
}

/** Another filter or range begins at its first page. */
export function withoutPage(search: CallsSearch): CallsSearch {
  const { after: _, offset: __, at: ___, ...others } = search;
  return others;
}

export function filterOf(search: CallsSearch, phone: string | null, { since, until }: TimeSpan): CallLogFilter {
  const [tasks, assistants] = [idsOf(search.task), idsOf(search.assistant)];
  return {
    since,
    ...(until !== null && { until }),
    ...(search.direction && { direction: search.direction === "outbound" ? "OUTBOUND" : "INBOUND" }),
    ...(search.kind && { kind: search.kind === "phone" ? "PHONE" : "PRIVATE_TEST" }),
    ...(tasks.length > 0 && { taskIds: tasks }),
    ...(assistants.length > 0 && { assistantIds: assistants }),
    ...(phone && { phone }),
  };
}
