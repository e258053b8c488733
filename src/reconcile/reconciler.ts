// Finds ended calls of which no webhook came: searches the call log at intervals, one gateway at a time among many. There
// is no grace period: a webhook that comes later is a revision.
import { instantOf } from "../format/instant.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import { createSearch, type SearchDeps } from "./searchCallLog.ts";
import { createUnnamedRows } from "./unnamedRows.ts";

export interface ReconcilerDeps extends Omit<SearchDeps, "unnamedRows"> {
  leases: LeaseStore;
  /** Real milliseconds from the end of a search, whichever gateway made it, to the next one; 0: never. */
  intervalMs: number;
}

/** Disposing it ends the search under way. */
export interface Reconciler extends AsyncDisposable {
  /** Throws STORE_UNAVAILABLE. */
  counts(): Promise<ReconcilerCounts>;
}

export interface ReconcilerCounts {
  /** Calls of the log that reconciliation told first. */
  reconciled: number;
  /** Rows of the call log that could not be told, since this gateway began. */
  withoutSessionId: number;
}

const LEASE = "reconcile";
/** A gateway that was killed in a search holds its lease for 20 s: another asks so often. */
const LEASE_RETRY_MS = 5000;

/** The first search begins at once, unless another gateway, or this one before, has just made one. */
export function startReconciler(deps: ReconcilerDeps): Reconciler {
  const { openCalls, leases, intervalMs, clock, log } = deps;
  const unnamedRows = createUnnamedRows();
  const search = createSearch({ ...deps, unnamedRows });
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  async function untilDue(): Promise<number> {
    const { lastSearch } = await openCalls.searchState();
    const passed = lastSearch === null ? intervalMs : clock() - Date.parse(lastSearch);
    // A search of the future: a clock was set back, and there is no telling how long ago it was.
    return passed < 0 ? 0 : Math.max(0, intervalMs - passed);
  }
  async function searchOnce(signal: AbortSignal): Promise<void> {
    // Another gateway may have searched while this one waited for the lease.
    if ((await untilDue()) > 0) return;
    try {
      await search(signal);
    } finally {
      // A failed one counts too: the service is asked again after an interval, and not by each gateway at once.
      if (!signal.aborted) await openCalls.saveSearchState({ lastSearch: instantOf(clock()) });
    }
  }
  /** Resolves with the milliseconds to wait. */
  async function round(): Promise<number> {
    try {
      const early = await untilDue();
      if (early > 0) return early;
      const held = await leases.withLease(LEASE, stopped.signal, searchOnce);
      return held ? intervalMs : Math.min(intervalMs, LEASE_RETRY_MS);
    } catch (err) {
      if (!stopped.signal.aborted)
        log.warn({ err }, "the call log could not be searched; the next interval tries again");
      return intervalMs;
    }
  }
  function wait(ms: number): void {
    if (stopped.signal.aborted) return;
    timer = setTimeout(() => {
      running = round().then(wait);
    }, ms);
    timer.unref();
  }

  if (intervalMs > 0) wait(0);
  return {
    counts: async () => ({ reconciled: await openCalls.countReconciled(), withoutSessionId: unnamedRows.count() }),
    async [Symbol.asyncDispose]() {
      stopped.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
