// Judges what rows and pages show by themselves, without further requests: the order, the page size, and how times, missing
// values and ids are written.
import { determined, pluralize, undetermined, type Finding, type Question } from "./finding.ts";
import {
  timeFields,
  type MissingTime,
  type ObservedPage,
  type ObservedRow,
  type ObservedTask,
  type ObservedTime,
  type TimeField,
  type TimeForm,
} from "./observe.ts";
import type { ListResult } from "./probeClient.ts";
import { uniqueRows } from "./survey.ts";

const MISSING_TIMES: readonly TimeForm[] = ["zero", "empty", "null", "absent"] satisfies MissingTime[];

export function judgeCallLogTimes(rows: readonly ObservedRow[]): Finding {
  const times = rows.flatMap((row) => timeFields.map((field) => row.times[field]));
  return judgeTimeForms("callLogTimes", times, "call");
}

export function judgeTaskTimes(tasks: readonly ObservedTask[]): Finding {
  const times = tasks.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]);
  return judgeTimeForms("taskTimes", times, "task");
}

/** The value names every form that occurs. */
function judgeTimeForms(question: Question, times: readonly ObservedTime[], noun: string): Finding {
  const present = times.filter(({ form }) => !MISSING_TIMES.includes(form));
  if (present.length === 0) return undetermined(question, `No ${noun} had a time.`);
  const unknown = present.filter(({ form }) => form === "unknown").length;
  if (unknown > 0)
    return undetermined(question, `${unknown} of ${pluralize(present.length, "time")} have an unknown form.`);
  const forms = distinct(present.map(({ form }) => form));
  return determined(question, forms, `${pluralize(present.length, "time")} of ${noun}s.`);
}

/** What a row holds in place of a time: for a call that was not answered, or that has not ended. */
export function judgeMissingTimes(rows: readonly ObservedRow[]): Finding {
  const forms = rows.flatMap(({ times }) => timeFields.map((field) => times[field].form));
  const missing = forms.filter((form) => MISSING_TIMES.includes(form));
  if (missing.length === 0) return undetermined("missingTimes", "No time was missing in any row.");
  return determined("missingTimes", distinct(missing), `${pluralize(missing.length, "missing time")} in rows.`);
}

/** @param result of a range long before the service existed. If rows come, the range has no effect. */
export function judgeNoMatches(result: ListResult): Finding {
  return judgeEmptyPage("noMatches", result, "A range in 1971");
}

export function judgeBeyondEnd(result: ListResult): Finding {
  return judgeEmptyPage("beyondEnd", result, "A page far after the last");
}

function judgeEmptyPage(question: Question, result: ListResult, request: string): Finding {
  if (result.page === null)
    return undetermined(question, `${request} was not answered with a page (${result.status || "-"}).`);
  const { items, rows } = result.page;
  if (items === "rows") return undetermined(question, `${request} returned ${pluralize(rows.length, "row")}.`);
  const value = items === "null" ? "null" : "[]";
  return determined(question, value, `${request} returned ${value}.`);
}

/** The size of the largest id observed; ids to come may be larger. */
export function judgeIdSizes(rows: readonly ObservedRow[], tasks: readonly ObservedTask[]): Finding {
  const ids = [
    ...rows.flatMap(({ taskId, assistantIds, versionIds }) => [taskId, ...assistantIds, ...versionIds]),
    ...tasks.flatMap(({ taskId, assistantIds }) => [taskId, ...assistantIds]),
  ].filter((id) => id !== null);
  if (ids.length === 0) return undetermined("idSizes", "No id was observed.");
  const largest = ids.map(BigInt).reduce((max, each) => (each > max ? each : max));
  const size = largest < 2n ** 31n ? "below 2^31" : largest < 2n ** 53n ? "below 2^53" : "2^53 or more";
  const digits = pluralize(String(largest).length, "digit");
  return determined("idSizes", size, `The largest of ${pluralize(new Set(ids).size, "id")} has ${digits}.`);
}

