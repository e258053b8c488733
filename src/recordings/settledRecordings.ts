// What was archived or lost, live and on every gateway: each follower holds a place in the order of settling, and reads
// from there. It tells what is so when it is read: of a recording that settles twice in between, only the last.
import { createSignal } from "../util/signal.ts";
import type { Log } from "../log.ts";
import type { RecordingRow, RecordingStore } from "../store/recordings/recordingStore.ts";

export interface SettledRecordings extends AsyncDisposable {
  /** Each recording that settles from now on, in order. Ends only by `return()`, at once. */
  follow(): AsyncIterableIterator<RecordingRow>;
  /** To be called when something may have settled, here or on another gateway. */
  notify(): Promise<void>;
}

const KEPT = 1000;
const BATCH = 100;
const LONG_MS = 60_000;

export async function openSettledRecordings(
  store: Pick<RecordingStore, "settledAfter" | "settledHead">,
  log: Log,
): Promise<SettledRecordings> {
  const bell = createSignal();
  let head = await store.settledHead();
  /** Behind it lies what is in memory, read once for all followers. */
  let from = head;
  let recent: RecordingRow[] = [];
  let looking: Promise<void> | null = null;
  let again = false;

  async function read(): Promise<void> {
    for (;;) {
      const rows = await store.settledAfter(head, BATCH);
      if (rows.length === 0) return;
      const grown = [...recent, ...rows];
      from = grown.at(-KEPT - 1)?.settled ?? from;
      recent = grown.slice(-KEPT);
      head = rows.at(-1)?.settled ?? head;
      bell.notify();
    }
  }
  async function readUntilQuiet(): Promise<void> {
    try {
      do {
        again = false;
        await read();
      } while (again);
    } catch (err) {
      log.warn({ err }, "what became of recordings cannot be read; it is told later");
    } finally {
      // In the same turn as the last look at `again`: a call in between would be lost.
      looking = null;
    }
  }
  function look(): Promise<void> {
    again = true;
    looking ??= readUntilQuiet();
    return looking;
  }

  async function behind(place: number): Promise<RecordingRow[]> {
    if (place < from) return store.settledAfter(place, BATCH);
    return recent.filter(({ settled }) => (settled ?? 0) > place).slice(0, BATCH);
  }

  function follow(): AsyncIterableIterator<RecordingRow> {
    const ear = bell.listen();
    const left = new AbortController();
    let place = head;
    async function* rows(): AsyncGenerator<RecordingRow, void, undefined> {
      while (!left.signal.aborted) {
        ear.reset();
        const batch = await behind(place);
        for (const row of batch) {
          place = row.settled ?? place;
          yield row;
        }
        if (batch.length === 0) await ear.wait(LONG_MS);
      }
    }
    const told = rows();
    return {
      next: () => told.next(),
      async return() {
        left.abort();
        ear.close();
        await told.return();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  return {
    follow,
    notify: look,
    async [Symbol.asyncDispose]() {
      await looking;
    },
  };
}
