// Writes the query string of the call log (service.md, section 4.1). A query beyond the service's limits is a bug of the caller,
// who must split it into chunks and pages, so it throws a plain error.
import { formatWallClock } from "../format/wallClock.ts";
import { MAX_PAGE_SIZE, MAX_TASK_IDS, type CallLogQuery } from "./upstream.ts";

/** How assistantIds are written; the service's document leaves it open. `1,2`, or one parameter each, with or without `[]`. */
export type AssistantIdsStyle = "comma" | "repeat" | "brackets";

export interface QueryFormat {
  /** IANA zone of startTime and endTime. */
  timeZone: string;
  assistantIds: AssistantIdsStyle;
}

/** Without 0, which the service uses for "no task". */
const ID = /^[1-9]\d*$/;

type Parameter = readonly [name: string, value: string];

/**
 * Without the `?`. Both ends of the range are always written, because the service's default for a missing end is today. An
 * empty filter is left out, because the service might read it as one. A space is written as `%20`: not all servers decode `+`.
 */
export function callLogQueryString(query: CallLogQuery, { timeZone, assistantIds }: QueryFormat): string {
  const parameters: Parameter[] = [
    ...commaSeparated("taskId", checkedIds("taskId", query.taskIds, MAX_TASK_IDS)),
    ["startTime", encodeURIComponent(formatWallClock(query.since, timeZone))],
    ["endTime", encodeURIComponent(formatWallClock(query.until, timeZone))],
    ...optional("direction", query.direction),
    ...optional("phone", query.phone),
    ["pageIndex", checkedNumber("pageIndex", query.pageIndex, Number.MAX_SAFE_INTEGER)],
    ["pageSize", checkedNumber("pageSize", query.pageSize, MAX_PAGE_SIZE)],
    ...styledIds(assistantIds, checkedIds("assistantIds", query.assistantIds, Infinity)),
    ...optional("description", query.kind),
  ];
  return parameters.map(([name, value]) => `${name}=${value}`).join("&");
}

function optional(name: string, value: string | null): Parameter[] {
  return value ? [[name, encodeURIComponent(value)]] : [];
}

/** The comma is not encoded, as in the document's format `1,2`. */
function commaSeparated(name: string, ids: readonly string[]): Parameter[] {
  return ids.length > 0 ? [[name, ids.join(",")]] : [];
}

function styledIds(style: AssistantIdsStyle, ids: readonly string[]): Parameter[] {
  if (style === "comma") return commaSeparated("assistantIds", ids);
  const name = style === "brackets" ? "assistantIds%5B%5D" : "assistantIds";
  return ids.map((id) => [name, id] as const);
}

function checkedIds(name: string, ids: readonly string[], max: number): readonly string[] {
  const distinct = ids.length > 1 ? [...new Set(ids)] : ids;
  if (!distinct.every((id) => ID.test(id))) throw new TypeError(`${name} takes ids in decimal digits, and not 0.`);
  if (distinct.length > max) throw new RangeError(`${name} takes at most ${max} ids, got ${distinct.length}.`);
  return distinct;
}

function checkedNumber(name: string, value: number, max: number): string {
  if (!Number.isSafeInteger(value) || value < 1 || value > max) {
    throw new RangeError(`${name} must be a whole number from 1 to ${max}, got ${value}.`);
  }
  return String(value);
}
