// The loaders of one request, or of one event of a subscription. Nothing that was loaded for one is used for another.
import { allowanceExceeded, createRequester, type Requester } from "../upstream/requester.ts";
import type { CallLogPage, CallLogQuery, TaskRecord, Upstream } from "../upstream/upstream.ts";
import type { CallLogSlice } from "./callLogAfter.ts";
import { createCallLogLoaders, type ListChecks } from "./callLogLoader.ts";
import { blamingService } from "./checkRequests.ts";
import type { LoadPage } from "./readWindow.ts";
import { lazyLoader, onceByKey, trackSettled, type Loader } from "./keyedLoader.ts";
import { createTaskCallLogLoader, type TaskCallLogsKey } from "./taskCallLogLoader.ts";

export interface Loaders {
  /** By task ID; null where the service knows no such task. */
  task: Loader<string, TaskRecord | null>;
  /** One page by its query, with all checks. */
  callLogs: Loader<CallLogQuery, CallLogPage>;
  /** One page without the checks of its total and filters, for a reader that reads a range to its end. */
  callLogPages: Loader<CallLogQuery, CallLogPage>;
  /** The first page of a task's list. Up to ten tasks with the same arguments share one request. */
  taskCallLogs: Loader<TaskCallLogsKey, CallLogSlice>;
}

/** One factory per process: what it learns about the service is kept for all requests. */
export function createLoaderFactory(upstream: Upstream, checks: ListChecks): (requester: Requester) => Loaders {
  return (requester) => createLoaders(upstream, checks, requester);
}

/** `checks`: shared by the process. `requester`: the request or event; loads are aborted when its client disconnects. */
export function createLoaders(upstream: Upstream, checks: ListChecks, requester = createRequester()): Loaders {
  const task = trackSettled(
    onceByKey(
      // The service has no endpoint for many tasks.
      (taskId: string) => blamingService(upstream.getTask(taskId, requester)),
      (taskId) => taskId,
    ),
  );
  const { callLogs, unprovenCallLogs, callLogPages } = createCallLogLoaders(upstream, checks, requester);
  const taskCallLogs = lazyLoader(() =>
    createTaskCallLogLoader(withSpareRequests(unprovenCallLogs, requester), checks.severalTasks, task.settled),
  );
  return { task, callLogs, callLogPages, taskCallLogs };
}

/**
 * The operation's cost counts one request for each task. A page of several tasks comes on top and may save them, so it needs a
 * spare request.
 */
function withSpareRequests(callLogs: Loaders["callLogs"], requester: Requester): LoadPage {
  return async (query) => {
    if (query.taskIds.length > 1 && !requester.takeSpareRequest()) throw allowanceExceeded();
    return callLogs.load(query);
  };
}
