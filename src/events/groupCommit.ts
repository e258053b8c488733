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
  batch: number;
  /** Items that may wait; beyond, an item is refused with STORE_UNAVAILABLE instead of filling the memory. */
  queue: number;
}

export function createGroupCommit<T, R>({ commit, batch, queue }: GroupCommitOptions<T, R>): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let running = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, batch);
      waiting = waiting.slice(batch);
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
      if (waiting.length >= queue) {
        reject(
          new CodedError("STORE_UNAVAILABLE", "More events are waiting to be written than may.", { retryAfter: 1 }),
        );
        return;
      }
      waiting.push({ item, resolve, reject });
      if (running) return;
      running = true;
      // The end of this turn of the event loop: what the same turn still brings shares the commit.
      setImmediate(() => void run());
    });
}
