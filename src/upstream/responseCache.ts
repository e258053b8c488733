// Caches parsed responses of the service for a short time. The number of entries and their total size are bounded; the oldest
// entries leave first. A timer removes expired entries, so an idle gateway holds none.
import { createTaskIndex } from "./taskIndex.ts";

export interface CachedResponse {
  value: unknown;
  /** Length of the response's text, in characters. */
  size: number;
}

export interface ResponseCache {
  get(key: string): CachedResponse | undefined;
  /** `taskIds`: the tasks that the response covers; empty: all. */
  set(key: string, taskIds: readonly string[], response: CachedResponse): void;
  /** See TaskIndex.deleteByTask. */
  invalidate(taskId: string | null): void;
  clear(): void;
}

export interface ResponseCacheOptions {
  /** 0: nothing is cached. */
  ttlMs: number;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  maxEntries?: number;
  maxSize?: number;
}

const MAX_ENTRIES = 5000;
const MAX_SIZE = 32 * 1024 * 1024;

export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const { ttlMs, now, maxEntries = MAX_ENTRIES, maxSize = MAX_SIZE } = options;
  let size = 0;
  const entries = createTaskIndex<CachedResponse & { expiresAt: number }>((entry) => (size -= entry.size));
  let timer: NodeJS.Timeout | undefined;

  /** All entries live equally long, so the first one is always the next to expire. */
  function evict(): void {
    for (const [key, { expiresAt }] of entries.entries()) {
      if (expiresAt > now() && entries.size() <= maxEntries && size <= maxSize) break;
      entries.delete(key);
    }
  }
  function scheduleEviction(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      evict();
      if (entries.size() > 0) scheduleEviction();
    }, ttlMs).unref();
  }

  return {
    get(key) {
      const entry = entries.get(key);
      return entry && entry.expiresAt > now() ? entry : undefined;
    },
    set(key, taskIds, response) {
      if (ttlMs === 0 || response.size > maxSize) return;
      entries.set(key, taskIds, { ...response, expiresAt: now() + ttlMs });
      size += response.size;
      evict();
      scheduleEviction();
    },
    invalidate: entries.deleteByTask,
    clear() {
      clearTimeout(timer);
      timer = undefined;
      for (const [key] of entries.entries()) entries.delete(key);
    },
  };
}
