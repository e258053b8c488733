// Caches parsed responses of the service for a short time. The number of entries and their total size are bounded; the oldest
// entries leave first. A timer removes expired entries, so an idle gateway holds none.
import { hash } from "node:crypto";
import { endFreshness, notFresh, type Freshness } from "../util/freshness.ts";

export interface CachedResponse {
  value: unknown;
  /** Length of the response's text, in characters. */
  size: number;
}

export interface ResponseCache {
  get(path: string): (CachedResponse & { freshness: Readonly<Freshness> }) | undefined;
  /**
   * `taskIds`: the tasks that the response covers; empty: all. Returns a freshness that ends with the entry: when it expires, or
   * is dropped, evicted or replaced. A response that is not cached gets one that has ended.
   */
  set(path: string, taskIds: readonly string[], response: CachedResponse): Readonly<Freshness>;
  /** Drops the responses that cover the task; null: only those that cover all tasks. */
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

interface Entry extends CachedResponse {
  taskIds: readonly string[];
  freshness: Freshness;
}

const MAX_ENTRIES = 5000;
const MAX_SIZE = 32 * 1024 * 1024;
/** The index key of responses that name no task. */
const NO_TASK = "";

export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const { ttlMs, now, maxEntries = MAX_ENTRIES, maxSize = MAX_SIZE } = options;
  const entries = new Map<string, Entry>();
  /** The entries that name a task, so that dropping them needs no scan. */
  const keysByTask = new Map<string, Set<string>>();
  let size = 0;
  let timer: NodeJS.Timeout | undefined;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    endFreshness(entry.freshness);
    size -= entry.size;
    for (const taskId of indexKeys(entry.taskIds)) {
      keysByTask.get(taskId)?.delete(key);
      if (keysByTask.get(taskId)?.size === 0) keysByTask.delete(taskId);
    }
  }
  /** All entries live equally long, so the first one is always the next to expire. */
  function evict(): void {
    for (const [key, { freshness }] of entries) {
      if (freshness.endsAt > now() && entries.size <= maxEntries && size <= maxSize) break;
      remove(key);
    }
  }
  function scheduleEviction(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      evict();
      if (entries.size > 0) scheduleEviction();
    }, ttlMs).unref();
  }

  return {
    get(path) {
      if (entries.size === 0) return undefined;
      const entry = entries.get(digestOf(path));
      return entry && entry.freshness.endsAt > now() ? entry : undefined;
    },
    set(path, taskIds, response) {
      if (ttlMs === 0 || response.size > maxSize) return notFresh;
      const key = digestOf(path);
      remove(key);
      const freshness = { endsAt: now() + ttlMs };
      entries.set(key, { ...response, taskIds, freshness });
      size += response.size;
      for (const taskId of indexKeys(taskIds)) {
        keysByTask.set(taskId, (keysByTask.get(taskId) ?? new Set()).add(key));
      }
      evict();
      scheduleEviction();
      return freshness;
    },
    invalidate(taskId) {
      for (const indexKey of taskId === null ? [NO_TASK] : [NO_TASK, taskId]) {
        for (const key of keysByTask.get(indexKey) ?? []) remove(key);
      }
    },
    clear() {
      clearTimeout(timer);
      timer = undefined;
      for (const { freshness } of entries.values()) endFreshness(freshness);
      entries.clear();
      keysByTask.clear();
      size = 0;
    },
  };
}

/** Whether a request that names these tasks covers the task; null: an event without a task. */
export function coversTask(taskIds: readonly string[], taskId: string | null): boolean {
  return taskIds.length === 0 || (taskId !== null && taskIds.includes(taskId));
}

function indexKeys(taskIds: readonly string[]): readonly string[] {
  return taskIds.length > 0 ? taskIds : [NO_TASK];
}

/** A digest, because the path may hold a phone number, which must not stay in memory. */
function digestOf(path: string): string {
  return hash("sha256", path, "base64url");
}
