// A fake service that holds the responses to some pages until a test settles them.
import { createLoaders } from "../../src/loaders/loaders.ts";
import { createRequester } from "../../src/upstream/requester.ts";
import type { CallLogPage, CallLogQuery, Upstream } from "../../src/upstream/upstream.ts";
import { callLogQuery, listChecks } from "../upstream/service.ts";
import { fits, rowsOf } from "./oddService.ts";

export interface HeldAnswer {
  query: CallLogQuery;
  answer: () => void;
  fail: (error: Error) => void;
}

/** `calls`: calls of each task. `isHeld`: the test settles the response to this query. */
export function heldService(calls: number, isHeld: (query: CallLogQuery) => boolean) {
  const held: HeldAnswer[] = [];
  const upstream: Pick<Upstream, "listCallLogs"> = {
    async listCallLogs(query, asker): Promise<CallLogPage> {
      const { pageIndex, pageSize, taskIds } = query;
      const [taskId = ""] = taskIds;
      const rows = rowsOf(calls, (at) => ({ sessionId: `${taskId}-${at}`, taskId })).filter(
        (row) => taskId.length < 10 && fits(row, query),
      );
      const start = (pageIndex - 1) * pageSize;
      const page = { rows: rows.slice(start, start + pageSize), total: rows.length, pageIndex, pageSize };
      if (!isHeld(query)) return page;
      const settled = Promise.withResolvers<CallLogPage>();
      asker?.signal.addEventListener("abort", () => settled.reject(asker.signal.reason));
      held.push({ query, answer: () => settled.resolve(page), fail: settled.reject });
      return settled.promise;
    },
  };
  const checks = listChecks();
  /** The total of a task's list for a new requester, or the code or message of its error. */
  async function totalOf(taskId: string, signal = new AbortController().signal): Promise<unknown> {
    const { callLogs } = createLoaders(upstream as Upstream, checks, createRequester({ signal }));
    try {
      const page = await callLogs.load(callLogQuery({ taskIds: [taskId], pageIndex: 1, pageSize: 10 }));
      return page.total;
    } catch (error) {
      return (error as { code?: string }).code ?? (error as Error).message;
    }
  }
  return { held, totalOf };
}

/** Runs the event loop until all pending reactions have run. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
