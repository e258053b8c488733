// Iterators that leave out what a viewer may not see.
import type { TaskRecord } from "../../upstream/upstream.ts";
import type { MaybePromise } from "../../util/maybePromise.ts";
import type { RowAccess } from "./rowAccess.ts";

export function ownItems<T>(
  items: AsyncIterableIterator<T>,
  isOwn: (item: T) => MaybePromise<boolean>,
): AsyncIterableIterator<T> {
  return {
    async next() {
      for (;;) {
        const { done, value } = await items.next();
        if (done) return { done: true, value: undefined };
        if (await isOwn(value)) return { done: false, value };
      }
    },
    async return() {
      await items.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A task that the viewer may not see is null, like one that does not exist: once, because its changes are not told either. */
export function ownTask(
  tasks: AsyncIterableIterator<TaskRecord | Error | null>,
  taskId: string,
  access: RowAccess,
): AsyncIterableIterator<TaskRecord | Error | null> {
  let last: TaskRecord | Error | null | undefined;
  const own = mapItems(tasks, async (item) => {
    if (!(await access.maySeeTaskId(taskId))) return null;
    return item === null || item instanceof Error || (await access.seesTask(item)) ? item : null;
  });
  return ownItems(own, (item) => {
    const isRepeated = item === null && last === null;
    last = item;
    return !isRepeated;
  });
}

function mapItems<T>(items: AsyncIterableIterator<T>, map: (item: T) => Promise<T>): AsyncIterableIterator<T> {
  return {
    async next() {
      const { done, value } = await items.next();
      return done ? { done: true, value: undefined } : { done: false, value: await map(value) };
    },
    async return() {
      await items.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
