import { CodedError } from "../errors.ts";
import type { TaskRecord } from "../upstream/upstream.ts";
import type { Context } from "./context.ts";
import { checkListLength, checkUpstreamId, checkUpstreamIds } from "./inputRules.ts";

export async function task(taskId: string, { loaders }: Context): Promise<TaskRecord | null> {
  checkUpstreamId("taskId", taskId);
  return loaders.task.load(taskId);
}

/** In the order of the argument. A task that cannot be loaded fails only its own entry. */
export function tasksByIds(taskIds: readonly string[], { loaders }: Context): Promise<TaskRecord | null>[] {
  checkListLength("taskIds", taskIds);
  checkUpstreamIds("taskIds", taskIds);
  return taskIds.map((taskId) => loaders.task.load(taskId));
}

/** The task now and after each change. An error is an item: it fails only this item, and the stream goes on. */
export function watchProgress(
  taskId: string,
  { taskProgress, viewer }: Context,
): AsyncIterableIterator<TaskRecord | Error | null> {
  checkUpstreamId("taskId", taskId);
  return taskProgress(taskId, viewer);
}

/** For items of a watch, which may be errors. */
export function valueOrThrow<T>(value: T | Error): T {
  if (value instanceof Error) throw value;
  return value;
}

const INT_32 = 2 ** 31;

/** Checks a number of the service for a field of the type Int. Throws UPSTREAM_CONTRACT instead of rounding. */
export function intOf<T extends number | null>(field: string, value: T): T {
  if (value === null || (Number.isInteger(value) && Math.abs(value) < INT_32)) return value;
  throw new CodedError("UPSTREAM_CONTRACT", `The service's ${field} is not a 32-bit integer.`);
}
