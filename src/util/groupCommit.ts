// Groups items that arrive at the same time into one commit, so that the disk syncs once for all of them. Items that arrive during
// a commit wait for the next one. Each item gets its result after its own commit. An item that is refused does not fail the others.
import { CodedError } from "../errors.ts";

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export interface GroupCommitOptions<T, R> {
  /** Commits all items or none. Returns the results in the same order. */
  commit: (items: readonly T[]) => Promise<readonly R[]>;
  /** Whether a commit failed because of one of its items. Then the others are committed without it. */
  isRefusal: (error: unknown) => boolean;
  /** The most items in one commit. */
  maxBatch: number;
  /** The most items that may wait, and below their total size. An item beyond either is refused with STORE_UNAVAILABLE. */
  maxQueued: number;
  sizeOf: (item: T) => number;
  maxQueuedSize: number;
}

export function createGroupCommit<T, R>(options: GroupCommitOptions<T, R>): (item: T) => Promise<R> {
  const { commit, isRefusal, maxBatch: batch, maxQueued: queue, sizeOf, maxQueuedSize: queueSize } = options;
  let waiting: Waiting<T, R>[] = [];
  let waitingSize = 0;
  let running = false;

  async function settle(group: readonly Waiting<T, R>[]): Promise<void> {
    const results = await commit(group.map(({ item }) => item));
    group.forEach(({ resolve }, index) => resolve(results[index] as R));
  }
  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, batch);
      waiting = waiting.slice(batch);
      for (const { item } of group) waitingSize -= sizeOf(item);
      try {
        await commitInHalves(group, { commit: settle, isRefusal, onRefused: ({ reject }, error) => reject(error) });
      } catch (error) {
        // Has no effect on those that are settled.
        for (const { reject } of group) reject(error);
      }
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= queue || (waiting.length > 0 && waitingSize + sizeOf(item) > queueSize)) {
        reject(
          new CodedError("STORE_UNAVAILABLE", "Too many events are waiting to be written. Try again later.", {
            retryAfter: 1,
          }),
        );
        return;
      }
      waiting.push({ item, resolve, reject });
      waitingSize += sizeOf(item);
      if (running) return;
      running = true;
      // Wait for the end of this turn of the event loop, so that all items of this turn share the commit.
      setImmediate(() => void run());
    });
}

export interface CommitInHalves<T> {
  /** Commits all items or none. */
  commit: (items: readonly T[]) => Promise<void>;
  /** Whether the commit failed because of one of its items. Not so if the database is away: then each further try would fail, too. */
  isRefusal: (error: unknown) => boolean;
  /** Called for each item that fails alone, in order. */
  onRefused: (item: T, error: unknown) => void;
}

/**
 * Tries the halves of a group that is refused, in order, down to single items. One bad item of 500 costs 18 commits more. Throws any
 * other failure at once, without the items that follow.
 */
export async function commitInHalves<T>(items: readonly T[], options: CommitInHalves<T>): Promise<void> {
  const { commit, isRefusal, onRefused } = options;
  try {
    await commit(items);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (items.length <= 1) return items.forEach((item) => onRefused(item, error));
    const middle = Math.ceil(items.length / 2);
    await commitInHalves(items.slice(0, middle), options);
    await commitInHalves(items.slice(middle), options);
  }
}
