// Reads the whole log in the background, so that damaged entries are known before anybody asks for them. A large SQLite file is
// checked in this way when its gateway did not stop normally.
import { setTimeout as pause } from "node:timers/promises";
import { ownNumber, type Logger } from "../logger.ts";
import type { EventRow, EventStore } from "../store/events/eventStore.ts";

export interface LogCheck extends AsyncDisposable {
  /** The checked part of the log, from 0 to 1. Null when all of it was read. */
  progress(): number | null;
}

export interface LogCheckOptions {
  store: Pick<EventStore, "read" | "head">;
  /** Checks a row and records damage. */
  checkRow: (row: EventRow) => void;
  log: Logger;
}

/** Reading as many takes 2 ms or 3 ms of the thread that writes. */
const PAGE_SIZE = 100;
/** The check uses a fifth of the time. */
const PAUSE_PER_READING = 4;
const RETRY_MS = 1000;

/** Begins at once. Entries that are appended meanwhile need no check. */
export function startLogCheck({ store, checkRow, log }: LogCheckOptions): LogCheck {
  const stopped = new AbortController();
  const { signal } = stopped;
  let position = 0;
  let head: number | null = null;
  let isComplete = false;
  let isFailing = false;

  async function readNext(through: number): Promise<void> {
    const from = performance.now();
    const page = { filter: {}, revisions: true, order: "oldestFirst", limit: PAGE_SIZE } as const;
    const rows = await store.read({ ...page, after: position, through });
    rows.forEach(checkRow);
    position = rows.at(-1)?.seq ?? through;
    await pause(PAUSE_PER_READING * (performance.now() - from), undefined, { signal, ref: false });
  }

  async function run(): Promise<void> {
    while (!isComplete) {
      try {
        head ??= await store.head();
        if (position < head) await readNext(head);
        isComplete = position >= head;
        isFailing = false;
      } catch (err) {
        if (signal.aborted) return;
        // Logged once: it is tried again every second, and /readyz shows that it does not come to its end.
        if (!isFailing)
          log.error(
            { err, position: ownNumber(position) },
            "the log cannot be checked any further; restore a backup if its file is damaged",
          );
        isFailing = true;
        await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
    log.info({ entries: ownNumber(position) }, "the log was checked");
  }

  log.warn({}, "the gateway did not stop normally; the log is being checked in the background");
  const running = run();
  return {
    progress: () => (isComplete ? null : position / Math.max(head ?? 1, 1)),
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await running;
    },
  };
}
