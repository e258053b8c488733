import type { Context } from "./context.ts";
import { CodedError } from "../errors.ts";
import type { TaskRecord } from "../upstream/upstream.ts";
import { checkListLength, checkUpstreamId, checkUpstreamIds } from "./inputRules.ts";

export async function task(taskId: string, { loaders }: Context): Promise<TaskRecord | null> {
  checkUpstreamId("taskId", taskId);
  return loaders.task.load(taskId);
}

/** In the order asked; a failed task is an error of its own place only. */
export function tasksByIds(taskIds: readonly string[], { loaders }: Context): Promise<TaskRecord | null>[] {
  checkListLength("taskIds", taskIds);
  checkUpstreamIds("taskIds", taskIds);
  return taskIds.map((taskId) => loaders.task.load(taskId));
}

const INT_32 = 2 ** 31;

/** For a field that the graph calls Int: anything else from the service is told, not rounded. */
export function intOf<T extends number | null>(field: string, value: T): T {
  if (value === null || (Number.isInteger(value) && Math.abs(value) < INT_32)) return value;
  throw new CodedError("UPSTREAM_CONTRACT", `The service's ${field} is no 32-bit integer.`);
}
