// One look for all who watch the same thing: the first who comes begins it, the last who leaves ends it. Each is told
// what it is now, and then what has changed; a slow one misses what was overtaken, and never the newest.
import { setTimeout as pause } from "node:timers/promises";
import { createSignal } from "../util/signal.ts";

export interface SharedPollerOptions<T, Watcher extends object> {
  /** What it is now. Where it throws, those who watch are told the error, once, and it is tried again. */
  poll: (key: string, looking: PollContext<Watcher>) => Promise<T>;
  /** Equal texts: nothing has changed. */
  serialize: (value: T) => string;
  /** Behind which nothing can come. */
  isFinal: (value: T) => boolean;
  /**
   * Called before the first look; calls `look` when it is worth one. `isNews`: what it finds is told although it has not
   * changed. Must not throw. Disposed of with the last who watches.
   */
  onOpen: (key: string, look: (why: { isNews: boolean }) => void) => AsyncDisposable | Promise<AsyncDisposable>;
  /** From one look to the next where nobody calls for it. */
  intervalMs: number;
  /** From the start of one look to the next, however often it is called for, and whoever comes and goes. */
  minIntervalMs: number;
}

export interface PollContext<Watcher extends object> {
  /** Those it is for; they may be put in another order. */
  watchers: Set<Watcher>;
  /** Aborted when nobody watches any more. */
  signal: AbortSignal;
}

/** Ends by itself only behind a last value; `return()` ends it at once, even while it waits. A watcher watches once. */
export type SharedPoller<T, Watcher extends object> = (
  key: string,
  watcher: Watcher,
) => AsyncIterableIterator<T | Error>;

export function createSharedPoller<T, Watcher extends object>(
  options: SharedPollerOptions<T, Watcher>,
): SharedPoller<T, Watcher> {
  const stations = new Map<string, Station<T, Watcher>>();
  /** Of stations that nobody watches, while the rest behind their last look lasts. */
  const left = new Map<string, Found<T>>();

  function stationOf(key: string): Station<T, Watcher> {
    const there = stations.get(key);
    if (there) return there;
    const station = openStation(key, options, left.get(key) ?? null);
    stations.set(key, station);
    return station;
  }
  function remember(key: string, found: Found<T>): void {
    const restMs = found.at + options.minIntervalMs - performance.now();
    if (restMs <= 0) return;
    left.set(key, found);
    setTimeout(() => left.get(key) === found && left.delete(key), restMs).unref();
  }

  return (key, watcher) => {
    const station = stationOf(key);
    station.watchers.add(watcher);
    const ear = station.bell.listen();
    let told = 0;
    let isOver = false;

    function leave(): void {
      if (isOver) return;
      isOver = true;
      ear.close();
      station.watchers.delete(watcher);
      if (station.watchers.size > 0) return;
      if (stations.get(key) === station) stations.delete(key);
      station.close();
      if (station.found) remember(key, station.found);
    }
    return {
      async next() {
        while (!isOver) {
          ear.reset();
          const { news } = station;
          if (news && news.version > told) {
            told = news.version;
            if (!(news.value instanceof Error) && options.isFinal(news.value)) leave();
            return { done: false, value: news.value };
          }
          await ear.wait(IDLE_MS);
        }
        return { done: true, value: undefined };
      },
      async return() {
        leave();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  };
}

/** What a look found, and when it began. */
interface Found<T> {
  value: T | Error;
  at: number;
}

interface Station<T, Watcher extends object> {
  watchers: Set<Watcher>;
  /** Null while a look is under way. */
  found: Found<T> | null;
  /** The newest that is worth telling; null before the first look. */
  news: { version: number; value: T | Error } | null;
  bell: ReturnType<typeof createSignal>;
  close(): void;
}

const IDLE_MS = 60_000;

function openStation<T, Watcher extends object>(
  key: string,
  {
    poll: look,
    serialize: textOf,
    onOpen: listen,
    intervalMs: pollMs,
    minIntervalMs: restMs,
  }: SharedPollerOptions<T, Watcher>,
  before: Found<T> | null,
): Station<T, Watcher> {
  const called = createSignal();
  const ear = called.listen();
  const closed = new AbortController();
  const { signal } = closed;
  let isNews = false;
  const station: Station<T, Watcher> = {
    watchers: new Set(),
    found: before,
    news: before && { version: 1, value: before.value },
    bell: createSignal(),
    close() {
      closed.abort();
      ear.close();
    },
  };
  const textOfNews = (value: T | Error) => (value instanceof Error ? `failed: ${value.message}` : textOf(value));

  async function lookOnce(): Promise<void> {
    const wasNews = isNews;
    isNews = false;
    const at = performance.now();
    station.found = null;
    const value = await look(key, { watchers: station.watchers, signal }).catch((error: unknown) =>
      error instanceof Error ? error : new Error("no answer"),
    );
    if (signal.aborted) return;
    station.found = { value, at };
    const { news } = station;
    if (news && !wasNews && textOfNews(news.value) === textOfNews(value)) return;
    station.news = { version: (news?.version ?? 0) + 1, value };
    station.bell.notify();
  }

  async function rest(): Promise<void> {
    const early = (station.found?.at ?? -Infinity) + restMs - performance.now();
    if (early > 0) await pause(early, undefined, { signal }).catch(() => undefined);
  }

  async function run(): Promise<void> {
    await using _listening = await listen(key, (why) => {
      isNews ||= why.isNews;
      called.notify();
    });
    for (await rest(); !signal.aborted; await rest()) {
      ear.reset();
      await lookOnce();
      await ear.wait(pollMs);
    }
  }

  void run();
  return station;
}
