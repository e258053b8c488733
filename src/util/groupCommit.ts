// Many appends, one transaction: whatever arrives while a commit is under way goes into the next one together, so that
// the disk is asked once for all of them. Each is answered only after its own commit.
import { CodedError } from "../errors.ts";

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export interface GroupCommitOptions<T, R> {
  /** All items or none; results in their order. */
  commit: (items: readonly T[]) => Promise<readonly R[]>;
  /** Items in one commit. */
  maxBatch: number;
  /** Items that may wait, and what they may measure together: beyond, one is refused with STORE_UNAVAILABLE. */
  maxQueued: number;
  sizeOf: (item: T) => number;
  maxQueuedSize: number;
}

export function createGroupCommit<T, R>(options: GroupCommitOptions<T, R>): (item: T) => Promise<R> {
  const { commit, maxBatch: batch, maxQueued: queue, sizeOf, maxQueuedSize: queueSize } = options;
  let waiting: Waiting<T, R>[] = [];
  let waitingSize = 0;
  let running = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, batch);
      waiting = waiting.slice(batch);
      for (const { item } of group) waitingSize -= sizeOf(item);
      try {
        const results = await commit(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => resolve(results[index] as R));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= queue || (waiting.length > 0 && waitingSize + sizeOf(item) > queueSize)) {
        reject(
          new CodedError("STORE_UNAVAILABLE", "More events are waiting to be written than may.", { retryAfter: 1 }),
        );
        return;
      }
      waiting.push({ item, resolve, reject });
      waitingSize += sizeOf(item);
      if (running) return;
      running = true;
      // The end of this turn of the event loop: what the same turn still brings shares the commit.
      setImmediate(() => void run());
    });
}
