// Remembers the names of the events that came, for administrators. The sender chooses them, so their number and length are limited and
// their digits are masked.
import type { Instant } from "../format/instant.ts";
import { maskDigitRuns, type Logger } from "../logger.ts";
import { MAX_EVENT_NAMES, type EventNameStore } from "../store/events/eventNameStore.ts";
import { isRefusal } from "../store/storeError.ts";

export interface SeenEventNames {
  /** Resolves when a name that this gateway had not seen is stored. Never rejects: a name that cannot be stored is stored later. */
  saw(name: string | null, isEnd: boolean, at: () => Instant): Promise<void>;
}

const MAX_LENGTH = 64;

export function createSeenEventNames({ store, log }: { store: EventNameStore; log: Logger }): SeenEventNames {
  const seen = { ended: new Set<string | null>(), other: new Set<string | null>() };

  async function add(name: string | null, isEnd: boolean, at: Instant): Promise<void> {
    const shown = name === null ? null : maskDigitRuns(name.slice(0, MAX_LENGTH).toWellFormed().replaceAll("\0", ""));
    const names = isEnd ? seen.ended : seen.other;
    try {
      const isNew = await store.add({ name: shown, isEnd, firstAt: at });
      if (isNew && !isEnd)
        log.warn({ eventName: shown }, "an event came that is not the end of a call; it is kept aside");
    } catch (err) {
      if (!isRefusal(err)) names.delete(name);
      log.warn({ err }, "the name of an event could not be stored");
    }
  }

  return {
    async saw(name, isEnd, at) {
      const names = isEnd ? seen.ended : seen.other;
      if (names.has(name) || names.size >= MAX_EVENT_NAMES) return;
      names.add(name);
      await add(name, isEnd, at());
    },
  };
}
