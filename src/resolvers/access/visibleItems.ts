// Iterators that leave out what a viewer may not see.
import type { TaskRecord } from "../../upstream/upstream.ts";
import { mapItems } from "../../util/iterators.ts";
import type { MaybePromise } from "../../util/maybePromise.ts";
import type { RowAccess } from "./rowAccess.ts";

export function visibleItems<T>(
  items: AsyncIterableIterator<T>,
  isOwn: (item: T) => MaybePromise<boolean>,
): AsyncIterableIterator<T> {
  return mapItems(items, async (item) => ((await isOwn(item)) ? item : undefined));
}

/** A task that the viewer may not see is null, like one that does not exist: once, because its changes are not told either. */
export function ownTask(
  tasks: AsyncIterableIterator<TaskRecord | Error | null>,
  taskId: string,
  access: RowAccess,
): AsyncIterableIterator<TaskRecord | Error | null> {
  let last: TaskRecord | Error | null | undefined;
  const ownOf = async (item: TaskRecord | Error | null) => {
    if (!(await access.maySeeTaskId(taskId))) return null;
    return item === null || item instanceof Error || (await access.seesTask(item)) ? item : null;
  };
  return mapItems(tasks, async (item) => {
    const own = await ownOf(item);
    const isRepeated = own === null && last === null;
    last = own;
    return isRepeated ? undefined : own;
  });
}