/**
 * The most rows on a page, if 100 are asked for. The answer's pageSize counts only if the rows do not contradict it: some
 * services repeat the pageSize of the request.
 *
 * @param pages pages 1 and 2 of one range.
 */
export function judgePageClamp(pages: readonly ObservedPage[]): Finding {
  const [first, second] = pages;
  if (!first) return undetermined("pageClamp", "No page was read.");
  const { rows, total, pageSize } = first;
  const evidence = `${pluralize(rows.length, "row")} of ${total} came; pageSize is ${pageSize ?? "missing"}.`;
  if (rows.length >= 100) return determined("pageClamp", String(rows.length), evidence);
  if (total > rows.length) {
    const left = Math.min(rows.length, total - rows.length);
    const isSteady = rows.length > 0 && second !== undefined && second.rows.length >= left && left === rows.length;
    const isSmaller = second !== undefined && second.rows.length > rows.length;
    if (isSteady && !isSmaller)
      return determined("pageClamp", String(rows.length), `${evidence} The next page has as many.`);
    if (pageSize === rows.length) return determined("pageClamp", String(rows.length), evidence);
    return undetermined("pageClamp", evidence);
  }
  if (pageSize !== null && pageSize < 100 && pageSize > rows.length)
    return determined("pageClamp", String(pageSize), evidence);
  return undetermined("pageClamp", `${evidence} More calls than one page holds are needed.`);
}

type SortKey = (row: ObservedRow) => number | string | null;

const MIN_ROWS_FOR_ORDER = 8;

const timeOf =
  (field: TimeField): SortKey =>
  (row) =>
    row.times[field].ms;
const sessionId: SortKey = (row) => row.sessionId;

const orders: readonly [name: string, key: SortKey, direction: 1 | -1][] = [
  ["startAt, newest first", timeOf("startAt"), -1],
  ["startAt, oldest first", timeOf("startAt"), 1],
  ["endAt, newest first", timeOf("endAt"), -1],
  ["endAt, oldest first", timeOf("endAt"), 1],
  ["sessionId, ascending", sessionId, 1],
  ["sessionId, descending", sessionId, -1],
];

export const NO_ORDER = "none by startAt, endAt or sessionId";

/** Undetermined if several orders fit. `rows` are the pages of one range, in order; repeated rows count once. */
export function judgeSortOrder(rows: readonly ObservedRow[]): Finding {
  const unique = uniqueRows(rows);
  const starts = distinctKeys(unique, timeOf("startAt"));
  const evidence = `${pluralize(unique.length, "row")}, ${starts} different starts.`;
  if (starts < MIN_ROWS_FOR_ORDER)
    return undetermined("sortOrder", `${evidence} ${MIN_ROWS_FOR_ORDER} starts are needed.`);
  const fitting = orders.filter(([, key, direction]) => isSorted(unique, key, direction));
  const [only, another] = fitting;
  if (only === undefined) return determined("sortOrder", NO_ORDER, evidence);
  if (another !== undefined || distinctKeys(unique, only[1]) < MIN_ROWS_FOR_ORDER) {
    return undetermined("sortOrder", `${evidence} They fit ${fitting.map(([name]) => name).join("; and ")}.`);
  }
  return determined("sortOrder", only[0], evidence);
}

/** Ignores rows without the key. Two different keys are enough, so that an order is not excluded too early. */
function isSorted(rows: readonly ObservedRow[], key: SortKey, direction: 1 | -1): boolean {
  const keys = rows.map(key).filter((value) => value !== null);
  if (new Set(keys).size < 2) return false;
  return keys.every((value, at) => at === 0 || compare(keys[at - 1] as number | string, value) * direction <= 0);
}

function distinctKeys(rows: readonly ObservedRow[], key: SortKey): number {
  return new Set(rows.map(key).filter((value) => value !== null)).size;
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function distinct(values: readonly string[]): string {
  return [...new Set(values)].toSorted().join(", ");
}
