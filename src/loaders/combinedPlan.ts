// How the lists of several tasks are cut out of one: pure decisions, and nothing is cut that is not certain. What is not
// certain is asked for singly.
import { epochMsOf } from "../format/instant.ts";
import type { CallLogPage, CallLogRecord } from "../upstream/upstream.ts";
import { LARGEST_PAGE } from "./pagePlan.ts";

/** One task's list, with the range that it would be asked for in by itself. */
export interface TaskList {
  taskId: string;
  since: string;
  until: string;
  /** The task's, or what stands for it. */
  createdAt: string;
}

type Range = Pick<TaskList, "since" | "until">;

/** `pageSize`: page on, in pages of the service's own size. */
export type NextStep = "split" | "singly" | { pageSize: number };

/** From the earliest begin to the latest end: each list's own range is within. */
export function commonRange(lists: readonly TaskList[]): Range {
  const since = lists.map((list) => list.since).toSorted()[0];
  const until = lists
    .map((list) => list.until)
    .toSorted()
    .at(-1);
  if (since === undefined || until === undefined) throw new RangeError("There is no range for no list.");
  return { since, until };
}

/**
 * After the first page of the common list. Paging on is the way while the pages left, and the lists that cannot be cut out
 * anyway, are fewer than the lists: so that, whatever comes, it costs at most one request more than asking singly.
 */
export function nextStep(first: CallLogPage, lists: readonly TaskList[]): NextStep {
  const { rows, total, pageIndex, pageSize: told } = first;
  if (pageIndex !== 1 || rows.length > total) return "singly";
  if (rows.length === total) return "split";
  const pageSize = Math.min(told, rows.length);
  if (pageSize < 1 || pageSize > LARGEST_PAGE) return "singly";
  const pagesLeft = Math.ceil(total / pageSize) - 1;
  const [parts, common] = [splitRows(lists, rows), commonRange(lists)];
  // A list that has no rows here may have some on the pages behind.
  const uncertain = lists.filter((list, at) => parts[at] === null || !canBeCut(list, common)).length;
  return pagesLeft + uncertain < lists.length ? { pageSize } : "singly";
}

/**
 * Each list's rows, in the service's order; null for a list that cannot be cut out for certain. `rows` are all rows of the
 * common range.
 */
export function splitRows(lists: readonly TaskList[], rows: readonly CallLogRecord[]): (CallLogRecord[] | null)[] {
  const common = commonRange(lists);
  // A row without its task may be anybody's.
  const byTask = new Map(lists.map(({ taskId }) => [taskId, [] as CallLogRecord[]]));
  for (const row of rows) {
    const own = row.taskId === null ? undefined : byTask.get(row.taskId);
    if (own === undefined) return lists.map(() => null);
    own.push(row);
  }
  return lists.map((list) => {
    const own = byTask.get(list.taskId) ?? [];
    return own.every((row) => isWithin(row, list, common)) ? own : null;
  });
}

/**
 * Certain where the list's own range is the common one. Where it begins later, the ranges are whole lives: from the day of
 * the task's creation, and no call is planned before its task is there. So whichever time the service filters by, the row
 * is in the range, unless the task was created in the day's first second, for ends may count or not. That the row shows
 * times which agree is asked for all the same.
 */
function isWithin(row: CallLogRecord, list: TaskList, common: Range): boolean {
  if (!canBeCut(list, common)) return false;
  if (list.since === common.since) return true;
  const times = [row.startAt, row.answerAt, row.endAt].filter((time) => time !== null);
  return times.length > 0 && times.every((time) => second(time) > second(list.since));
}

/** Whether a row can be certain at all. */
function canBeCut(list: TaskList, common: Range): boolean {
  if (list.until !== common.until) return false;
  return list.since === common.since || second(list.createdAt) > second(list.since);
}

function second(instant: string): number {
  return Math.floor(epochMsOf(instant) / 1000);
}
