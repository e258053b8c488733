// A service in memory with many calls, for tests of QUERY_BUDGET. It counts its requests.
import { CodedError } from "../../../src/errors.ts";
import type { Requester } from "../../../src/upstream/requester.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord, Upstream } from "../../../src/upstream/upstream.ts";
import { callLog, task } from "../../resolvers/world.ts";

export const TASKS = 12;
/** Calls of each task, and some calls without a task. */
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    callLog({
      sessionId: at % 17 === 0 ? null : `s-${at}`,
      taskId: at % 13 === 0 ? null : String(1 + (at % TASKS)),
      direction: at % 13 === 0 ? "inbound" : "outbound",
      startAt: "2026-11-19T09:30:00.000Z",
      endAt: "2026-11-19T09:31:00.000Z",
    }),
  );
/** Lists that fit on one page together, on a few pages, and on many. */
const lengths = { few: rowsOf(60), some: rowsOf(230), many: rowsOf(2400) };
export type Length = keyof typeof lengths;

/** Ways in which a service may deviate from its document. */
export interface Oddities {
  /** Maximum of rows on a page. */
  most?: number;
  /** Added to the total from one response to the next. */
  shift?: number;
  /** It reports another page than was requested. */
  misplaced?: boolean;
  ignoresTasks?: boolean;
  /** It leaves out calls that began outside the range. */
  keepsRange?: boolean;
  /** Positions by which each row moves from one response to the next. */
  moves?: number;
  /** Each n-th request fails and is sent again. */
  fails?: number;
}

export function service(odd: Oddities, length: Length) {
  const rows = lengths[length];
  let requests = 0;
  async function send(asker: Requester): Promise<void> {
    await asker.payForRequest();
    requests += 1;
    if (odd.fails === undefined || requests % odd.fails !== 0) return;
    if (!asker.takeSpareRequest()) throw new CodedError("UPSTREAM_UNAVAILABLE", "The service answered 500.");
    await send(asker);
  }
  const meant =
    ({ taskIds, since, until }: CallLogQuery) =>
    ({ taskId, startAt }: CallLogRecord) =>
      (!odd.keepsRange || startAt === null || (since <= startAt && startAt <= until)) &&
      (odd.ignoresTasks || taskIds.length === 0 || (taskId !== null && taskIds.includes(taskId)));
  const upstream: Pick<Upstream, "listCallLogs" | "getTask"> = {
    async listCallLogs(query, asker): Promise<CallLogPage> {
      await send(asker as Requester);
      const moved = ((odd.moves ?? 0) * requests) % rows.length;
      const all = [...rows.slice(moved), ...rows.slice(0, moved)].filter(meant(query));
      const pageSize = Math.min(query.pageSize, odd.most ?? 100);
      const start = (query.pageIndex - 1) * pageSize;
      const total = Math.max(0, all.length + (odd.shift ?? 0) * requests);
      const pageIndex = odd.misplaced ? 1 : query.pageIndex;
      return { rows: all.slice(start, start + pageSize), total, pageIndex, pageSize };
    },
    async getTask(taskId, asker) {
      await send(asker as Requester);
      return task({ taskId, createdAt: `2026-11-0${1 + (Number(taskId) % 9)}T00:00:0${Number(taskId) % 3}.000Z` });
    },
  };
  return { upstream: upstream as Upstream, requests: () => requests };
}
