// One set of loaders per request, and per event inside of a subscription: what was loaded for one is never used for
// another.
import type { Asker } from "../upstream/asker.ts";
import type { CallLogPage, CallLogQuery, TaskRecord, Upstream } from "../upstream/upstream.ts";
import { createCallLogLoader } from "./callLogLoader.ts";
import type { Loader } from "./onceByKey.ts";
import { createTaskLoader } from "./taskLoader.ts";

export interface Loaders {
  /** By task ID; null where the service knows no such task. */
  task: Loader<string, TaskRecord | null>;
  /** One page by its query. */
  callLogs: Loader<CallLogQuery, CallLogPage>;
}

/** `asker` is the request or event: when its client hangs up, what was asked for it is aborted. */
export function createLoaders(upstream: Upstream, asker?: Asker): Loaders {
  return { task: createTaskLoader(upstream, asker), callLogs: createCallLogLoader(upstream, asker) };
}
