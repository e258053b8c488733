// A reader of the log that outlives its process: it goes on where it stood, one gateway at a time among many. At least
// once: what was handled right before a kill is handed out again, so the work must bear a repeat.
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import type { ReaderStore } from "../store/shared/readerStore.ts";
import type { CallEndedEvent } from "./callEndedEvent.ts";
import type { EventBatch, EventLog } from "./eventLog.ts";

export interface DurableReaderDeps {
  /** Its place and its lease go by this name, on every gateway of the database and for ever. */
  name: string;
  events: Pick<EventLog, "followBatches" | "oldestCursor">;
  readers: ReaderStore;
  leases: LeaseStore;
  /** Where it begins when it has never read. */
  from: "oldest" | "now";
  /**
   * Every entry of the log, revisions too, in order, and the next batch only when this one is done. Where it throws, the
   * same events come again after a pause. The signal aborts when the gateway stops, or another one has taken over: what
   * ends without throwing then counts as not done.
   */
  handle: (events: readonly CallEndedEvent[], signal: AbortSignal) => Promise<void>;
  log: Log;
  times?: DurableReaderTimes;
}

export interface DurableReaderTimes {
  /** How often a gateway asks whether it is its turn. A killed one's turn ends with its lease. */
  leaseRetryMs: number;
  /** Pauses after failures that follow one another; the last one from then on. */
  retryDelaysMs: readonly [number, ...number[]];
  /** The place is written down this often at the most. */
  saveIntervalMs: number;
  /** After each batch: what comes meanwhile is the next one, so that a burst is worked on in few. */
  pauseMs: number;
}

const TIMES: DurableReaderTimes = {
  leaseRetryMs: 2000,
  retryDelaysMs: [1000, 2000, 5000, 15_000],
  saveIntervalMs: 1000,
  pauseMs: 50,
};

/** Disposing it ends it at once, with the work under way as soon as that ends; its place is written down. */
export function startDurableReader(deps: DurableReaderDeps): AsyncDisposable {
  const { name, events, readers, leases, from, handle, log, times = TIMES } = deps;
  const stopped = new AbortController();

  /** Where to go on, and whether that is where it stood. */
  async function start(): Promise<{ after: string | null; isKnown: boolean }> {
    const after = await readers.readCursor(name);
    if (after !== null) return { after, isKnown: true };
    return { after: from === "oldest" ? events.oldestCursor() : null, isKnown: false };
  }

  async function follow(after: string | null): ReturnType<EventLog["followBatches"]> {
    try {
      return await events.followBatches(after);
    } catch (err) {
      if ((err as { code?: unknown }).code !== "CURSOR_INVALID") throw err;
      log.error({ reader: name, err }, "a reader's place is not in this log: it begins again at the oldest event");
      await readers.delete(name);
      return events.followBatches(events.oldestCursor());
    }
  }

  /** Reads until the signal; throws what `handle` or the store throws. `worked` is called after each success. */
  async function read(signal: AbortSignal, worked: () => void): Promise<void> {
    const { after, isKnown } = await start();
    const batches = await follow(after);
    const leave = () => void batches.return?.();
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    let [done, saved, savedAt] = [after, isKnown ? after : null, -Infinity];
    const save = async () => {
      if (done !== null && done !== saved) await readers.advance(name, done);
      [saved, savedAt] = [done, performance.now()];
    };
    const work = async ({ events: batch, cursor, hasGap }: EventBatch) => {
      if (hasGap && isKnown) log.warn({ reader: name }, "events were purged before a reader came to them");
      if (batch.length > 0) await handle(batch, signal);
      if (signal.aborted) return;
      done = cursor;
      worked();
      // A place that was never written down is not found again, where it was now.
      if (batch.length === 0 || performance.now() >= savedAt + times.saveIntervalMs) await save();
    };
    // By itself: while the next batch is waited for, nothing of the last one is held.
    const workNext = async (): Promise<boolean> => {
      const { done: isOver, value: batch } = await batches.next();
      if (isOver) return false;
      await work(batch);
      if (batch.events.length > 0) await rest(times.pauseMs, signal);
      return !signal.aborted;
    };
    try {
      while (await workNext());
    } finally {
      signal.removeEventListener("abort", leave);
      await batches.return?.();
      await save();
    }
  }

  async function readForEver(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        await read(signal, () => (failures = 0));
      } catch (err) {
        if (signal.aborted) return;
        log.warn({ reader: name, err }, "a reader of the log could not go on; it tries again");
        const ms = times.retryDelaysMs[Math.min(failures, times.retryDelaysMs.length - 1)] ?? 0;
        failures += 1;
        await rest(ms, signal);
      }
    }
  }

  async function takeTurns(): Promise<void> {
    while (!stopped.signal.aborted) {
      await leases.withLease(`reader ${name}`, stopped.signal, readForEver).catch((err: unknown) => {
        log.warn({ reader: name, err }, "a reader of the log could not ask for its turn; it tries again");
      });
      await rest(times.leaseRetryMs, stopped.signal);
    }
  }

  const running = takeTurns();
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await running;
    },
  };
}

/** Ends early at the signal. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}
