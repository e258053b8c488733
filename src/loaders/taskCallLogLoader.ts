// Loads the first pages of many tasks' call logs. Up to ten tasks with the same arguments share one request. Tasks are requested
// one by one if the combined response does not hold all their rows, or if no spare request of QUERY_BUDGET is left for it.
import DataLoader from "dataloader";
import { CodedError, type ErrorCode } from "../errors.ts";
import type { Instant } from "../format/instant.ts";
import { MAX_PAGE_SIZE, MAX_TASK_IDS, type CallLogPage, type CallLogRecord } from "../upstream/upstream.ts";
import type { CallLogSlice } from "./callLogAfter.ts";
import { hasDuplicateCall, isPageAt, readWindow, rowKey, type CallLogFilter, type LoadPage } from "./readWindow.ts";
import { commonRange, nextStep, splitRows, type TaskList } from "./combinedPlan.ts";
import type { Loader } from "./keyedLoader.ts";
import type { SeveralTasksVerifier } from "./verifySeveralTasks.ts";

export interface TaskCallLogsKey {
  taskId: string;
  /** The task's, or the start of its range where the task could not be read. */
  createdAt: Instant;
  /** Its range is the task's own; its `taskIds` is this task only. */
  filter: CallLogFilter;
  /** 1 to 100. */
  first: number;
  /** The field's arguments as text: only tasks with the same arguments are combined. */
  args: string;
}

interface CombinedList {
  rows: readonly CallLogRecord[];
  moved: boolean;
}

/** Errors that a single task's rows, or the combination itself, may cause: then the tasks are requested one by one. */
const combinationErrors: ReadonlySet<ErrorCode> = new Set([
  "QUERY_TOO_COMPLEX",
  "UPSTREAM_CONTRACT",
  "UPSTREAM_FILTER_IGNORED",
  "UPSTREAM_REJECTED",
  "UPSTREAM_UNAVAILABLE",
]);

/**
 * `tasksSettled` resolves when no task is being loaded. Tasks arrive one by one, and the answer waits for the last of them
 * anyway, so waiting for all of them costs nothing.
 */
export function createTaskCallLogLoader(
  load: LoadPage,
  verifier: SeveralTasksVerifier,
  tasksSettled: () => Promise<void>,
): Loader<TaskCallLogsKey, CallLogSlice> {
  const loader = new DataLoader<TaskCallLogsKey, { slice: Promise<CallLogSlice> }, string>(
    // Each promise is wrapped in an object, so that no group waits for another.
    async (keys) => {
      const slices = new Map(groupsOf(keys).flatMap((group) => [...readGroup(load, verifier, group)]));
      return keys.map((key) => ({ slice: slices.get(key) ?? Promise.reject(new Error("A key was not planned.")) }));
    },
    {
      cacheKeyFn: ({ taskId, args }) => JSON.stringify([taskId, args]),
      maxBatchSize: Infinity,
      // nextTick, so that the reactions to the last task run first and add their keys.
      batchScheduleFn: (dispatch) => void tasksSettled().then(() => process.nextTick(dispatch)),
    },
  );
  return { load: async (key) => (await loader.load(key)).slice };
}

/** Groups of at most ten keys with the same arguments. */
function groupsOf(keys: readonly TaskCallLogsKey[]): TaskCallLogsKey[][] {
  const byArgs = Map.groupBy(keys, ({ args }) => args);
  return [...byArgs.values()].flatMap((same) =>
    Array.from({ length: Math.ceil(same.length / MAX_TASK_IDS) }, (_, index) =>
      same.slice(index * MAX_TASK_IDS, (index + 1) * MAX_TASK_IDS),
    ),
  );
}

function readGroup(
  load: LoadPage,
  verifier: SeveralTasksVerifier,
  group: readonly TaskCallLogsKey[],
): Map<TaskCallLogsKey, Promise<CallLogSlice>> {
  if (group.length === 1 || !verifier.isWorthCombining()) {
    return new Map(group.map((key) => [key, readSingle(load, key)]));
  }
  const lists = group.map(listOf);
  const taskIds = lists.map(({ taskId }) => taskId);
  const split = readCombined(load, group).then((combined) => {
    if (combined === null) return null;
    verifier.observe(taskIds, combined.rows);
    return { parts: splitRows(lists, combined.rows), moved: combined.moved };
  });
  return new Map(group.map((key, index) => [key, readPart(key, index)]));

  async function readPart(key: TaskCallLogsKey, index: number): Promise<CallLogSlice> {
    const combined = await split;
    const rows = combined?.parts[index];
    if (!combined || !rows) return readSingle(load, key);
    if (rows.length === 0 && !verifier.isProven(group.length)) return readMissing(key);
    return { rows: rows.slice(0, key.first), total: rows.length, offset: 0, drift: combined.moved };
  }
  /** The task has no rows in the combined list: it has no calls, or the service ignored it. */
  async function readMissing(key: TaskCallLogsKey): Promise<CallLogSlice> {
    const slice = await readSingle(load, key);
    if (slice.total > 0) verifier.contradict();
    return slice;
  }
}

function listOf({ taskId, createdAt, filter: { since, until } }: TaskCallLogsKey): TaskList {
  return { taskId, createdAt, since, until };
}

/** All rows of all the tasks; null: request the tasks one by one. */
async function readCombined(load: LoadPage, group: readonly TaskCallLogsKey[]): Promise<CombinedList | null> {
  const [key] = group;
  if (key === undefined) return null;
  const lists = group.map(listOf);
  const filter = { ...key.filter, ...commonRange(lists), taskIds: lists.map(({ taskId }) => taskId) };
  try {
    const first = await load({ ...filter, pageIndex: 1, pageSize: MAX_PAGE_SIZE });
    const step = nextStep(first, lists);
    if (step === "one by one") return null;
    if (step === "split") return { rows: first.rows, moved: hasDuplicateCall(first.rows) };
    return await readNextPages(load, filter, first, step.pageSize);
  } catch (error) {
    if (error instanceof CodedError && combinationErrors.has(error.code)) return null;
    throw error;
  }
}

/**
 * Reads the pages in sequence. A call that is added meanwhile pushes other rows to later pages, so a row may come twice but none
 * is missed. If rows were removed, or the list outgrows the planned pages, the result is marked as moved. Null: request the
 * tasks one by one.
 */
async function readNextPages(
  load: LoadPage,
  filter: CallLogFilter,
  first: CallLogPage,
  pageSize: number,
): Promise<CombinedList | null> {
  const rows = new Map(first.rows.map((row) => [rowKey(row), row]));
  let { total } = first;
  let hasShrunk = false;
  let pageIndex = 1;
  while (pageIndex * pageSize < total && pageIndex <= filter.taskIds.length) {
    pageIndex += 1;
    const page = await load({ ...filter, pageIndex, pageSize });
    hasShrunk ||= page.total < total;
    if (!hasShrunk && !isPageAt(page, { pageIndex, pageSize })) return null;
    // splitRows cannot assign such a row, so reading on would be useless.
    if (page.rows.some(({ taskId }) => taskId === null)) return null;
    for (const row of page.rows) if (!rows.has(rowKey(row))) rows.set(rowKey(row), row);
    total = page.total;
  }
  const moved = hasShrunk || rows.size < first.total || pageIndex * pageSize < total;
  return { rows: [...rows.values()], moved };
}

async function readSingle(load: LoadPage, { filter, first }: TaskCallLogsKey): Promise<CallLogSlice> {
  const { rows, total, moved } = await readWindow(load, filter, 0, first);
  return { rows, total, offset: 0, drift: moved };
}
