// Keeps answers of the service for a short while, already read. Bounded by their number and by the size of what they were
// read from; the oldest leave first, and nothing stays when nobody asks.
import { createTaskIndex } from "./taskIndex.ts";

export interface CachedResponse {
  value: unknown;
  /** Characters of the answer it was read from. */
  size: number;
}

export interface ResponseCache {
  get(key: string): CachedResponse | undefined;
  set(key: string, taskIds: readonly string[], answer: CachedResponse): void;
  /** See ByTask. */
  invalidate(taskId: string | null): void;
  clear(): void;
}

export interface ResponseCacheOptions {
  /** 0: nothing is kept. */
  ttlMs: number;
  now: () => number;
  maxEntries?: number;
  maxSize?: number;
}

const MOST = 5000;
const MOST_SIZE = 32 * 1024 * 1024;

export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const { ttlMs: keepMs, now, maxEntries: most = MOST, maxSize: mostSize = MOST_SIZE } = options;
  let size = 0;
  const answers = createTaskIndex<CachedResponse & { until: number }>((answer) => (size -= answer.size));
  let sweep: NodeJS.Timeout | undefined;

  /** All live equally long, so that the first is always the next to leave. */
  function makeRoom(): void {
    for (const [key, { until }] of answers.entries()) {
      if (until > now() && answers.size() <= most && size <= mostSize) break;
      answers.delete(key);
    }
  }
  function sweepLater(): void {
    sweep ??= setTimeout(() => {
      sweep = undefined;
      makeRoom();
      if (answers.size() > 0) sweepLater();
    }, keepMs).unref();
  }

  return {
    get(key) {
      const answer = answers.get(key);
      return answer && answer.until > now() ? answer : undefined;
    },
    set(key, taskIds, answer) {
      if (keepMs === 0 || answer.size > mostSize) return;
      answers.set(key, taskIds, { ...answer, until: now() + keepMs });
      size += answer.size;
      makeRoom();
      sweepLater();
    },
    invalidate: answers.deleteByTask,
    clear() {
      clearTimeout(sweep);
      for (const [key] of answers.entries()) answers.delete(key);
    },
  };
}
