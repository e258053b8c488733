// Collects changes for a short time and writes them together, one write at a time. For data that may be lost with the process,
// because it will be seen again.
import type { Logger } from "../logger.ts";
import { isRefusal } from "../store/storeError.ts";
import { commitInHalves } from "../util/groupCommit.ts";

/** How long changes are collected by default. */
export const WRITE_DELAY_MS = 100;
const WRITE_BATCH = 1000;

export interface WriteBehind extends AsyncDisposable {
  /** Call it when there is something to write. The write begins within the delay and is repeated if it fails. */
  schedule(): void;
  /** Resolves when everything scheduled is written. Rejects as the write does; it is repeated then. */
  flush(): Promise<void>;
}

export interface WriteBehindDeps {
  /** Writes everything that waits. `isLast`: no other write follows. */
  write: (isLast: boolean) => Promise<void>;
  delayMs: number;
  log: Logger;
}

/** Disposing it writes what still waits. */
export function createWriteBehind({ write, delayMs, log }: WriteBehindDeps): WriteBehind {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isOver = false;

  function schedule(): void {
    if (timer !== undefined || isOver) return;
    timer = setTimeout(() => void flush().catch(logFailure), delayMs);
    timer.unref();
  }
  function logFailure(err: unknown): void {
    log.warn({ err }, "tasks and assistants that were seen cannot be stored; it is tried again");
  }
  async function flush(): Promise<void> {
    const isWaiting = timer !== undefined;
    clearTimeout(timer);
    timer = undefined;
    if (isWaiting) writing = writing.catch(() => undefined).then(() => write(false));
    try {
      await writing;
    } catch (error) {
      schedule();
      throw error;
    }
  }

  return {
    schedule,
    flush,
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      timer = undefined;
      isOver = true;
      await writing.catch(() => undefined);
      await write(true).catch(logFailure);
    },
  };
}

/**
 * Saves what waits in batches, and takes it out. A value that was replaced during its save waits for the next write, and one that the
 * database refuses is taken out, too.
 */
export async function saveInBatches<Value>(
  waiting: Map<string, Value>,
  save: (batch: readonly Value[]) => Promise<void>,
  log: Logger,
): Promise<void> {
  while (waiting.size > 0) {
    const batch = [...waiting].slice(0, WRITE_BATCH);
    await saveAcceptable(
      batch.map(([, value]) => value),
      save,
      log,
    );
    for (const [key, value] of batch) if (waiting.get(key) === value) waiting.delete(key);
  }
}

/** Saves all values, but for those that the database refuses: no repetition would help them. */
export function saveAcceptable<Value>(
  values: readonly Value[],
  save: (values: readonly Value[]) => Promise<void>,
  log: Logger,
): Promise<void> {
  const onRefused = (_: Value, err: unknown) =>
    log.error({ err }, "the database refuses a task, an assistant or a line that was seen; it is left out");
  return commitInHalves(values, { commit: save, isRefusal, onRefused });
}

/** Makes the entry the newest one, and drops the oldest beyond the limit. */
export function setNewest<Value>(cache: Map<string, Value>, key: string, value: Value, maxEntries: number): void {
  cache.delete(key);
  cache.set(key, value);
  const [oldest] = cache.keys();
  if (cache.size > maxEntries && oldest !== undefined) cache.delete(oldest);
}
