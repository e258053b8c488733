// A file of settings that is read again when it changes. It is checked each second, so that a change has effect at once.
import { stat } from "node:fs/promises";
import type { Logger } from "../logger.ts";
import { FinalError } from "../util/start/finalError.ts";

export interface WatchedFile<Content> extends AsyncDisposable {
  /** What the last version says that could be used. */
  current(): Content;
  /** Looks at the file now. `current` is up to date when it resolves. */
  reread(): Promise<void>;
  /** Calls the listener after each change of the file, also one that cannot be used. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

export interface WatchedFileOptions<Content> {
  file: string;
  /** The variable that names the file, for the log. */
  variable: string;
  /** Rejects with an Error that quotes nothing of the content if the file is not usable. */
  read: (file: string) => Promise<Content>;
  log: Logger;
  /** How often the identity, size and times of the file are compared. Mounted secrets change by replacing a link. */
  pollIntervalMs?: number;
}

const POLL_INTERVAL_MS = 1000;

/** Rejects as `read` does, with the variable's name. If a later version of the file is not usable, that is logged, and the last content stays in use. */
export async function watchFile<Content>(options: WatchedFileOptions<Content>): Promise<WatchedFile<Content>> {
  const { file, variable, read, log, pollIntervalMs = POLL_INTERVAL_MS } = options;
  let version = await versionOf(file);
  let content = await read(file).catch((error: Error) => {
    throw named(variable, error);
  });
  /** The version whose refusal was logged last. */
  let refused: string | null = null;
  const listeners = new Set<() => void>();
  let polling: Promise<void> = Promise.resolve();

  async function poll(): Promise<void> {
    const found = await versionOf(file);
    if (found === version) return;
    try {
      content = await read(file);
      version = found;
      log.info({}, `${variable} was read again`);
    } catch (err) {
      // It may be readable in a second, without a change: descriptors were used up, or a network disk did not answer.
      if (err instanceof FinalError) version = found;
      if (found === refused) return;
      refused = found;
      log.error({ err }, `${variable} cannot be used; its previous content stays in use`);
    }
    for (const listener of listeners) listener();
  }
  const reread = () => (polling = polling.then(poll));
  const timer = setInterval(() => void reread(), pollIntervalMs);

  return {
    current: () => content,
    reread,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await polling;
    },
  };
}

function named(variable: string, cause: Error): Error {
  const text = `${variable} ${cause.message}`;
  return cause instanceof FinalError ? new FinalError(text, { cause }) : new Error(text, { cause });
}

/** Changes when the file is replaced or written. */
async function versionOf(file: string): Promise<string> {
  const stats = await stat(file, { bigint: true }).catch(() => null);
  return stats ? [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join() : "missing";
}
