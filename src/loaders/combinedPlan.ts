// Decides how the lists of several tasks are split from one combined list. Only lists that are certain to be complete are split
// off; the others are requested one by one. All functions are pure.
import { epochMsOf } from "../format/instant.ts";
import { MAX_PAGE_SIZE, type CallLogPage, type CallLogRecord } from "../upstream/upstream.ts";

/** One task's list, with the range that a request for it alone would have. */
export interface TaskList {
  taskId: string;
  since: string;
  until: string;
  /** The task's, or a substitute where the task could not be read. */
  createdAt: string;
}

type Range = Pick<TaskList, "since" | "until">;

/** What follows the first page. `pageSize`: read the next pages, in the service's own size. */
export type NextStep = "split" | "one by one" | { pageSize: number };

/** From the earliest start to the latest end, so it contains each list's own range. */
export function commonRange(lists: readonly TaskList[]): Range {
  const since = lists.map((list) => list.since).toSorted()[0];
  const until = lists
    .map((list) => list.until)
    .toSorted()
    .at(-1);
  if (since === undefined || until === undefined) throw new RangeError("commonRange needs at least one list.");
  return { since, until };
}

/**
 * Decides after the first page of the combined list. Paging on is worth it while the pages left, plus the lists that cannot be
 * split off anyway, are fewer than the lists. So the combined list costs at most one request more than one by one.
 */
export function nextStep(first: CallLogPage, lists: readonly TaskList[]): NextStep {
  const { rows, total, pageIndex, pageSize: reported } = first;
  if (pageIndex !== 1 || rows.length > total) return "one by one";
  if (rows.length === total) return "split";
  const pageSize = Math.min(reported, rows.length);
  if (pageSize < 1 || pageSize > MAX_PAGE_SIZE) return "one by one";
  const pagesLeft = Math.ceil(total / pageSize) - 1;
  const [parts, common] = [splitRows(lists, rows), commonRange(lists)];
  // A list without rows on this page may have some on the later pages.
  const uncertain = lists.filter((list, index) => parts[index] === null || !canBeSplit(list, common)).length;
  return pagesLeft + uncertain < lists.length ? { pageSize } : "one by one";
}

/**
 * Each list's rows, in the service's order; null for a list that is not certain to be complete. `rows` are all rows of the
 * common range.
 */
export function splitRows(lists: readonly TaskList[], rows: readonly CallLogRecord[]): (CallLogRecord[] | null)[] {
  const common = commonRange(lists);
  // A row without a task may belong to any of the lists.
  const byTask = new Map(lists.map(({ taskId }) => [taskId, [] as CallLogRecord[]]));
  for (const row of rows) {
    const own = row.taskId === null ? undefined : byTask.get(row.taskId);
    if (own === undefined) return lists.map(() => null);
    own.push(row);
  }
  return lists.map((list) => {
    const own = byTask.get(list.taskId) ?? [];
    return own.every((row) => isWithinRange(row, list, common)) ? own : null;
  });
}

/**
 * Whether the row is certain to be in the list's own range. It is, where that is the common range. A range that starts later
 * starts on the day of the task's creation, and no call comes before its task. So the row is in the range, whichever time the
 * service filters by. The exception is a task created in the day's first second, because a service may exclude the range's
 * ends. As a safeguard, the row's times must agree too.
 */
function isWithinRange(row: CallLogRecord, list: TaskList, common: Range): boolean {
  if (!canBeSplit(list, common)) return false;
  if (list.since === common.since) return true;
  const times = [row.startAt, row.answerAt, row.endAt].filter((time) => time !== null);
  return times.length > 0 && times.every((time) => epochSecondOf(time) > epochSecondOf(list.since));
}

/** Whether the rows of this list can be certain at all. */
function canBeSplit(list: TaskList, common: Range): boolean {
  if (list.until !== common.until) return false;
  return list.since === common.since || epochSecondOf(list.createdAt) > epochSecondOf(list.since);
}

function epochSecondOf(instant: string): number {
  return Math.floor(epochMsOf(instant) / 1000);
}
