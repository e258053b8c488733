// Lists of calls: the arguments checked, the range fixed, the window read through the loader.
import type { Context } from "./context.ts";
import { sortedUnique } from "../format/fieldParsers.ts";
import type { Instant } from "../format/instant.ts";
import { startOfDate } from "../format/wallClock.ts";
import { readAfter, type CallLogSlice } from "../loaders/callLogAfter.ts";
import { readWindow, type LoadPage } from "../loaders/callLogWindow.ts";
import type { CallKind, CallLogRecord, Direction, TaskRecord } from "../upstream/upstream.ts";
import { createCallLogCursors } from "./callLogCursor.ts";
import type { PageInfo } from "./pageInfo.ts";
import { rangeOf, type GivenRange, type Range } from "./callLogRange.ts";
import { badInput, checkFirst, checkUpstreamIds, readPhone } from "./inputRules.ts";
import { intOf } from "./tasks.ts";

export interface CallLogConnection extends Range {
  rows: readonly CallLogRecord[];
  /** Of the row at this place among them, from 0. Sealed when it is asked for: most lists are read without. */
  cursorAt(index: number): string;
  pageInfo: PageInfo;
  totalCount: number;
  /** The list moved since the first page in a way that could not be followed: rows may be missing or twice. */
  driftDetected: boolean;
}

export interface TaskCallLogFilter extends GivenRange {
  direction?: Direction | null | undefined;
  phone?: string | null | undefined;
  kind?: CallKind | null | undefined;
}

export interface CallLogFilter extends TaskCallLogFilter {
  taskIds?: string[] | null | undefined;
  assistantIds?: string[] | null | undefined;
}

interface Paging {
  first: number;
  after?: string | null | undefined;
}

interface CallLogsArgs extends Paging {
  filter?: CallLogFilter | null | undefined;
}

interface TaskCallLogsArgs extends Paging {
  filter?: TaskCallLogFilter | null | undefined;
}

/** The service's limit (section 4.1). */
const MOST_TASK_IDS = 10;
/** Before any task, for one whose creation time cannot be read. */
const BEFORE_ALL = "2000-01-01";

export function callLogs({ first, after, filter }: CallLogsArgs, context: Context): Promise<CallLogConnection> {
  return readConnection({ first, after, filter: filter ?? {} }, context);
}

export function taskCallLogs(
  { taskId, createdAt }: TaskRecord,
  { first, after, filter }: TaskCallLogsArgs,
  context: Context,
): Promise<CallLogConnection> {
  const begin = createdAt ?? startOfDate(BEFORE_ALL, context.serviceTimeZone);
  return readConnection({ first, after, filter: { ...filter, taskIds: [taskId] } }, context, begin);
}

async function readConnection(
  { first, after, filter }: Paging & { filter: CallLogFilter },
  context: Context,
  wholeLife?: Instant,
): Promise<CallLogConnection> {
  checkFirst(first);
  const query = queryOf(filter);
  const list = () => JSON.stringify([wholeLife !== undefined, query, filter.since ?? null, filter.until ?? null]);
  const cursors = createCallLogCursors(context.seal, list);
  const place = after == null ? null : cursors.read(after);
  const range = place?.range ?? rangeOf(filter, context, wholeLife);
  const { rows, total, offset, drift } = await readSlice();

  const driftDetected = drift || place?.drift === true;
  const cursorAt = (index: number) => {
    const row = cursors.nameOf(rows[index] as CallLogRecord);
    return cursors.at({ range, offset: offset + index + 1, total, row, drift: driftDetected });
  };
  return {
    ...range,
    rows,
    cursorAt,
    driftDetected,
    totalCount: intOf("total", total),
    pageInfo: {
      hasNextPage: offset + rows.length < total,
      hasPreviousPage: offset > 0,
      startCursor: () => (rows.length === 0 ? null : cursorAt(0)),
      endCursor: () => (rows.length === 0 ? null : cursorAt(rows.length - 1)),
    },
  };

  async function readSlice(): Promise<CallLogSlice> {
    const isEmpty = filter.taskIds?.length === 0 || filter.assistantIds?.length === 0;
    if (isEmpty) return { rows: [], total: 0, offset: 0, drift: false };
    const load: LoadPage = (page) => context.loaders.callLogs.load(page);
    const asked = { ...query, ...range };
    if (place !== null) return readAfter(load, asked, place, first, cursors.nameOf);
    const [taskId] = query.taskIds;
    if (wholeLife !== undefined && taskId !== undefined) {
      const args = JSON.stringify([first, { ...query, taskIds: [] }, filter.since ?? null, filter.until ?? null]);
      return context.loaders.taskCallLogs.load({ taskId, createdAt: wholeLife, filter: asked, first, args });
    }
    const { moved, ...window } = await readWindow(load, asked, 0, first);
    return { ...window, offset: 0, drift: moved };
  }
}

function queryOf(filter: CallLogFilter) {
  const { taskIds: givenTasks, assistantIds: givenAssistants } = filter;
  checkUpstreamIds("taskIds", givenTasks ?? []);
  checkUpstreamIds("assistantIds", givenAssistants ?? []);
  const taskIds = sortedUnique(givenTasks ?? []);
  if (taskIds.length > MOST_TASK_IDS)
    throw badInput(`taskIds has more than ${MOST_TASK_IDS} tasks, the service's limit.`);
  return {
    taskIds,
    assistantIds: sortedUnique(givenAssistants ?? []),
    direction: filter.direction ?? null,
    phone: filter.phone == null ? null : readPhone(filter.phone),
    kind: filter.kind ?? null,
  };
}
