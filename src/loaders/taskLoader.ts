// Loads tasks by ID. The service has no endpoint for many tasks, so it saves what is asked for twice, and no more.
import type { Requester } from "../upstream/requester.ts";
import type { TaskRecord, Upstream } from "../upstream/upstream.ts";
import { onceByKey, type Loader } from "./onceByKey.ts";

export function createTaskLoader(upstream: Upstream, asker?: Requester): Loader<string, TaskRecord | null> {
  return onceByKey(
    async (taskId) => upstream.getTask(taskId, asker),
    (taskId) => taskId,
  );
}
