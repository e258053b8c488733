// Streams recordings that were archived or lost, on any gateway. Each follower has a position in the order of settling and
// reads from the store; followers that wake together share one query.
import { createBatchedRead, shareRead } from "../events/batchedRead.ts";
import { createAbortable } from "../events/followLog.ts";
import type { Logger } from "../logger.ts";
import type { RecordingRow, RecordingStore } from "../store/recordings/recordingStore.ts";
import { createSignal } from "../util/signal.ts";

export interface SettledRecordings {
  /**
   * Each recording that settles from now on, in order and as it is when it is read: of a recording that settles twice in
   * between, only the last state. Ends only by `return()`, at once. `next` throws STORE_UNAVAILABLE if it cannot begin.
   */
  follow(): AsyncIterableIterator<RecordingRow>;
  /** Call it when a recording may have settled, here or on another gateway. */
  notify(): void;
}

const BATCH = 100;
const MAX_WAIT_MS = 60_000;

export function createSettledRecordings(
  store: Pick<RecordingStore, "settledAfter" | "settledHead">,
  log: Logger,
): SettledRecordings {
  const updates = createSignal();
  const readHead = shareRead(store.settledHead);
  const readBatches = createBatchedRead(async (positions: readonly number[]) => {
    const batches = positions.map(async (position) => [position, await readBatch(position)] as const);
    return new Map(await Promise.all(batches));
  });

  /** Empty when the store fails: the follower reads again at the next notification. */
  async function readBatch(position: number): Promise<RecordingRow[]> {
    try {
      return await store.settledAfter(position, BATCH);
    } catch (err) {
      log.warn({ err }, "settled recordings cannot be read; subscribers receive them after the next change");
      return [];
    }
  }

  function follow(): AsyncIterableIterator<RecordingRow> {
    const listener = updates.listen();
    const { isAborted, unlessAborted, iterate } = createAbortable(listener);
    // Begun at once and not at the first `next`, so that nothing that settles in between is missed.
    const begun = readHead();
    begun.catch(() => undefined);

    async function* rows(): AsyncGenerator<RecordingRow, void, undefined> {
      let position = await unlessAborted(begun);
      while (position !== null && !isAborted()) {
        listener.reset();
        const batches = await unlessAborted(readBatches([position]));
        if (!batches) return;
        const batch = batches.get(position) ?? [];
        for (const row of batch) {
          position = row.settled ?? position;
          yield row;
        }
        if (batch.length === 0) await listener.wait(MAX_WAIT_MS);
      }
    }
    return iterate(rows());
  }

  return { follow, notify: updates.notify };
}
