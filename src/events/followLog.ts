// One reader of the log: listen, read, wait. It holds a place and at most one batch, never a queue, so that a slow reader
// lags in the log and not in memory.
import type { CallEndedEvent } from "./callEndedEvent.ts";
import { createAbortableIterator } from "./abortableIterator.ts";
import { createLogReader, type LogReaderOptions } from "./logReader.ts";

export type FollowItem =
  | { kind: "event"; event: CallEndedEvent }
  /** Everything that passes up to here was told. */
  | { kind: "checkpoint"; seq: number }
  /** Events behind `after` are no longer kept, or damaged; it goes on behind `seq`. */
  | { kind: "gap"; after: number; seq: number };

export interface FollowOptions extends Omit<LogReaderOptions, "most" | "mostSize"> {
  /** Behind which to begin. */
  place: number;
  /** Milliseconds without an item, because nothing passes, after which a checkpoint is given. */
  checkpointMs: number;
  /** Called with its place when it has read everything and is about to wait; it may be left there and then. */
  onHead?: ((seq: number) => void) | undefined;
}

const BATCH = 100;
/** Events are as large as a sender likes, and thousands of readers may stand still. */
const BATCH_SIZE = 256 * 1024;

/** A checkpoint first, then endless; `return()` ends it at once, even while it waits for the next event. */
export function followLog(options: FollowOptions): AsyncIterableIterator<FollowItem> {
  const { recent, checkpointMs, onHead } = options;
  const ear = recent.bell.listen();
  const { isLeft, unlessLeft, iterate } = createAbortableIterator(ear);
  const readBehind = createLogReader({ ...options, most: BATCH, mostSize: BATCH_SIZE });

  async function* read(): AsyncGenerator<FollowItem, void, undefined> {
    let { place } = options;
    yield { kind: "checkpoint", seq: place };
    let toldAt = performance.now();
    while (!isLeft()) {
      ear.reset();
      const erasures = recent.erasures();
      const found = readBehind(place);
      const batch = found instanceof Promise ? await unlessLeft(found) : found;
      if (!batch) return;
      if (batch.purged > place) {
        yield { kind: "gap", after: place, seq: batch.purged };
        place = batch.purged;
        continue;
      }
      for (const { seq, event } of batch.entries) {
        if (recent.erasures() !== erasures) break;
        yield event ? { kind: "event", event } : { kind: "gap", after: place, seq };
        if (isLeft()) return;
        place = seq;
      }
      // A reader that stood still reads again what it had not told.
      if (recent.erasures() !== erasures) continue;
      place = Math.max(place, batch.upTo);
      if (batch.entries.length > 0) toldAt = performance.now();
      const isDue = performance.now() >= toldAt + checkpointMs;
      if (!batch.isLast && !isDue) continue;
      if (batch.isLast) onHead?.(place);
      if (isLeft()) return;
      // Counted from the last item, not from the last ring: in a busy log the bell never rests.
      const isRung = batch.isLast && (await ear.wait(Math.max(0, toldAt + checkpointMs - performance.now())));
      if (isRung && performance.now() < toldAt + checkpointMs) continue;
      if (isLeft()) return;
      yield { kind: "checkpoint", seq: place };
      toldAt = performance.now();
    }
  }
  return iterate(read());
}
