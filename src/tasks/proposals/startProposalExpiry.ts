// Makes proposals EXPIRED when their time is over, also if nobody reads them: their numbers are erased, and subscribers are told.
import { instantOf } from "../../format/instant.ts";
import type { Logger } from "../../logger.ts";
import type { ProposalStore } from "../../store/tasks/proposalStore.ts";
import { MINUTE_MS } from "../../util/durations.ts";
import type { Signal } from "../../util/signal.ts";
import { startRepeating } from "../../util/startRepeating.ts";

export interface ProposalExpiryDeps {
  proposals: Pick<ProposalStore, "expire" | "listDue">;
  /** Notified when a proposal expired. */
  changes: Signal;
  clock: () => number;
  log: Logger;
  intervalMs?: number;
}

const BATCH = 100;

/** Every gateway does it: expiring a proposal twice changes nothing. Disposing it waits for a running step. */
export function startProposalExpiry(deps: ProposalExpiryDeps): AsyncDisposable {
  const { proposals, changes, clock, log, intervalMs = MINUTE_MS } = deps;

  return startRepeating(async (signal) => {
    try {
      const now = instantOf(clock());
      for (const id of await proposals.listDue(now, BATCH)) {
        if (signal.aborted) break;
        if (await proposals.expire(id, now)) changes.notify();
      }
    } catch (err) {
      log.warn({ err }, "proposals could not be expired; it is tried again");
    }
    return intervalMs;
  });
}
