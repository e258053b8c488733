// Collects changes for a short time and writes them together, one write at a time. For data that may be lost with the process,
// because it will be seen again.
import type { Log } from "../log.ts";

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
  log: Log;
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
      isOver = true;
      await writing.catch(() => undefined);
      await write(true).catch(logFailure);
    },
  };
}
