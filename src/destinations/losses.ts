// Events that a destination cannot get any more. None goes without a word: erasure is asked for, all else is an error in the log.
import { ownNumber, type Logger } from "../logger.ts";
import type { LossReason } from "./eventFinder.ts";
import type { DestinationObserver } from "./observer.ts";

export interface Losses {
  /** Notes that the event at a position is lost. `why`: what a deliverer says of it. */
  event(seq: number, reason: LossReason, why: string | null): void;
  /** Notes that all entries after a position and up to another are lost. */
  range(after: number, through: number, reason: LossReason): void;
}

export function createLosses(
  destination: string,
  { observer, log }: { observer: Pick<DestinationObserver, "lost">; log: Logger },
): Losses {
  return {
    event(seq, reason, why) {
      observer.lost(destination, reason, 1);
      if (reason !== "erased")
        log.error({ destination, seq: ownNumber(seq), reason, why }, "a destination cannot get an event any more");
    },
    range(after, through, reason) {
      // A gap of damage is one entry; those before it did not pass the filter.
      observer.lost(destination, reason, reason === "damaged" ? 1 : through - after);
      log.error(
        { destination, after: ownNumber(after), through: ownNumber(through), reason },
        "events were purged or damaged before a destination received them",
      );
    },
  };
}
