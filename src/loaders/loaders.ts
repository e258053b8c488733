// One set of loaders per request, and per event inside of a subscription: what was loaded for one is never used for
// another.
import { allowanceExceeded, createRequester, type Requester } from "../upstream/requester.ts";
import type { CallLogPage, CallLogQuery, TaskRecord, Upstream } from "../upstream/upstream.ts";
import { createCallLogLoaders } from "./callLogLoader.ts";
import type { CallLogSlice } from "./callLogBehind.ts";
import type { LoadPage } from "./callLogWindow.ts";
import { createListChecks, type ListChecks, type ListChecksOptions } from "./listChecks.ts";
import { lazyLoader, type Loader } from "./onceByKey.ts";
import { trackSettled } from "./settledLoads.ts";
import { createTaskCallLogLoader, type TaskCallLogsKey } from "./taskCallLogLoader.ts";
import { createTaskLoader } from "./taskLoader.ts";

export interface Loaders {
  /** By task ID; null where the service knows no such task. */
  task: Loader<string, TaskRecord | null>;
  /** One page by its query. */
  callLogs: Loader<CallLogQuery, CallLogPage>;
  /** The same, for whoever reads a range to its end: of its total nothing is certain. */
  callLogPages: Loader<CallLogQuery, CallLogPage>;
  /** The first page of a task's list: up to ten tasks of the same arguments in one request. */
  taskCallLogs: Loader<TaskCallLogsKey, CallLogSlice>;
}

/** For the life of a process, which finds out once what its service does. */
export function createLoaderFactory(upstream: Upstream, options: ListChecksOptions): (asker: Requester) => Loaders {
  const checks = createListChecks(options);
  return (asker) => createLoaders(upstream, checks, asker);
}

/**
 * `checks` are the process's. `asker` is the request or event: when its client hangs up, what was asked for it is aborted.
 */
export function createLoaders(upstream: Upstream, checks: ListChecks, asker = createRequester()): Loaders {
  const task = trackSettled(createTaskLoader(upstream, asker));
  const { callLogs, unprovenCallLogs, callLogPages } = createCallLogLoaders(upstream, checks, asker);
  const taskCallLogs = lazyLoader(() =>
    createTaskCallLogLoader(whereSpare(unprovenCallLogs, asker), checks.severalTasks, task.settled),
  );
  return { task, callLogs, callLogPages, taskCallLogs };
}

/** A page of several tasks is asked for beside one for each of them, which were counted: it may save them, or not. */
function whereSpare(callLogs: Loaders["callLogs"], asker: Requester): LoadPage {
  return async (query) => {
    if (query.taskIds.length > 1 && !asker.takeSpareRequest()) throw allowanceExceeded();
    return callLogs.load(query);
  };
}
