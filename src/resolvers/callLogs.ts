// Lists of calls: checks the arguments, fixes the range, and reads the page through the loaders.
import type { GraphQLResolveInfo, SelectionSetNode } from "graphql";
import { sortedUnique } from "../format/fieldParsers.ts";
import type { Instant } from "../format/instant.ts";
import { isWholeNumber } from "../format/readPhone.ts";
import { startOfDate } from "../format/wallClock.ts";
import { readAfter, type CallLogSlice } from "../loaders/callLogAfter.ts";
import { readWindow, type LoadPage } from "../loaders/readWindow.ts";
import {
  MAX_TASK_IDS,
  type CallKind,
  type CallLogRecord,
  type Direction,
  type TaskRecord,
} from "../upstream/upstream.ts";
import { createCallLogCursors } from "./callLogCursor.ts";
import { rangeOf, type GivenRange, type Range } from "./callLogRange.ts";
import type { Context } from "./context.ts";
import { badInput, checkFirst, checkUpstreamIds, readPhoneFilter } from "./inputRules.ts";
import type { Paging } from "./pageInfo.ts";
import type { CallLogConnection } from "./callLogConnection.ts";
import { callsInWritings } from "./phoneCalls.ts";
import { intOf } from "./tasks.ts";

export type { CallLogConnection } from "./callLogConnection.ts";

export interface TaskCallLogFilter extends GivenRange {
  direction?: Direction | null | undefined;
  phone?: string | null | undefined;
  kind?: CallKind | null | undefined;
}

export interface CallLogFilter extends TaskCallLogFilter {
  taskIds?: string[] | null | undefined;
  assistantIds?: string[] | null | undefined;
}

/** The range of a task whose creation time cannot be read begins before any task. */
const EARLIEST_DATE = "2000-01-01";

export function callLogs(
  { first, after, filter }: Paging & { filter?: CallLogFilter | null | undefined },
  context: Context,
): Promise<CallLogConnection> {
  return readLists({ first, after, filter: filter ?? {} }, context);
}

export function taskCallLogs(
  { taskId, createdAt }: TaskRecord,
  { first, after, filter }: Paging & { filter?: TaskCallLogFilter | null | undefined },
  context: Context,
): Promise<CallLogConnection> {
  const begin = createdAt ?? startOfDate(EARLIEST_DATE, context.serviceTimeZone);
  return readLists({ first, after, filter: { ...filter, taskIds: [taskId] } }, context, begin);
}

/** The list of one writing of a number. Without a range of its own, it begins at the start of the day of `begin`. */
export function callsSince(
  begin: Instant,
  { first, after, filter }: Paging & { filter: Omit<TaskCallLogFilter, "phone"> & { phone: string } },
  context: Context,
): Promise<CallLogConnection> {
  return readConnection({ first, after, filter, phone: filter.phone, createdAt: begin }, context);
}

/** `createdAt` is given for a list that by default begins on that day. A filter by phone number is asked in several writings. */
async function readLists(
  { first, after, filter }: Paging & { filter: CallLogFilter },
  context: Context,
  createdAt?: Instant,
): Promise<CallLogConnection> {
  checkFirst(first);
  const reading = filter.phone == null ? null : readPhoneFilter(filter.phone);
  const list = { filter, createdAt };
  if (reading !== null && isWholeNumber(reading))
    return callsInWritings(
      reading,
      { first, after },
      (phone, paging, fixed) => readConnection({ ...list, ...paging, phone, fixed }, context),
      context,
    );
  const phone = reading === null ? null : (filter.phone?.trim() ?? null);
  const connection = await readConnection({ ...list, first, after, phone }, context);
  return phone === null
    ? connection
    : { ...connection, phoneWritings: [{ text: phone, totalCount: connection.totalCount }] };
}

interface ListArgs extends Paging {
  filter: CallLogFilter;
  /** As the service is asked for it. */
  phone: string | null;
  createdAt?: Instant | undefined;
  /** The range of a list that this one is joined with. */
  fixed?: Range | null;
}

async function readConnection(
  { first, after, filter, phone, createdAt, fixed = null }: ListArgs,
  context: Context,
): Promise<CallLogConnection> {
  const query = { ...queryOf(filter), phone };
  const list = () => JSON.stringify([createdAt !== undefined, query, filter.since ?? null, filter.until ?? null]);
  const cursors = createCallLogCursors(context.signer, list);
  const position = after == null ? null : cursors.read(after);
  const range = position?.range ?? fixed ?? rangeOf(filter, context, createdAt);
  const { rows, total, offset, drift } = await readSlice();

  const driftDetected = drift || position?.drift === true;
  const cursorAt = (index: number) => {
    const row = cursors.nameOf(rows[index] as CallLogRecord);
    return cursors.at({ range, offset: offset + index + 1, total, row, drift: driftDetected });
  };
  return {
    ...range,
    rows,
    cursorAt,
    driftDetected,
    phoneWritings: null,
    headCursor: context.known.headCursor,
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
    const ranged = { ...query, ...range };
    if (position !== null) return readAfter(load, ranged, position, first, cursors.nameOf);
    const [taskId] = query.taskIds;
    if (createdAt !== undefined && taskId !== undefined) {
      const args = JSON.stringify([first, { ...query, taskIds: [] }, filter.since ?? null, filter.until ?? null]);
      return context.loaders.taskCallLogs.load({ taskId, createdAt, filter: ranged, first, args });
    }
    const { moved, ...window } = await readWindow(load, ranged, 0, first);
    return { ...window, offset: 0, drift: moved };
  }
}

function queryOf(filter: CallLogFilter) {
  const { taskIds: givenTasks, assistantIds: givenAssistants } = filter;
  checkUpstreamIds("taskIds", givenTasks ?? []);
  checkUpstreamIds("assistantIds", givenAssistants ?? []);
  const taskIds = sortedUnique(givenTasks ?? []);
  if (taskIds.length > MAX_TASK_IDS)
    throw badInput(`taskIds must have at most ${MAX_TASK_IDS} IDs, the service's limit, got ${taskIds.length}.`);
  return {
    taskIds,
    assistantIds: sortedUnique(givenAssistants ?? []),
    direction: filter.direction ?? null,
    kind: filter.kind ?? null,
  };
}

/** Fields that no event has, and the fields that lead to a row. */
const FIELDS_WITHOUT_EVENT: ReadonlySet<string> = new Set([
  "__typename",
  "node",
  "cursor",
  "id",
  "sessionId",
  "recordFile",
]);

/**
 * Whether a selection below `nodes` or `edges` needs the events of the rows, so that they can be loaded in one batch. It is
 * a forecast: each field still loads what it needs, so a wrong forecast changes no result.
 */
export function needsEvents({ fieldNodes, fragments }: Pick<GraphQLResolveInfo, "fieldNodes" | "fragments">): boolean {
  const isNeededIn = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((selection) => {
      if (selection.kind === "FragmentSpread") return isNeededIn(fragments[selection.name.value]?.selectionSet);
      if (selection.kind === "Field" && !FIELDS_WITHOUT_EVENT.has(selection.name.value)) return true;
      return isNeededIn(selection.selectionSet);
    }) ?? false;
  return fieldNodes.some(({ selectionSet }) => isNeededIn(selectionSet));
}
