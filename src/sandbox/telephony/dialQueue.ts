// The numbers of one task in the order they are to be dialled: retries that are due first, then those never tried.
import type { TaskItem } from "../world/model.ts";

export interface DialQueue {
  /** The next number to dial now; null when none is due. */
  take(now: number): TaskItem | null;
  /** Puts a number back, to be dialled from `due` on. */
  retry(item: TaskItem, due: number): void;
  /** When the next number is due (in the past when it could be dialled at once); null when none waits. */
  nextAt(): number | null;
}

/** Retries of a task all wait the same time, so they fall due about in the order they were put back: no heap is needed. */
export function createDialQueue(items: readonly TaskItem[]): DialQueue {
  const fresh = items.filter((item) => !item.done);
  let retries: { item: TaskItem; due: number }[] = [];
  let freshAt = 0;
  let retryAt = 0;
  const skipDone = () => {
    while (fresh[freshAt]?.done) freshAt += 1;
    while (retries[retryAt]?.item.done) retryAt += 1;
  };
  return {
    take: (now) => {
      skipDone();
      const retry = retries[retryAt];
      if (retry && retry.due <= now) {
        retryAt += 1;
        return retry.item;
      }
      return fresh[freshAt++] ?? null;
    },
    retry: (item, due) => {
      if (retryAt > 1000) {
        retries = retries.slice(retryAt);
        retryAt = 0;
      }
      retries.push({ item, due });
    },
    nextAt: () => {
      skipDone();
      return freshAt < fresh.length ? 0 : (retries[retryAt]?.due ?? null);
    },
  };
}
