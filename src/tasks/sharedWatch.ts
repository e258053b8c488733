// One look for all who watch the same thing: the first who comes begins it, the last who leaves ends it. Each is told
// what it is now, and then what has changed; a slow one misses what was overtaken, and never the newest.
import { setTimeout as pause } from "node:timers/promises";
import { createBell } from "../events/bell.ts";

export interface SharedWatchOptions<T> {
  /** What it is now. Where it throws, those who watch are told the error, once, and it is tried again. */
  look: (key: string) => Promise<T>;
  /** Equal texts: nothing has changed. */
  textOf: (value: T) => string;
  /** Behind which nothing can come. */
  isLast: (value: T) => boolean;
  /**
   * Called before the first look; calls `look` when it is worth one. `isNews`: what it finds is told although it has not
   * changed. Must not throw. Disposed of with the last who watches.
   */
  listen: (key: string, look: (why: { isNews: boolean }) => void) => AsyncDisposable | Promise<AsyncDisposable>;
  /** From one look to the next where nobody calls for it. */
  pollMs: number;
  /** From the start of one look to the next, however often it is called for. */
  restMs: number;
}

/** Ends by itself only behind a last value; `return()` ends it at once, even while it waits. */
export type Watch<T> = (key: string) => AsyncIterableIterator<T | Error>;

export function createSharedWatch<T>(options: SharedWatchOptions<T>): Watch<T> {
  const stations = new Map<string, Station<T>>();

  function stationOf(key: string): Station<T> {
    const there = stations.get(key);
    if (there) return there;
    const station = openStation(key, options);
    stations.set(key, station);
    return station;
  }

  return (key) => {
    const station = stationOf(key);
    station.watchers += 1;
    const ear = station.bell.listen();
    let told = 0;
    let isOver = false;

    function leave(): void {
      if (isOver) return;
      isOver = true;
      ear.close();
      station.watchers -= 1;
      if (station.watchers > 0) return;
      if (stations.get(key) === station) stations.delete(key);
      station.close();
    }
    return {
      async next() {
        while (!isOver) {
          ear.reset();
          const { news } = station;
          if (news && news.version > told) {
            told = news.version;
            if (!(news.value instanceof Error) && options.isLast(news.value)) leave();
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

interface Station<T> {
  watchers: number;
  /** The newest that is worth telling; null before the first look. */
  news: { version: number; value: T | Error } | null;
  bell: ReturnType<typeof createBell>;
  close(): void;
}

const IDLE_MS = 60_000;

function openStation<T>(key: string, { look, textOf, listen, pollMs, restMs }: SharedWatchOptions<T>): Station<T> {
  const called = createBell();
  const ear = called.listen();
  const closed = new AbortController();
  let isNews = false;
  const station: Station<T> = {
    watchers: 0,
    news: null,
    bell: createBell(),
    close() {
      closed.abort();
      ear.close();
    },
  };
  const textOfNews = (value: T | Error) => (value instanceof Error ? `failed: ${value.message}` : textOf(value));

  async function lookOnce(): Promise<void> {
    const wasNews = isNews;
    isNews = false;
    const value = await look(key).catch((error: unknown) => (error instanceof Error ? error : new Error("no answer")));
    const { news } = station;
    if (news && !wasNews && textOfNews(news.value) === textOfNews(value)) return;
    station.news = { version: (news?.version ?? 0) + 1, value };
    station.bell.ring();
  }

  async function run(): Promise<void> {
    await using _listening = await listen(key, (why) => {
      isNews ||= why.isNews;
      called.ring();
    });
    while (!closed.signal.aborted) {
      const lookedAt = performance.now();
      ear.reset();
      await lookOnce();
      await ear.wait(pollMs);
      const early = lookedAt + restMs - performance.now();
      if (early > 0) await pause(early, undefined, { signal: closed.signal }).catch(() => undefined);
    }
  }

  void run();
  return station;
}
