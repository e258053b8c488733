// Deletes letters whose events have expired, and tells of each destination what it did not get.
import { ownNumber, type Logger } from "../logger.ts";
import type { DestinationStore } from "../store/destinations/destinationStore.ts";
import type { DestinationObserver } from "./observer.ts";

export interface LetterPurgeDeps {
  store: Pick<DestinationStore, "purge">;
  observer: Pick<DestinationObserver, "lost">;
  log: Logger;
}

/** As a store whose rows expire: returns how many letters were deleted. */
export function createLetterPurge({ store, observer, log }: LetterPurgeDeps) {
  return async (firstBefore: string, limit: number): Promise<number> => {
    let deleted = 0;
    for (const [destination, { waiting, dead }] of await store.purge(firstBefore, limit)) {
      deleted += waiting + dead;
      observer.lost(destination, "expired", waiting + dead);
      log.error(
        { destination, waiting: ownNumber(waiting), dead: ownNumber(dead) },
        "events expired that a destination has not taken",
      );
    }
    return deleted;
  };
}
