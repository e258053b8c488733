// Sends the extra requests that check a list: whether it ends where its total says, whether the service applies a filter, and
// whether it takes several tasks at once. The operation's cost does not count them, so they use its spare requests. Without a
// spare request they use an allowance of the process. Otherwise an operation that needs all of QUERY_BUDGET would always fail.
import { CodedError } from "../errors.ts";
import type { Requester } from "../upstream/requester.ts";
import type { CallLogPage, CallLogQuery, Upstream } from "../upstream/upstream.ts";
import { MINUTE_MS } from "../util/durations.ts";

export interface CheckRequests {
  /**
   * `isRecurring`: the service is known to answer wrongly, so every list needs this check; then only spare requests may be
   * used. Throws QUERY_TOO_COMPLEX where none is left, and what Upstream.listCallLogs throws.
   */
  listCallLogs(query: CallLogQuery, isRecurring: boolean): Promise<CallLogPage>;
  /** Aborted when the caller stops waiting for the list. */
  signal: AbortSignal;
}

/** The process's check requests outside QUERY_BUDGET, retries included. */
export interface CheckAllowance {
  /** False: none is left in this minute. */
  tryTake(): boolean;
}

export const CHECKS_PER_MINUTE = 100;

/** For the life of the process. `now`: milliseconds. */
export function createCheckAllowance(max = CHECKS_PER_MINUTE, now: () => number = Date.now): CheckAllowance {
  let minute = 0;
  let taken = 0;
  return {
    tryTake() {
      const currentMinute = Math.floor(now() / MINUTE_MS);
      if (currentMinute !== minute) taken = 0;
      minute = currentMinute;
      if (taken >= max) return false;
      taken += 1;
      return true;
    },
  };
}

/** `requester` pays for each request (RATE_LIMIT), whichever allowance it comes from. */
export function createCheckRequests(
  upstream: Pick<Upstream, "listCallLogs">,
  allowance: CheckAllowance,
  requester: Requester,
): CheckRequests {
  const outsideBudget: Requester = {
    ...requester,
    payForRequest() {
      if (!allowance.tryTake()) throw checkBudgetExceeded();
      return requester.payRateLimit();
    },
  };
  return {
    async listCallLogs(query, isRecurring) {
      if (requester.takeSpareRequest()) return upstream.listCallLogs(query, requester);
      if (isRecurring) throw checkBudgetExceeded();
      return upstream.listCallLogs(query, outsideBudget);
    },
    signal: requester.signal,
  };
}

export function checkBudgetExceeded(): CodedError {
  return new CodedError(
    "QUERY_TOO_COMPLEX",
    "The service's list must be checked, which needs more requests than QUERY_BUDGET leaves: ask for less, or try again in a minute.",
  );
}
