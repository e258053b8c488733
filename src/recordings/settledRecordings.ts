// Streams recordings that were archived or lost, on any gateway, in the order of settling.
import { createRowFollower } from "../events/batchedRead.ts";
import type { Logger } from "../logger.ts";
import type { RecordingRow, RecordingStore } from "../store/recordings/recordingStore.ts";
import { createSignal } from "../util/signal.ts";

export interface SettledRecordings {
  /**
   * Each recording that settles from now on, in order and as it is when it is read: of a recording that settles twice in
   * between, only the last state. Ends only by `return()`, at once. Throws STORE_UNAVAILABLE.
   */
  follow(): Promise<AsyncIterableIterator<RecordingRow>>;
  /** Call it when a recording may have settled, here or on another gateway. */
  notify(): void;
}

const BATCH = 100;
const MAX_WAIT_MS = 60_000;

export function createSettledRecordings(
  store: Pick<RecordingStore, "settledAfter" | "settledHead">,
  log: Logger,
): SettledRecordings {
  const changes = createSignal();
  const { head, follow } = createRowFollower<RecordingRow>({
    readHead: store.settledHead,
    async readAfter(position) {
      const rows = await store.settledAfter(position, BATCH);
      return { rows, through: rows.at(-1)?.settled ?? position };
    },
    changes,
    maxWaitMs: MAX_WAIT_MS,
    log,
    failure: "settled recordings cannot be read; subscribers receive them after the next change",
  });
  return { follow: async () => follow(await head()), notify: changes.notify };
}
