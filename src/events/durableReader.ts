// A reader of the log whose cursor is in the database: after a restart it continues where it was. On many gateways one reads at
// a time. Delivery is at least once: what was handled just before a kill is handled again, so a repeat must do no harm. Without
// a cursor it begins with the oldest event; one that is to begin with the next event gets its cursor before the gateway listens.
import type { Logger } from "../logger.ts";
import { keepLease } from "../store/shared/keepLease.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import type { ReaderStore } from "../store/shared/readerStore.ts";
import { commitInHalves } from "../util/groupCommit.ts";
import { rest } from "../util/startRepeating.ts";
import type { Signal } from "../util/signal.ts";
import type { CallEndedEvent } from "./callEndedEvent.ts";
import type { EventBatch, EventLog } from "./eventLog.ts";
import { noEventObserver, type EventObserver } from "./eventObserver.ts";
import { unstorableReasonOf } from "../store/unstorable.ts";

export interface DurableReaderDeps {
  /** Names the cursor and the lease in the database. A version that changes it reads the whole log again. */
  name: string;
  events: Pick<EventLog, "followBatches" | "oldestCursor">;
  readers: ReaderStore;
  leases: LeaseStore;
  /**
   * Receives every readable entry that was not purged, in order, revisions included; the next batch follows when this one is done. If it throws,
   * the same events come again after a pause; where the database refuses a value, in halves and without the event that it refuses. The signal aborts when the gateway stops or loses its lease; the batch then
   * counts as not done.
   */
  handle: (events: readonly CallEndedEvent[], signal: AbortSignal) => Promise<void>;
  /** After a batch that reached the end of the log, further events gather so long, or until someone wants them. */
  gathering?: { ms: number; wanted: Signal };
  observer?: Pick<EventObserver, "readerStarted"> | undefined;
  log: Logger;
  times?: DurableReaderTimes;
}

export interface DurableReaderTimes {
  /** How often a gateway without the lease asks for it. */
  leaseRetryMs: number;
  /** Pauses after consecutive failures; the last one repeats. */
  retryDelaysMs: readonly [number, ...number[]];
  /** The cursor is stored at most this often. */
  saveIntervalMs: number;
  /** Pause after each batch: events that arrive meanwhile form the next one, so that a burst needs few batches. */
  pauseMs: number;
}

const TIMES: DurableReaderTimes = {
  leaseRetryMs: 2000,
  retryDelaysMs: [1000, 2000, 5000, 15_000],
  saveIntervalMs: 1000,
  pauseMs: 50,
};

/** Disposing it stops the reading at once, waits for a running `handle`, and stores the cursor. */
export function startDurableReader(deps: DurableReaderDeps): AsyncDisposable {
  const { name, events, readers, leases, handle, gathering, observer = noEventObserver, log, times = TIMES } = deps;
  const logUnsaved = (err: unknown) =>
    log.warn({ reader: name, err }, "the cursor of a reader could not be stored; it is stored with the next event");

  /** Handles the others of a batch of which the database refuses one: no retry would help it. */
  function handleAll(batch: readonly CallEndedEvent[], signal: AbortSignal): Promise<void> {
    return commitInHalves(batch, {
      commit: (some) => (signal.aborted ? Promise.resolve() : handle(some, signal)),
      isRefusal: (error) => unstorableReasonOf(error) !== null,
      onRefused: ({ sessionId, revision }, err) =>
        log.error(
          { reader: name, sessionId, revision, err },
          "what a reader makes of an event cannot be stored; it is left out",
        ),
    });
  }

  async function follow(after: string): ReturnType<EventLog["followBatches"]> {
    try {
      return await events.followBatches(after);
    } catch (err) {
      if ((err as { code?: unknown }).code !== "CURSOR_INVALID") throw err;
      log.error(
        { reader: name, err },
        "the stored cursor of a reader is not from this log; the reader starts again at the oldest event",
      );
      await readers.delete(name);
      return events.followBatches(events.oldestCursor());
    }
  }

  /** Reads until the signal aborts. Calls `onSuccess` after each batch. Throws what `handle` or the store throws. */
  async function read(signal: AbortSignal, onSuccess: () => void): Promise<void> {
    const stored = await readers.readCursor(name);
    const after = stored ?? events.oldestCursor();
    const batches = await follow(after);
    const wanted = gathering?.wanted.listen();
    const stop = () => {
      wanted?.close();
      void batches.return?.();
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    let [handledThrough, saved, savedAt] = [after, stored, -Infinity];
    let savesLater: NodeJS.Timeout | undefined;
    const save = async () => {
      clearTimeout(savesLater);
      savesLater = undefined;
      const through = handledThrough;
      if (through !== saved) await readers.advance(name, through);
      [saved, savedAt] = [through, performance.now()];
    };
    // The metrics and other gateways see the stored cursor: it must not stay behind when no event follows.
    const saveLater = () => {
      savesLater ??= setTimeout(() => void save().catch(logUnsaved), times.saveIntervalMs).unref();
    };
    const work = async ({ events: batch, cursor, hasGap }: EventBatch) => {
      if (hasGap && stored !== null) log.warn({ reader: name }, "events were purged before a reader received them");
      if (batch.length > 0) await handleAll(batch, signal);
      if (signal.aborted) return;
      handledThrough = cursor;
      onSuccess();
      // The first position (an empty batch) is stored at once: the metrics show the reader from then on.
      if (batch.length === 0 || performance.now() >= savedAt + times.saveIntervalMs) await save();
      else saveLater();
    };
    // A function of its own, so that the last batch is not held in memory while it waits for the next.
    const workNext = async (): Promise<boolean> => {
      wanted?.reset();
      const { done: isOver, value: batch } = await batches.next();
      if (isOver) return false;
      await work(batch);
      if (batch.events.length === 0) return !signal.aborted;
      await rest(times.pauseMs, signal);
      if (gathering && batch.isAtHead) await wanted?.wait(gathering.ms);
      return !signal.aborted;
    };
    try {
      while (await workNext());
    } finally {
      signal.removeEventListener("abort", stop);
      wanted?.close();
      await batches.return?.();
      await save();
    }
  }

  async function readUntilAborted(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        await read(signal, () => (failures = 0));
      } catch (err) {
        if (signal.aborted) return;
        log.warn({ reader: name, err }, "a reader of the log failed; it tries again");
        const ms = times.retryDelaysMs[Math.min(failures, times.retryDelaysMs.length - 1)] ?? 0;
        failures += 1;
        await rest(ms, signal);
      }
    }
  }

  observer.readerStarted(name);
  return keepLease(leases, {
    name: `reader ${name}`,
    work: readUntilAborted,
    pauseMs: times.leaseRetryMs,
    failed: (err) => log.warn({ reader: name, err }, "a reader of the log could not request its lease; it tries again"),
  });
}
