// Polls a value once for all its watchers. The first watcher starts the polls and the last one stops them. Each receives the
// current value and then every change; a slow watcher may miss intermediate values but not the newest.
import { setTimeout as pause } from "node:timers/promises";
import { createSignal, type Signal } from "../util/signal.ts";
import { DONE, iterate } from "../util/iterators.ts";

export interface SharedPollerOptions<T, Watcher extends object> {
  /** Reads the current value. If it throws, the watchers receive the error once, and it is tried again. */
  poll: (key: string, looking: PollContext<Watcher>) => Promise<T>;
  /** Values with equal texts are equal. */
  serialize: (value: T) => string;
  /** True for a value that cannot change any more. */
  isFinal: (value: T) => boolean;
  /**
   * Called before the first poll. It may call `pollNow` when the value may have changed. `isNews`: the watchers receive the
   * result even if it is unchanged. It must not throw. Its result is disposed of with the last watcher.
   */
  onOpen: (key: string, pollNow: (why: { isNews: boolean }) => void) => AsyncDisposable | Promise<AsyncDisposable>;
  /** From one poll to the next without `pollNow`. */
  intervalMs: number;
  /** At least this long from the start of one poll to the next, also across `pollNow` and new watchers. */
  minIntervalMs: number;
}

export interface PollContext<Watcher extends object> {
  /** The watchers that the poll is for. It may reorder them. */
  watchers: Set<Watcher>;
  /** Aborted when the last watcher has left. */
  signal: AbortSignal;
}

/** Ends after a final value, and at once by `return()`. A watcher object may be used once. */
export type SharedPoller<T, Watcher extends object> = (
  key: string,
  watcher: Watcher,
) => AsyncIterableIterator<T | Error>;

export function createSharedPoller<T, Watcher extends object>(
  options: SharedPollerOptions<T, Watcher>,
): SharedPoller<T, Watcher> {
  const topics = new Map<string, Topic<T, Watcher>>();
  /** Results of topics without watchers, until `minIntervalMs` has passed: a new watcher causes no earlier poll. */
  const recentResults = new Map<string, PollResult<T>>();

  function topicOf(key: string): Topic<T, Watcher> {
    const existing = topics.get(key);
    if (existing) return existing;
    const topic = openTopic(key, options, recentResults.get(key) ?? null);
    topics.set(key, topic);
    return topic;
  }
  function remember(key: string, result: PollResult<T>): void {
    const remainingMs = result.startedAt + options.minIntervalMs - performance.now();
    if (remainingMs <= 0) return;
    recentResults.set(key, result);
    // A later result is that of a poll which begins after this time.
    setTimeout(() => recentResults.delete(key), remainingMs).unref();
  }

  return (key, watcher) => {
    const topic = topicOf(key);
    topic.watchers.add(watcher);
    const listener = topic.updates.listen();
    let receivedVersion = 0;
    let isOver = false;

    function end(): void {
      if (isOver) return;
      isOver = true;
      listener.close();
      topic.watchers.delete(watcher);
      if (topic.watchers.size > 0) return;
      if (topics.get(key) === topic) topics.delete(key);
      topic.close();
      if (topic.lastResult) remember(key, topic.lastResult);
    }
    async function next(): Promise<IteratorResult<T | Error, undefined>> {
      while (!isOver) {
        listener.reset();
        const { news } = topic;
        if (news && news.version > receivedVersion) {
          receivedVersion = news.version;
          if (!(news.value instanceof Error) && options.isFinal(news.value)) end();
          return { done: false, value: news.value };
        }
        await listener.wait(MAX_WAIT_MS);
      }
      return DONE;
    }
    return iterate(next, end);
  };
}

interface PollResult<T> {
  value: T | Error;
  /** When the poll began, by performance.now(). */
  startedAt: number;
}

/** A key that is polled, and its watchers. */
interface Topic<T, Watcher extends object> {
  watchers: Set<Watcher>;
  /** Null during a poll. */
  lastResult: PollResult<T> | null;
  /** The newest value for the watchers; null before the first one. */
  news: { version: number; value: T | Error } | null;
  /** Notified when `news` has changed. */
  updates: Signal;
  close(): void;
}

const MAX_WAIT_MS = 60_000;

function openTopic<T, Watcher extends object>(
  key: string,
  { poll, serialize, onOpen, intervalMs, minIntervalMs }: SharedPollerOptions<T, Watcher>,
  recent: PollResult<T> | null,
): Topic<T, Watcher> {
  const requests = createSignal();
  const listener = requests.listen();
  const closed = new AbortController();
  const { signal } = closed;
  let isNews = false;
  const topic: Topic<T, Watcher> = {
    watchers: new Set(),
    lastResult: recent,
    news: recent && { version: 1, value: recent.value },
    updates: createSignal(),
    close() {
      closed.abort();
      listener.close();
    },
  };
  const textOf = (value: T | Error) => (value instanceof Error ? `failed: ${value.message}` : serialize(value));

  async function pollOnce(): Promise<void> {
    const wasNews = isNews;
    isNews = false;
    const startedAt = performance.now();
    topic.lastResult = null;
    const value = await poll(key, { watchers: topic.watchers, signal }).catch((error: unknown) =>
      error instanceof Error ? error : new Error("no answer"),
    );
    if (signal.aborted) return;
    topic.lastResult = { value, startedAt };
    const { news } = topic;
    if (news && !wasNews && textOf(news.value) === textOf(value)) return;
    topic.news = { version: (news?.version ?? 0) + 1, value };
    topic.updates.notify();
  }

  async function waitMinInterval(): Promise<void> {
    const ms = (topic.lastResult?.startedAt ?? -Infinity) + minIntervalMs - performance.now();
    if (ms > 0) await pause(ms, undefined, { signal }).catch(() => undefined);
  }

  async function run(): Promise<void> {
    await using _opened = await onOpen(key, (why) => {
      isNews ||= why.isNews;
      requests.notify();
    });
    for (await waitMinInterval(); !signal.aborted; await waitMinInterval()) {
      listener.reset();
      await pollOnce();
      await listener.wait(intervalMs);
    }
  }

  void run();
  return topic;
}
