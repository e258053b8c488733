// Deletes events received more than EVENT_RETENTION_DAYS ago, and other data that expires (gateway/startBackgroundWork.ts lists it). It deletes
// the oldest first and in small steps, so that no other query waits long. The SQL for events is in store/events/purgeRows.ts.
// What a wrong clock deletes is lost, and a freed key phones people again. So nothing is deleted while the clock is in doubt
// (trustedClock.ts) or shortly after a start, and the time as which a purge counts goes on by a part of the retention at most.
// Of a cursor before a purged event: followLog.ts gives callEndedStream a gap; resolvers/callEnded.ts ends callEnded with
// CURSOR_EXPIRED, and `page` in eventLog.ts throws it.
import { setImmediate as nextTurn } from "node:timers/promises";
import { instantOf } from "../format/instant.ts";
import { ownNumber, type Logger } from "../logger.ts";
import type { EventStore } from "../store/events/eventStore.ts";
import type { ClockStore } from "../store/shared/clockStore.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../util/durations.ts";
import { startRepeating } from "../util/startRepeating.ts";
import type { TrustedClock } from "./trustedClock.ts";

export interface PurgeTimes {
  /** Milliseconds from the end of one purge to the next. */
  intervalMs?: number;
  /** Milliseconds from the start to the first purge. */
  firstAfterMs?: number;
}

export interface RetentionDeps extends PurgeTimes {
  events: Pick<EventStore, "purge">;
  /** Other stores, whose rows expire after the same time, or after a retention of their own. */
  otherStores?: readonly ExpiringStore[];
  leases: LeaseStore;
  retentionMs: number;
  clock: Pick<TrustedClock, "check" | "cautiousNow">;
  /** Holds the time as which the last purge counted, for all gateways. */
  purges: Pick<ClockStore, "state" | "save">;
  log: Logger;
  /** Rows deleted in one transaction. */
  batchSize?: number;
}

export interface ExpiringStore extends Pick<EventStore, "purge"> {
  retentionMs?: number;
}

const BATCH = 500;
const FIRST_AFTER_MS = 5 * MINUTE_MS;
/** So many purges delete everything, if the time goes on by the retention at once. */
const PURGES_PER_RETENTION = 20;
/** Several intervals, so that a purge catches up whatever the retention is. */
const MIN_STEP_MS = 6 * HOUR_MS;
/** Gateways' clocks differ by less. */
const MAX_AHEAD_MS = DAY_MS;

interface PurgeTime {
  now: number;
  /** What has expired by then is deleted. */
  asOf: number;
}

/** On many gateways one purges at a time. Disposing it ends a running purge after its current step. */
export function startRetention(deps: RetentionDeps): AsyncDisposable {
  const { events, otherStores = [], leases, retentionMs, clock, purges, log } = deps;
  const { intervalMs = HOUR_MS, firstAfterMs = FIRST_AFTER_MS, batchSize = BATCH } = deps;
  const maxStepMs = Math.max(retentionMs / PURGES_PER_RETENTION, MIN_STEP_MS);
  let pauseMs = firstAfterMs;

  const logFailure = (err: unknown) =>
    log.warn({ err }, "expired data could not be deleted; it is tried again at the next purge");

  async function purgeStore(store: ExpiringStore, { asOf, now }: PurgeTime, signal: AbortSignal): Promise<number> {
    const before = instantOf(asOf - (store.retentionMs ?? retentionMs));
    const latest = instantOf(now + MAX_AHEAD_MS);
    let purged = 0;
    while (!signal.aborted) {
      const deleted = await store.purge(before, batchSize, latest);
      purged += deleted;
      if (deleted < batchSize) break;
      await nextTurn();
    }
    return purged;
  }
  /** Null: the clock is in doubt. */
  async function readTime(): Promise<PurgeTime | null> {
    const doubt = await clock.check();
    if (doubt !== null) {
      log.error({}, `nothing that has expired is deleted, because the clock is in doubt: ${doubt}`);
      return null;
    }
    const now = clock.cautiousNow();
    const { purgedAsOf } = await purges.state();
    return { now, asOf: Math.min(now, (purgedAsOf ?? now) + maxStepMs) };
  }
  async function purge(signal: AbortSignal): Promise<void> {
    const time = await readTime();
    if (time === null) return;
    const purged = await purgeStore(events, time, signal);
    if (purged > 0) log.info({ events: ownNumber(purged) }, "events older than the retention were deleted");
    // The storage of recordings may fail alone; the other stores are purged nevertheless.
    for (const each of otherStores) await purgeStore(each, time, signal).catch(logFailure);
    if (!signal.aborted) await purges.save({ purgedAsOf: time.asOf });
  }

  return startRepeating(async (signal) => {
    const waitMs = pauseMs;
    pauseMs = 0;
    if (waitMs > 0) return waitMs;
    await leases.withLease("retention", signal, purge).catch(logFailure);
    return intervalMs;
  });
}
