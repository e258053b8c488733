// Finds ended calls for which no webhook came, by searching the service's call log at intervals. On many gateways one searches
// at a time. There is no grace period: a webhook that comes after its call was found becomes a revision.
import { epochMsOf, instantOf } from "../format/instant.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import { startRepeating } from "../util/startRepeating.ts";
import { createSearch, type SearchDeps } from "./searchCallLog.ts";

export interface ReconcilerDeps extends SearchDeps {
  leases: LeaseStore;
  /** Milliseconds from the end of a search on any gateway to the next search; 0 turns searches off. */
  intervalMs: number;
}

const LEASE = "reconcile";
/** The lease of a gateway that was killed during a search runs out after 20 s; others ask this often. */
const LEASE_RETRY_MS = 5000;

/** The first search begins at once, unless a gateway searched less than an interval ago. Disposing it ends a running search. */
export function startReconciler(deps: ReconcilerDeps): AsyncDisposable {
  const { openCalls, leases, intervalMs, clock, log } = deps;
  const search = createSearch(deps);

  async function msUntilDue(): Promise<number> {
    const { lastSearch } = await openCalls.searchState();
    const passed = lastSearch === null ? intervalMs : clock() - epochMsOf(lastSearch);
    // Negative: the clock was set back, so the true age of the last search is unknown.
    return passed < 0 ? 0 : Math.max(0, intervalMs - passed);
  }
  async function searchIfDue(signal: AbortSignal): Promise<void> {
    // Another gateway may have searched while this one waited for the lease.
    if ((await msUntilDue()) > 0) return;
    try {
      const isComplete = await search(signal);
      if (isComplete) await openCalls.saveSearchState({ lastComplete: instantOf(clock()) });
    } finally {
      // A failed search counts too, so that the gateways do not all repeat it at once.
      if (!signal.aborted) await openCalls.saveSearchState({ lastSearch: instantOf(clock()) });
    }
  }
  /** Returns the milliseconds until the next round. */
  async function runRound(signal: AbortSignal): Promise<number> {
    try {
      const waitMs = await msUntilDue();
      if (waitMs > 0) return waitMs;
      const held = await leases.withLease(LEASE, signal, searchIfDue);
      return held ? intervalMs : Math.min(intervalMs, LEASE_RETRY_MS);
    } catch (err) {
      if (!signal.aborted) log.warn({ err }, "the search of the call log failed; it runs again at the next interval");
      return intervalMs;
    }
  }

  return intervalMs > 0 ? startRepeating(runRound) : new AsyncDisposableStack();
}
