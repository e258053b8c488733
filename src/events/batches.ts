// Takes together what a reader of the log has at hand, so that whoever works on it does so once for many.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CallEndedEvent } from "./callEnded.ts";
import type { StreamItem } from "./eventLog.ts";

export interface Batch {
  /** In order; none where the place alone has moved. */
  events: CallEndedEvent[];
  /** Everything up to here is in it, or in an earlier one. */
  cursor: string;
  /** Events before those of this batch are no longer kept: nobody will ever be told of them. */
  hasGap: boolean;
}

/** `most` events at most. Waits for the first item alone: what is not there then goes into the next batch. */
export async function* batchesOf(
  items: AsyncIterableIterator<StreamItem>,
  most: number,
): AsyncGenerator<Batch, void, undefined> {
  const ask = () => {
    const item = items.next();
    // It is asked for before it is wanted: a failure meanwhile is told when it is.
    item.catch(() => undefined);
    return item;
  };
  let pending = ask();
  for (;;) {
    const first = await pending;
    if (first.done) return;
    const batch: Batch = { events: [], cursor: "", hasGap: false };
    add(batch, first.value);
    pending = ask();
    while (batch.events.length < most) {
      const more = await Promise.race([pending, nextTurn(null)]);
      // Events are of one side of a gap.
      if (!more || more.done || (more.value.kind === "gap" && batch.events.length > 0)) break;
      add(batch, more.value);
      pending = ask();
    }
    yield batch;
  }
}

function add(batch: Batch, item: StreamItem): void {
  if (item.kind === "event") batch.events.push(item.event);
  if (item.kind === "gap") batch.hasGap = true;
  batch.cursor = item.kind === "event" ? item.event.cursor : item.cursor;
}
