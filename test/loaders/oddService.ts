// A fake of the upstream port with odd habits: the test says how it changes a list.
import type { ListChecksOptions } from "../../src/loaders/callLogLoader.ts";
import { createLoaders } from "../../src/loaders/loaders.ts";
import { readWindow } from "../../src/loaders/readWindow.ts";
import { CodedError } from "../../src/errors.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord, Upstream } from "../../src/upstream/upstream.ts";
import { callLog } from "../resolvers/world.ts";
import { callLogQuery, listChecks } from "../upstream/service.ts";

export interface Habits {
  /** All of its calls, in its order. */
  rows: readonly CallLogRecord[];
  /** Changes a query before the service filters. */
  reads?: (query: CallLogQuery) => CallLogQuery;
  /** Changes its page; `found`: all rows that match. */
  tells?: (page: CallLogPage, query: CallLogQuery, found: readonly CallLogRecord[]) => CallLogPage;
  /** The configured filters that it ignores (UPSTREAM_IGNORES). */
  ignores?: ListChecksOptions["ignores"];
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
  /** What is proven about it. */
  proofs?: ListChecksOptions["proofs"];
}

/** Whether an honest service lists the row; the range filters by the start. */
export function fits(row: CallLogRecord, query: CallLogQuery): boolean {
  const { taskIds, direction, phone, assistantIds, since, until } = query;
  if (row.startAt !== null && (row.startAt < since || row.startAt > until)) return false;
  if (taskIds.length > 0 && !taskIds.includes(row.taskId ?? "")) return false;
  if (direction !== null && row.direction !== direction) return false;
  if (phone !== null && row.caller !== phone && row.callee !== phone) return false;
  return assistantIds.length === 0 || row.assistants.some(({ assistantId }) => assistantIds.includes(assistantId));
}

export function oddService({
  rows,
  reads = (query) => query,
  tells = (page) => page,
  ignores = [],
  now,
  proofs,
}: Habits) {
  const all: CallLogQuery[] = [];
  /** The queries without filter probes, which each process sends once. */
  const asked: CallLogQuery[] = [];
  const upstream: Pick<Upstream, "listCallLogs"> = {
    async listCallLogs(query) {
      all.push(query);
      if (!isProbe(query)) asked.push(query);
      const { pageIndex, pageSize, ...filter } = reads(query);
      const found = rows.filter((row) => fits(row, { ...filter, pageIndex, pageSize }));
      const start = (pageIndex - 1) * pageSize;
      const page = { rows: found.slice(start, start + pageSize), total: found.length, pageIndex, pageSize };
      return tells(page, query, found);
    },
  };
  const checks = listChecks({ ignores, ...(now && { now }), ...(proofs && { proofs }) });
  /** The loaders of one request. */
  const loaders = () => createLoaders(upstream as Upstream, checks);
  return { all, asked, loaders };
}

function isProbe({ since, taskIds }: CallLogQuery): boolean {
  return /^(1971|2100)-/.test(since) || taskIds.includes("999999999999999");
}

export const rowsOf = (count: number, own: (at: number) => Partial<CallLogRecord> = () => ({})): CallLogRecord[] =>
  Array.from({ length: count }, (_, at) => callLog({ sessionId: `s-${at}`, ...own(at) }));

/** The first rows of a list, or the code of its error. */
export async function firstRows(
  { callLogs }: ReturnType<ReturnType<typeof oddService>["loaders"]>,
  query: Partial<CallLogQuery>,
  count = 10,
  offset = 0,
) {
  try {
    const { pageIndex: _index, pageSize: _size, ...filter } = callLogQuery(query);
    return await readWindow((asked) => callLogs.load(asked), filter, offset, count);
  } catch (error) {
    if (error instanceof CodedError) return error.code;
    throw error;
  }
}
