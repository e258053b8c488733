// Loads the first pages of many tasks' lists: up to ten tasks of the same arguments share one request, and are asked for
// singly only where its answer does not hold all their rows, or where there is no room for it beside the single ones
// (QUERY_BUDGET). Asked for singly, a task costs one request.
import DataLoader from "dataloader";
import type { Instant } from "../format/instant.ts";
import { CodedError, type ErrorCode } from "../errors.ts";
import type { CallLogPage, CallLogRecord } from "../upstream/upstream.ts";
import type { CallLogSlice } from "./callLogBehind.ts";
import { hasDuplicateCall, isPageAt, readWindow, rowKey, type CallLogFilter, type LoadPage } from "./callLogWindow.ts";
import { commonRange, nextStep, splitRows, type TaskList } from "./combinedPlan.ts";
import type { Loader } from "./onceByKey.ts";
import { LARGEST_PAGE } from "./pagePlan.ts";
import type { SeveralTasksVerifier } from "./verifySeveralTasks.ts";

export interface TaskCallLogsKey {
  taskId: string;
  /** The task's, or the begin of its range where it could not be read. */
  createdAt: Instant;
  /** Its range is the task's own; `taskIds` is this task. */
  filter: CallLogFilter;
  /** 1 to 100. */
  first: number;
  /** The field's arguments as text: tasks with the same share a plan, others never. */
  args: string;
}

interface Combined {
  rows: readonly CallLogRecord[];
  moved: boolean;
}

/** The service's limit (section 4.1). */
const MOST_TASKS = 10;
/** What one task's rows, or the combination itself, may be the cause of: by itself each may be answered. */
const causedByOne: ReadonlySet<ErrorCode> = new Set([
  "QUERY_TOO_COMPLEX",
  "UPSTREAM_CONTRACT",
  "UPSTREAM_FILTER_IGNORED",
  "UPSTREAM_REJECTED",
  "UPSTREAM_UNAVAILABLE",
]);

/**
 * `tasksSettled` resolves when no task is being loaded: tasks come one by one, and the lists of all of them are worth
 * waiting for, for the answer waits for the last of them anyway.
 */
export function createTaskCallLogLoader(
  load: LoadPage,
  several: SeveralTasksVerifier,
  tasksSettled: () => Promise<void>,
): Loader<TaskCallLogsKey, CallLogSlice> {
  const loader = new DataLoader<TaskCallLogsKey, { slice: Promise<CallLogSlice> }, string>(
    // Promises in an object, so that no plan waits for another.
    async (keys) => {
      const slices = new Map(groupsOf(keys).flatMap((group) => [...readGroup(load, several, group)]));
      return keys.map((key) => ({ slice: slices.get(key) ?? Promise.reject(new Error("A key was not planned.")) }));
    },
    {
      cacheKeyFn: ({ taskId, args }) => JSON.stringify([taskId, args]),
      maxBatchSize: Infinity,
      // After the last task, all that waits for it takes its turn.
      batchScheduleFn: (dispatch) => void tasksSettled().then(() => process.nextTick(dispatch)),
    },
  );
  return { load: async (key) => (await loader.load(key)).slice };
}

/** Of the same arguments, and ten at a time. */
function groupsOf(keys: readonly TaskCallLogsKey[]): TaskCallLogsKey[][] {
  const plans = Map.groupBy(keys, ({ args }) => args);
  return [...plans.values()].flatMap((plan) =>
    Array.from({ length: Math.ceil(plan.length / MOST_TASKS) }, (_, at) =>
      plan.slice(at * MOST_TASKS, (at + 1) * MOST_TASKS),
    ),
  );
}

function readGroup(
  load: LoadPage,
  several: SeveralTasksVerifier,
  group: readonly TaskCallLogsKey[],
): Map<TaskCallLogsKey, Promise<CallLogSlice>> {
  if (group.length === 1 || !several.isWorthCombining())
    return new Map(group.map((key) => [key, readSingly(load, key)]));
  const lists = group.map(listOf);
  const taskIds = lists.map(({ taskId }) => taskId);
  const split = readCombined(load, group).then((combined) => {
    if (combined === null) return null;
    several.observe(taskIds, combined.rows);
    return { parts: splitRows(lists, combined.rows), moved: combined.moved };
  });
  return new Map(group.map((key, at) => [key, readPart(key, at)]));

  async function readPart(key: TaskCallLogsKey, at: number): Promise<CallLogSlice> {
    const combined = await split;
    const rows = combined?.parts[at];
    if (!combined || !rows) return readSingly(load, key);
    if (rows.length === 0 && !several.isProven(group.length)) return readLeftOut(key);
    return { rows: rows.slice(0, key.first), total: rows.length, offset: 0, drift: combined.moved };
  }
  /** The service may have left the task out, and not found it without calls. */
  async function readLeftOut(key: TaskCallLogsKey): Promise<CallLogSlice> {
    const slice = await readSingly(load, key);
    if (slice.total > 0) several.contradict();
    return slice;
  }
}

function listOf({ taskId, createdAt, filter: { since, until } }: TaskCallLogsKey): TaskList {
  return { taskId, createdAt, since, until };
}

/** All rows of all the tasks; null where they are to be asked for singly. */
async function readCombined(load: LoadPage, group: readonly TaskCallLogsKey[]): Promise<Combined | null> {
  const [key] = group;
  if (key === undefined) return null;
  const lists = group.map(listOf);
  const filter = { ...key.filter, ...commonRange(lists), taskIds: lists.map(({ taskId }) => taskId) };
  try {
    const first = await load({ ...filter, pageIndex: 1, pageSize: LARGEST_PAGE });
    const step = nextStep(first, lists);
    if (step === "singly") return null;
    if (step === "split") return { rows: first.rows, moved: hasDuplicateCall(first.rows) };
    return await pageOn(load, filter, first, step.pageSize);
  } catch (error) {
    if (error instanceof CodedError && causedByOne.has(error.code)) return null;
    throw error;
  }
}

/**
 * One page after the other: rows that come meanwhile push others to pages that are still to be read, so that they come
 * twice and none is missed. What cannot be so is told: fewer rows than there were, or a list that outgrows its pages.
 */
async function pageOn(
  load: LoadPage,
  filter: CallLogFilter,
  first: CallLogPage,
  pageSize: number,
): Promise<Combined | null> {
  const found = new Map(first.rows.map((row) => [rowKey(row), row]));
  let { total } = first;
  let shrank = false;
  let pageIndex = 1;
  while (pageIndex * pageSize < total && pageIndex <= filter.taskIds.length) {
    pageIndex += 1;
    const page = await load({ ...filter, pageIndex, pageSize });
    shrank ||= page.total < total;
    if (!shrank && !isPageAt(page, { pageIndex, pageSize })) return null;
    // It may be anybody's (splitRows), whatever is read on.
    if (page.rows.some(({ taskId }) => taskId === null)) return null;
    for (const row of page.rows) if (!found.has(rowKey(row))) found.set(rowKey(row), row);
    total = page.total;
  }
  const moved = shrank || found.size < first.total || pageIndex * pageSize < total;
  return { rows: [...found.values()], moved };
}

async function readSingly(load: LoadPage, { filter, first }: TaskCallLogsKey): Promise<CallLogSlice> {
  const { rows, total, moved } = await readWindow(load, filter, 0, first);
  return { rows, total, offset: 0, drift: moved };
}
