// Deletes events received more than EVENT_RETENTION_DAYS ago, and other data that expires (gateway/startBackgroundWork.ts lists it). It deletes
// the oldest first and in small steps, so that no other query waits long. The SQL for events is in store/log/purgeEvents.ts.
// Of a cursor before a purged event: followLog.ts gives callEndedStream a gap; resolvers/callEnded.ts ends callEnded with
// CURSOR_EXPIRED, and `page` in eventLog.ts throws it.
import { setImmediate as nextTurn } from "node:timers/promises";
import { instantOf } from "../format/instant.ts";
import { ownNumber, type Log } from "../log.ts";
import type { EventStore } from "../store/log/eventStore.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import { HOUR_MS } from "../util/durations.ts";
import { startRepeating } from "../util/startRepeating.ts";

export interface RetentionDeps {
  events: Pick<EventStore, "purge">;
  /** Other stores, whose rows expire after the same time, or after a retention of their own. */
  otherStores?: readonly ExpiringStore[];
  leases: LeaseStore;
  retentionMs: number;
  clock: () => number;
  log: Log;
  /** Milliseconds from the end of one purge to the next. The first begins at once. */
  intervalMs?: number;
  /** Rows deleted in one transaction. */
  batchSize?: number;
}

export interface ExpiringStore extends Pick<EventStore, "purge"> {
  retentionMs?: number;
}

const BATCH = 500;

/** On many gateways one purges at a time. Disposing it ends a running purge after its current step. */
export function startRetention(deps: RetentionDeps): AsyncDisposable {
  const { events, otherStores = [], leases, retentionMs, clock, log, intervalMs = HOUR_MS, batchSize = BATCH } = deps;

  const logFailure = (err: unknown) =>
    log.warn({ err }, "expired data could not be deleted; it is tried again at the next purge");

  async function purgeStore(store: Pick<EventStore, "purge">, before: string, signal: AbortSignal): Promise<number> {
    let purged = 0;
    while (!signal.aborted) {
      const deleted = await store.purge(before, batchSize);
      purged += deleted;
      if (deleted < batchSize) break;
      await nextTurn();
    }
    return purged;
  }
  async function purge(signal: AbortSignal): Promise<void> {
    const now = clock();
    const purged = await purgeStore(events, instantOf(now - retentionMs), signal);
    if (purged > 0) log.info({ events: ownNumber(purged) }, "events older than the retention were deleted");
    // The storage of recordings may fail alone; the other stores are purged nevertheless.
    for (const each of otherStores) {
      const before = instantOf(now - (each.retentionMs ?? retentionMs));
      await purgeStore(each, before, signal).catch(logFailure);
    }
  }

  return startRepeating(async (signal) => {
    await leases.withLease("retention", signal, purge).catch(logFailure);
    return intervalMs;
  });
}
