// Writes the query string of the call log (service.md, section 4.1). What breaks the service's limits is our own fault
// and throws a plain error: callers chunk and page.
import { formatWallClock } from "../format/wallClock.ts";
import type { CallLogQuery } from "./upstream.ts";

/** How assistantIds are written, which the document leaves open: `1,2`, or one parameter each, with or without `[]`. */
export type AssistantIdsStyle = "comma" | "repeat" | "brackets";

export interface QueryFormat {
  /** IANA zone of startTime and endTime. */
  timeZone: string;
  assistantIds: AssistantIdsStyle;
}

const MOST_TASK_IDS = 10;
const LARGEST_PAGE = 100;
/** Not 0, which is how the service says "no task": as a filter it would match what nobody meant. */
const ID = /^[1-9]\d*$/;

type Parameter = readonly [name: string, value: string];

/**
 * Without the `?`. Both ends of the range are always there, for the service's default is today, which inverts a range
 * that ends earlier. An empty filter is left out: written empty, it may be ignored. A space is `%20`, for a `+` is one only
 * to those who decode forms.
 */
export function callLogQueryString(query: CallLogQuery, { timeZone, assistantIds }: QueryFormat): string {
  const parameters: Parameter[] = [
    ...joined("taskId", idsOf("taskId", query.taskIds, MOST_TASK_IDS)),
    ["startTime", encodeURIComponent(formatWallClock(query.since, timeZone))],
    ["endTime", encodeURIComponent(formatWallClock(query.until, timeZone))],
    ...given("direction", query.direction),
    ...given("phone", query.phone),
    ["pageIndex", within("pageIndex", query.pageIndex, Number.MAX_SAFE_INTEGER)],
    ["pageSize", within("pageSize", query.pageSize, LARGEST_PAGE)],
    ...listed(assistantIds, idsOf("assistantIds", query.assistantIds, Infinity)),
    ...given("description", query.kind),
  ];
  return parameters.map(([name, value]) => `${name}=${value}`).join("&");
}

function given(name: string, value: string | null): Parameter[] {
  return value ? [[name, encodeURIComponent(value)]] : [];
}

/** With a literal comma, as the document's format `1,2` has it. */
function joined(name: string, ids: readonly string[]): Parameter[] {
  return ids.length > 0 ? [[name, ids.join(",")]] : [];
}

function listed(style: AssistantIdsStyle, ids: readonly string[]): Parameter[] {
  if (style === "comma") return joined("assistantIds", ids);
  const name = style === "brackets" ? "assistantIds%5B%5D" : "assistantIds";
  return ids.map((id) => [name, id] as const);
}

function idsOf(name: string, ids: readonly string[], most: number): readonly string[] {
  const distinct = ids.length > 1 ? [...new Set(ids)] : ids;
  if (!distinct.every((id) => ID.test(id))) throw new TypeError(`${name} takes ids in decimal digits, and not 0.`);
  if (distinct.length > most) throw new RangeError(`${name} takes at most ${most} ids.`);
  return distinct;
}

function within(name: string, value: number, most: number): string {
  if (!Number.isSafeInteger(value) || value < 1 || value > most) {
    throw new RangeError(`${name} is a whole number from 1 to ${most}.`);
  }
  return String(value);
}
