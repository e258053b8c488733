// Writes behind what was noted: soon, together, and one write at a time. For what may be lost with the process, because it
// is met again.
import type { Log } from "../log.ts";

export interface WriteBehind extends AsyncDisposable {
  /** There is something to write; it is written within the delay, and again where it failed. */
  schedule(): void;
  /** Resolves when all that was noted is written. Rejects as the write does; it is tried again then. */
  flush(): Promise<void>;
}

export interface WriteBehindDeps {
  /** Writes whatever waits then; `isLast` where no other write will come. */
  write: (isLast: boolean) => Promise<void>;
  delayMs: number;
  log: Log;
}

/** Disposing it writes what waits. */
export function createWriteBehind({ write, delayMs, log }: WriteBehindDeps): WriteBehind {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isOver = false;

  function note(): void {
    if (timer !== undefined || isOver) return;
    timer = setTimeout(() => void flush().catch(tell), delayMs);
    timer.unref();
  }
  function tell(err: unknown): void {
    log.warn({ err }, "what was seen of tasks and assistants cannot be kept; it is tried again");
  }
  async function flush(): Promise<void> {
    const isWaiting = timer !== undefined;
    clearTimeout(timer);
    timer = undefined;
    if (isWaiting) writing = writing.catch(() => undefined).then(() => write(false));
    try {
      await writing;
    } catch (error) {
      note();
      throw error;
    }
  }

  return {
    schedule: note,
    flush,
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      isOver = true;
      await writing.catch(() => undefined);
      await write(true).catch(tell);
    },
  };
}
