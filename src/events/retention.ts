// Forgets events that are older than they are kept, and what is kept as long as they are: the oldest first and in small
// steps, so that nobody waits for it. A reader behind them is told CURSOR_EXPIRED, or a gap.
import { setImmediate as nextTurn } from "node:timers/promises";
import { instantOf } from "../format/instant.ts";
import type { Log } from "../log.ts";
import type { EventStore } from "../store/log/eventStore.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import { HOUR_MS } from "../util/durations.ts";

export interface RetentionDeps {
  events: Pick<EventStore, "purge">;
  /** What else is kept for so long since it was last met. */
  otherStores?: readonly Pick<EventStore, "purge">[];
  leases: LeaseStore;
  retentionMs: number;
  clock: () => number;
  log: Log;
  /** From the end of one purge to the next; the first begins at once. */
  intervalMs?: number;
  /** Rows deleted in one transaction. */
  batchSize?: number;
}

const STEP = 500;

/** Disposing it ends the purge under way, after its step. */
export function startRetention(deps: RetentionDeps): AsyncDisposable {
  const {
    events,
    otherStores: alongside = [],
    leases,
    retentionMs,
    clock,
    log,
    intervalMs = HOUR_MS,
    batchSize: step = STEP,
  } = deps;
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  const tellFailure = (err: unknown) => log.warn({ err }, "what is old could not be deleted; it is tried again later");

  async function purgeOne(kept: Pick<EventStore, "purge">, before: string, signal: AbortSignal): Promise<number> {
    let purged = 0;
    while (!signal.aborted) {
      const deleted = await kept.purge(before, step);
      purged += deleted;
      if (deleted < step) break;
      await nextTurn();
    }
    return purged;
  }
  async function purge(signal: AbortSignal): Promise<void> {
    const before = instantOf(clock() - retentionMs);
    const purged = await purgeOne(events, before, signal);
    if (purged > 0) log.info({ events: purged }, "events older than they are kept were deleted");
    // Recordings are in a storage of their own: where it is away, all else still goes.
    for (const each of alongside) await purgeOne(each, before, signal).catch(tellFailure);
  }
  function wait(ms: number): void {
    if (stopped.signal.aborted) return;
    timer = setTimeout(() => {
      running = leases
        .withLease("retention", stopped.signal, purge)
        .catch(tellFailure)
        .then(() => wait(intervalMs));
    }, ms);
    timer.unref();
  }

  wait(0);
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
