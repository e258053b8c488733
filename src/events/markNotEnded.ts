// Marks entries that do not show the end of their call, which versions before this rule appended, and an older gateway beside this one
// still appends. A durable reader passes it the whole log once, and then each new event.
import { ownNumber, type Logger } from "../logger.ts";
import type { EventStore } from "../store/events/eventStore.ts";
import { isEnd, type CallEndedEvent } from "./callEndedEvent.ts";

/** The `handle` of a durable reader. Handling an event twice changes nothing. */
export function markNotEnded({ events, log }: { events: Pick<EventStore, "markNotEnded">; log: Logger }) {
  return async (batch: readonly CallEndedEvent[]): Promise<void> => {
    const others = batch.filter((event) => !isEnd(event));
    if (others.length === 0) return;
    await events.markNotEnded(others);
    log.info(
      { entries: ownNumber(others.length) },
      "entries of the log that show no end of a call are not told any more",
    );
  };
}
